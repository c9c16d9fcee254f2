"""Texts of a treebank after words are removed or masked, derived character by character from CoNLL-U.

This is an independent check of `runner.corpus.surface`: it knows neither gaps nor runs, only the characters of
`# text` and which of them belong to a removed or masked token.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

REMOVED, MASKED = "\x00", "\x01"


@dataclass(frozen=True)
class Tree:
    """A sentence: its text, its surface tokens (form, first and last word) and the ten columns of each word."""

    text: str
    tokens: tuple[tuple[str, int, int], ...]
    words: tuple[tuple[str, ...], ...]

    def subtree(self, top: int) -> set[int]:
        """Return a word and all words that it dominates."""
        below = {top}
        while more := {n for n, word in enumerate(self.words, 1) if int(word[6]) in below} - below:
            below |= more
        return below

    def column(self, number: int) -> list[str]:
        """Return one column of all words."""
        return [word[number] for word in self.words]


def trees(path: Path) -> Iterator[Tree]:
    """Yield the sentences of a file, which all have a `# text`."""
    for block in path.read_text("utf-8").strip("\n").split("\n\n"):
        lines = block.split("\n")
        text = next(line.removeprefix("# text = ") for line in lines if line.startswith("# text = "))
        rows = [tuple(line.split("\t")) for line in lines if not line.startswith("#")]
        words = tuple(row for row in rows if row[0].isdigit())
        ranges = [(row[1], *(int(end) for end in row[0].split("-"))) for row in rows if "-" in row[0]]
        inside = {word for _, first, last in ranges for word in range(first, last + 1)}
        alone = [(row[1], int(row[0]), int(row[0])) for row in words if int(row[0]) not in inside]
        yield Tree(text, tuple(sorted([*ranges, *alone], key=lambda token: token[1])), words)


def marked(tree: Tree, removed: Collection[int] = (), masked: Collection[int] = ()) -> str:
    """Return the text with a mark for every character of a token with a removed or, else, a masked word."""
    text, end = "", 0
    for form, first, last in tree.tokens:
        start = tree.text.index(form, end)
        assert not tree.text[end:start].strip(), f"{form!r} is not the next token of {tree.text!r}"
        words = set(range(first, last + 1))
        mark = REMOVED if words & set(removed) else MASKED if words & set(masked) else None
        text += tree.text[end:start] + (form if mark is None else mark * len(form))
        end = start + len(form)
    return text + tree.text[end:]


def without(text: str) -> str:
    """Return the text without characters marked as removed.

    White space around and between them becomes one space, if there is any and text remains on both sides.
    """

    def gap(match: re.Match[str]) -> str:
        at_an_end = match.start() == 0 or match.end() == len(text)
        return " " if re.search(r"\s", match[0]) and not at_an_end else ""

    return re.sub(rf"\s*{REMOVED}[\s{REMOVED}]*", gap, text)


def masked(text: str, mask: str) -> str:
    """Return the text with `mask` for every run of characters marked as masked, including white space within it."""
    return re.sub(rf"{MASKED}([\s{MASKED}]*{MASKED})?", lambda _: mask, text)


def tagged(tree: Tree, words: Collection[int], column: int) -> str:
    """Return the text with the tags of its words for every token that has a word in `words`."""
    text, end = "", 0
    for form, first, last in tree.tokens:
        start = tree.text.index(form, end)
        taken = set(range(first, last + 1)) & set(words)
        put = " ".join(tree.words[word - 1][column] for word in range(first, last + 1)) if taken else form
        text += tree.text[end:start] + put
        end = start + len(form)
    return text + tree.text[end:]


def is_subsequence(part: str, whole: str) -> bool:
    """Return whether the characters of `part` occur in `whole` in this order."""
    rest = iter(whole)
    return all(char in rest for char in part)
