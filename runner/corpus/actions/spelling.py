"""A sentence as it is spelt, and what is done to its words, into the text that is left."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import Literal, TypeAlias, assert_never

from runner.corpus.text.surface import Surface, Token

Tag = Literal["upos", "xpos", "deprel"]
_COLUMNS: dict[Tag, int] = {"upos": 3, "xpos": 4, "deprel": 7}


@dataclass(frozen=True, slots=True)
class Remove:
    """The word goes."""


@dataclass(frozen=True, slots=True)
class Put:
    """The string stands for each unbroken run of such words."""

    text: str


@dataclass(frozen=True, slots=True)
class PutTag:
    """The word's tag stands for it, `_` where it has none."""

    column: Tag


Change: TypeAlias = Remove | Put | PutTag
REMOVE = Remove()


class ClashError(Exception):
    """Two different replacements for one surface token."""

    def __init__(self, token: Token, changes: Set[Change]) -> None:
        super().__init__(token.form)
        self.token = token
        self.changes = changes


def rewrite(surface: Surface, changes: Mapping[int, Set[Change]]) -> str | None:
    """The text after all changes, None if no token is left; `changes` maps ids of words to what is done to them.

    A change of a part of a multiword token is one of the whole token; removal beats replacement. Runs with the same
    string that touch in what is left become one. Two tokens that become neighbours have a space between them if any
    gap between them was not empty; every other gap stays as it is. Raises ClashError.
    """
    pieces: list[str] = []
    gap, before = surface.gaps[0], None  # what stands between the last piece and the next; what was done to the last
    for token, after in zip(surface.tokens, surface.gaps[1:], strict=True):
        change = _change(token, changes)
        text = _replaced(surface, token, change)
        if text:
            if not (isinstance(change, Put) and change == before):
                pieces += [gap, text]
            gap, before = after, change
        elif pieces:
            gap = " " if gap or after else ""
    return "".join([*pieces, surface.gaps[-1]]) if pieces else None


def _change(token: Token, changes: Mapping[int, Set[Change]]) -> Change | None:
    """What is done to a surface token: all that is done to its words."""
    found: set[Change] = set()
    for word in range(token.first, token.last + 1):
        found |= changes.get(word, frozenset())
    if REMOVE in found:
        return REMOVE
    if len(found) > 1:
        raise ClashError(token, found)
    return found.pop() if found else None


def _replaced(surface: Surface, token: Token, change: Change | None) -> str:
    match change:
        case None:
            return token.form
        case Remove():
            return ""
        case Put(text=text):
            return text
        case PutTag(column=column):
            return " ".join(row[_COLUMNS[column]] for row in surface.rows[token.first - 1 : token.last])
        case _:
            assert_never(change)
