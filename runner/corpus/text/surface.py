"""The words of a sentence and the text they stand for: multiword tokens, SpaceAfter, `# text`, either to the other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_TEXT = re.compile(r"#[ \t]*text[ \t]*=")


@dataclass(frozen=True, slots=True)
class Range:
    """A multiword token: its words are `start` to `end`, both included; form and MISC as written."""

    start: int
    end: int
    form: str
    misc: str


@dataclass(frozen=True, slots=True)
class Token:
    """A surface token: a multiword token with its words `first` to `last`, or a word by itself."""

    form: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Surface:
    """A sentence of n surface tokens as it is spelt.

    `gaps` are the n + 1 stretches before, between and after the tokens, mostly a space or nothing, to the byte; `rows`
    the columns of each word, as written.
    """

    tokens: tuple[Token, ...]
    gaps: tuple[str, ...]
    rows: tuple[Sequence[str], ...]


def spelt(block: str, text: str) -> Surface:
    """How one sentence of CoNLL-U is spelt in its text; where the text has other tokens, as the tokens spell it."""
    tokens: list[Token] = []
    rows: list[Sequence[str]] = []
    joined: list[bool] = []
    for line in block.split("\n"):
        columns = line.removesuffix("\r").split("\t")
        if len(columns) != 10 or line.startswith("#") or "." in columns[0]:
            continue
        first, dash, last = columns[0].partition("-")
        if not dash:
            rows.append(columns)
        if dash or not tokens or int(first) > tokens[-1].last:
            tokens.append(Token(columns[1], int(first), int(last or first)))
            joined.append(_joined(columns[9]))
    gaps = _gaps(text, tokens) or ("", *("" if tight else " " for tight in joined[:-1]), "")
    return Surface(tuple(tokens), gaps, tuple(rows))


def _gaps(text: str, tokens: Sequence[Token]) -> tuple[str, ...] | None:
    """The white space around the tokens of a text, or None if they are not what it consists of."""
    gaps, place = [], 0
    for token in tokens:
        start = text.find(token.form, place)
        if start < 0 or not _blank(text[place:start]):
            return None
        gaps.append(text[place:start])
        place = start + len(token.form)
    return (*gaps, text[place:]) if _blank(text[place:]) else None


def _blank(text: str) -> bool:
    return not text or text.isspace()


def declared_text(comments: Sequence[str]) -> str | None:
    """The value of the first `# text = …` comment, to the byte, or None."""
    for comment in comments:
        if found := _TEXT.match(comment):
            return comment[found.end() :].removeprefix(" ")
    return None


def rebuild(forms: Sequence[str], miscs: Sequence[str], ranges: Sequence[Range]) -> str:
    """The text that the tokens spell: forms, one space between them unless MISC says `SpaceAfter=No`."""
    if not ranges:
        parts = [form if _joined(misc) else form + " " for form, misc in zip(forms, miscs, strict=True)]
        return "".join(parts).removesuffix(" ")
    parts, word, starts = [], 1, {token.start: token for token in ranges}
    while word <= len(forms):
        if token := starts.get(word):
            form, misc, word = token.form, token.misc, token.end + 1
        else:
            form, misc, word = forms[word - 1], miscs[word - 1], word + 1
        parts.append(form if _joined(misc) else form + " ")
    return "".join(parts).removesuffix(" ")


def _joined(misc: str) -> bool:
    return "SpaceAfter=No" in misc and "SpaceAfter=No" in misc.split("|")
