"""Rewrite the text of a sentence after changes to its words."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import Literal, TypeAlias, assert_never

from fictdsl.schema import Field
from runner.corpus.text.surface import Surface, Token

Tag = Literal["upos", "xpos", "deprel"]


@dataclass(frozen=True, slots=True)
class Remove:
    """Removal of a word."""


@dataclass(frozen=True, slots=True)
class Replace:
    """Replacement of words with a string. Adjacent words with equal changes are replaced with a single string."""

    text: str


@dataclass(frozen=True, slots=True)
class ReplaceByTag:
    """Replacement of a word with its tag, or with `_` if it has no tag."""

    column: Tag


Change: TypeAlias = Remove | Replace | ReplaceByTag
REMOVE = Remove()


class ClashError(Exception):
    """Two different replacements of one surface token."""

    def __init__(self, token: Token, changes: Set[Change]) -> None:
        super().__init__(token.form)
        self.token = token
        self.changes = changes


def rewrite(surface: Surface, changes: Mapping[int, Set[Change]]) -> str | None:
    """Return the text after all changes, or None if no token remains; `changes` maps ids of words to their changes.

    A change of a word of a multiword token applies to the whole token; removal overrides replacement. Adjacent tokens
    with the same replacement are replaced once. Two tokens that become adjacent are separated by a space if any gap
    between them was not empty. All other gaps are unchanged. Raises ClashError if a token has two different
    replacements.
    """
    pieces: list[str] = []
    gap, last_change = surface.gaps[0], None  # the gap after the last piece, and the change of the token of that piece
    for token, next_gap in zip(surface.tokens, surface.gaps[1:], strict=True):
        change = _change(token, changes)
        text = _replacement(surface, token, change)
        if text:
            if not (isinstance(change, Replace) and change == last_change):
                pieces += [gap, text]
            gap, last_change = next_gap, change
        elif pieces:
            gap = " " if gap or next_gap else ""
    return "".join([*pieces, surface.gaps[-1]]) if pieces else None


def _change(token: Token, changes: Mapping[int, Set[Change]]) -> Change | None:
    """Return the combined change of the words of a surface token."""
    token_changes: set[Change] = set()
    for word in range(token.first, token.last + 1):
        token_changes |= changes.get(word, frozenset())
    if REMOVE in token_changes:
        return REMOVE
    if len(token_changes) > 1:
        raise ClashError(token, token_changes)
    return token_changes.pop() if token_changes else None


def _replacement(surface: Surface, token: Token, change: Change | None) -> str:
    match change:
        case None:
            return token.form
        case Remove():
            return ""
        case Replace(text=text):
            return text
        case ReplaceByTag(column=column):
            return " ".join(row[Field[column.upper()]] for row in surface.rows[token.first - 1 : token.last])
        case _:
            assert_never(change)
