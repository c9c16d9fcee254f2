"""Mark the words that differ between two versions of a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import TypeAlias

Piece: TypeAlias = tuple[str, bool]  # words, and whether they differ


def word_changes(before: str, after: str) -> Iterator[tuple[list[str], list[str], bool]]:
    """Yield the words of both versions in stretches that are equal or differ; words are separated by spaces."""
    old, new = before.split(" "), after.split(" ")
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        yield old[a:b], new[c:d], kind != "equal"


def marked_pieces(before: str, after: str) -> tuple[list[Piece], list[Piece]]:
    """Return the stretches of each version, with whether they differ, without empty ones."""
    stretches = list(word_changes(before, after))
    old = [(" ".join(words), changed) for words, _, changed in stretches if words]
    new = [(" ".join(words), changed) for _, words, changed in stretches if words]
    return old, new
