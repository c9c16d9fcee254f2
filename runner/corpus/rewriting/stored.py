"""Read the rows, the multiword tokens and the spacing of a sentence in a store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile
from operator import attrgetter

from runner.corpus.text.surface import MultiwordToken, gaps_of

FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC = range(1, 10)
Row = list[str]  # the ten columns as in the file

_SPACE_AFTER_KEYS = ("SpaceAfter", "SpacesAfter")


@dataclass(frozen=True)
class StoredSentence:
    """The lines of a sentence of n words.

    `rows[i]` is word i, and `rows[0]` is unused. `gaps[i]` is the white space between the words i and i + 1. `gaps[0]`
    and `gaps[n]` are the white space before and after the sentence. `end` is the line end without the line feed.
    """

    comments: Sequence[str]
    rows: Sequence[Row]
    tokens: Sequence[MultiwordToken]
    gaps: Sequence[str]
    empty_nodes: int
    end: str

    @cached_property
    def size(self) -> int:
        """The number of words."""
        return len(self.rows) - 1

    @cached_property
    def heads(self) -> list[int]:
        """The head of each word, 0 for the root and for the unused word 0."""
        return [0, *(int(row[6]) if row[6] != "_" else 0 for row in self.rows[1:])]

    @cached_property
    def dependents(self) -> list[list[int]]:
        """The dependents of each word in order. The dependents of 0 are the roots."""
        dependents: list[list[int]] = [[] for _ in self.rows]
        for word, head in enumerate(self.heads):
            if word:
                dependents[head].append(word)
        return dependents

    def subtree(self, top: int) -> list[int]:
        """Return a word and all words below it, in no particular order."""
        words, dependents = [top], self.dependents
        for word in words:
            words += dependents[word]
        return words

    @cached_property
    def enhanced(self) -> int:
        """The number of words with enhanced edges."""
        return sum(row[8] != "_" for row in self.rows[1:])

    @cached_property
    def token_miscs(self) -> dict[int, str]:
        """The MISC column of each surface token, by its last word."""
        non_final = {word for token in self.tokens for word in range(token.start, token.end)}
        miscs = {word: row[9] for word, row in enumerate(self.rows) if word and word not in non_final}
        return miscs | {token.end: token.misc for token in self.tokens}


def read_stored(block: str, text: str) -> StoredSentence:
    """Read a block of CoNLL-U whose exact text is `text`."""
    if block.endswith("\r"):
        return replace(read_stored(block.replace("\r\n", "\n").removesuffix("\r"), text), end="\r")
    lines = block.split("\n")
    comments = [line.removesuffix("\r") for line in takewhile(lambda line: line.startswith("#"), lines)]
    rows: list[Row] = [[], *[line.split("\t") for line in lines[len(comments) :]]]
    multiword: list[MultiwordToken] = []
    empty_nodes = 0
    if rows[-1][0] != str(len(rows) - 1):  # not all lines are words
        multiword = [_multiword(row) for row in rows[1:] if "-" in row[0]]
        empty_nodes = sum("." in row[0] for row in rows[1:])
        rows = [[], *(row for row in rows[1:] if row[0].isdecimal())]
    return StoredSentence(comments, rows, multiword, _word_gaps(text, rows, multiword), empty_nodes, "")


def _multiword(row: Row) -> MultiwordToken:
    first, _, last = row[0].partition("-")
    return MultiwordToken(int(first), int(last), row[1], row[9].removesuffix("\r"))


def _word_gaps(text: str, rows: Sequence[Row], multiword: Sequence[MultiwordToken]) -> Sequence[str]:
    """Return the gaps around words from the text, or from `SpaceAfter` if the text has other tokens.

    The gap between two words of a multiword token is empty if the concatenation of its words is its form, else a space.
    """
    if not multiword:
        return gaps_of(text, [row[1] for row in rows[1:]]) or _declared_gaps([row[9] for row in rows[1:]])
    tokens = _surface(rows, multiword)
    gaps = gaps_of(text, [token.form for token in tokens]) or _declared_gaps([token.misc for token in tokens])
    word_gaps = [""] * len(rows)
    word_gaps[0] = gaps[0]
    for token, gap in zip(tokens, gaps[1:], strict=True):
        words = range(token.start, token.end + 1)
        inner = "" if "".join(rows[word][1] for word in words) == token.form else " "
        for word in words[:-1]:
            word_gaps[word] = inner
        word_gaps[token.end] = gap
    return word_gaps


def _surface(rows: Sequence[Row], multiword: Sequence[MultiwordToken]) -> list[MultiwordToken]:
    """Return the surface tokens: the multiword tokens, and every other word as a token."""
    token_words = {word for token in multiword for word in range(token.start, token.end + 1)}
    words = (
        MultiwordToken(word, word, row[1], row[9]) for word, row in enumerate(rows) if word and word not in token_words
    )
    return sorted([*multiword, *words], key=attrgetter("start"))


def _declared_gaps(miscs: Sequence[str]) -> list[str]:
    """Return the gaps around tokens with these MISC columns, by `SpaceAfter`."""
    return ["", *("" if "SpaceAfter=No" in misc.split("|") else " " for misc in miscs[:-1]), ""]


def spacing(misc: str, keys: Sequence[str] = _SPACE_AFTER_KEYS) -> list[str]:
    """Return the entries of a MISC column about the space after a token, or those with other `keys`."""
    return [entry for entry in misc.split("|") if entry.partition("=")[0] in keys]
