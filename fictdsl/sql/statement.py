"""The SQL statement of a filter, with what is needed to run it and read its result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fictdsl.sql.context import Dialect


@dataclass(frozen=True, slots=True)
class Statement:
    """A SELECT over `tokens, sentences, misc, meta, enhanced` that returns distinct rows `sid, m0, m1, …`, sorted.

    `m_i` is the id of the word bound to `names[i]`, or NULL if the reading does not bind it. `features` are the
    features whose columns it reads. `sentences` is a second SELECT, which returns each `sid` with a match once.
    `tables` are the common table expressions that both statements begin with, as (name, definition) in order of
    dependency. It is empty if they are recursive.
    """

    text: str
    names: tuple[str, ...]
    features: tuple[str, ...]
    dialect: Dialect
    sentences: str
    tables: tuple[tuple[str, str], ...] = ()
