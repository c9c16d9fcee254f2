"""What a filter becomes: SQL in one dialect, with what its reader must know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fictdsl.sql.context import Dialect


@dataclass(frozen=True, slots=True)
class Statement:
    """One SELECT over `tokens, sentences, misc, meta, enhanced`, giving `sid, m0, m1, …` in order, without repetition.

    `m_i` is the id of the word bound to `names[i]`, NULL where the reading does not bind it. `features` are the
    features whose columns it reads. `sentences` is a second SELECT, which gives each `sid` that has a match once.
    `tables` are the common tables that both begin with, each with its name and as it is defined, a name before its use;
    none where they are recursive.
    """

    text: str
    names: tuple[str, ...]
    features: tuple[str, ...]
    dialect: Dialect
    sentences: str
    tables: tuple[tuple[str, str], ...] = ()
