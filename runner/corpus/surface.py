"""Align the words of a sentence with its text, and rewrite the text after changes to its words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias, assert_never

from fictdsl.schema import Field

_TEXT = re.compile(r"#[ \t]*text[ \t]*=")


@dataclass(frozen=True, slots=True)
class MultiwordToken:
    start: int
    end: int
    form: str
    misc: str


class Token(NamedTuple):
    form: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Surface:
    """The tokens of a sentence, the n + 1 exact texts before, between and after them, and the columns of each word."""

    tokens: tuple[Token, ...]
    gaps: tuple[str, ...]
    rows: tuple[Sequence[str], ...]


def read_surface(block: str, text: str) -> Surface:
    """Align a block of CoNLL-U with its text. If they do not agree, `SpaceAfter` determines the gaps."""
    tokens, rows, spaces = _read_tokens(block)
    gaps = gaps_of(text, [token.form for token in tokens])
    return Surface(tuple(tokens), gaps or ("", *spaces[:-1], ""), tuple(rows))


def _read_tokens(block: str) -> tuple[list[Token], list[Sequence[str]], list[str]]:
    tokens: list[Token] = []
    rows: list[Sequence[str]] = []
    spaces: list[str] = []
    for line in block.split("\n"):
        columns = line.removesuffix("\r").split("\t")
        if len(columns) != len(Field) or line.startswith("#") or "." in columns[Field.ID]:
            continue
        first, dash, last = columns[Field.ID].partition("-")
        if not dash:
            rows.append(columns)
        if dash or not tokens or int(first) > tokens[-1].last:
            tokens.append(Token(columns[Field.FORM], int(first), int(last or first)))
            misc = columns[Field.MISC]
            no_space_after = "SpaceAfter=No" in misc and "SpaceAfter=No" in misc.split("|")
            spaces.append("" if no_space_after else " ")
    return tokens, rows, spaces


def gaps_of(text: str, forms: Sequence[str]) -> tuple[str, ...] | None:
    """Return the white space around the tokens of a text, or None if the text is not these forms and white space."""
    gaps, offset = [], 0
    for form in forms:
        start = text.find(form, offset)
        gap = text[offset:start] if start != offset else ""
        if start < 0 or (gap and not gap.isspace()):
            return None
        gaps.append(gap)
        offset = start + len(form)
    last_gap = text[offset:]
    return None if last_gap and not last_gap.isspace() else (*gaps, last_gap)


def declared_text(comments: Sequence[str]) -> str | None:
    """Return the exact value of the first `# text = …` comment that has one, or None."""
    for comment in comments:
        if (match := _TEXT.match(comment)) and comment[match.end() :].strip():
            return comment[match.end() :].removeprefix(" ")
    return None


def exact_text(block: str) -> str:
    declared = declared_text([line.removesuffix("\r") for line in block.split("\n")])
    return rebuilt_text(block) if declared is None else declared


def rebuilt_text(block: str) -> str:
    """Return the text of the tokens: each form is followed by a space unless its MISC has `SpaceAfter=No`."""
    tokens, _, spaces = _read_tokens(block)
    return "".join(token.form + space for token, space in zip(tokens, spaces, strict=True)).removesuffix(" ")


Tag = Literal["upos", "xpos", "deprel"]


@dataclass(frozen=True, slots=True)
class Remove:
    """Removal of a word."""


@dataclass(frozen=True, slots=True)
class Replace:
    text: str


@dataclass(frozen=True, slots=True)
class ReplaceByTag:
    column: Tag


Change: TypeAlias = Remove | Replace | ReplaceByTag
REMOVE = Remove()


class ClashError(Exception):
    def __init__(self, token: Token, changes: Set[Change]) -> None:
        super().__init__(token.form)
        self.token = token
        self.changes = changes


def rewrite(surface: Surface, changes: Mapping[int, Set[Change]]) -> str | None:
    """Return the text after all changes, by ids of words, or None if no token remains.

    A change of a word of a multiword token applies to the whole token; removal overrides replacement. Adjacent tokens
    with the same replacement are replaced once. Two tokens that become adjacent are separated by a space if any gap
    between them was not empty. Raises ClashError if a token has two different replacements.
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
