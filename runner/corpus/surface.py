"""The words of a sentence back into the text they stand for: multiword tokens, SpaceAfter, `# text`."""

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
