"""Mark the words that differ between two versions of a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import TypeAlias

Piece: TypeAlias = tuple[str, bool]  # words, and whether they differ


def word_changes(before: str, after: str) -> Iterator[tuple[list[str], list[str], bool]]:
    """Align two versions of a sentence, and yield for each stretch the words of both and whether they differ."""
    old, new = before.split(" "), after.split(" ")
    for tag, old_start, old_end, new_start, new_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        yield old[old_start:old_end], new[new_start:new_end], tag != "equal"


def marked_pieces(before: str, after: str) -> tuple[list[Piece], list[Piece]]:
    """Return the non-empty stretches of each version, and whether each of them differs."""
    stretches = list(word_changes(before, after))
    old = [(" ".join(words), differs) for words, _, differs in stretches if words]
    new = [(" ".join(words), differs) for _, words, differs in stretches if words]
    return old, new
