"""A sentence of the store: its rows, multiword tokens and spacing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from runner.corpus.text.surface import MultiwordToken, Token, gaps_of

FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC = range(1, 10)
Row = list[str]  # the ten columns as in the file

_AFTER = ("SpaceAfter", "SpacesAfter")


@dataclass(frozen=True)
class StoredSentence:
    """The lines of a sentence of n words.

    `rows[i]` is word i; `rows[0]` is unused. `gaps[i]` is the white space between the words i and i + 1; `gaps[0]` and
    `gaps[n]` are the white space before and after the sentence. `end` is the line end without the line feed.
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
        """The dependents of each word in order; those of 0 are the roots."""
        dependents: list[list[int]] = [[] for _ in self.rows]
        for word, head in enumerate(self.heads):
            if word:
                dependents[head].append(word)
        return dependents

    def subtree(self, top: int) -> list[int]:
        """Return a word and all words below it, in no particular order."""
        words = [top]
        for word in words:
            words += self.dependents[word]
        return words

    @cached_property
    def enhanced(self) -> int:
        """The number of words with enhanced edges."""
        return sum(row[8] != "_" for row in self.rows[1:])

    @cached_property
    def token_miscs(self) -> dict[int, str]:
        """The MISC column of each surface token, by its last word."""
        inside = {word for token in self.tokens for word in range(token.start, token.end)}
        miscs = {word: row[9] for word, row in enumerate(self.rows) if word and word not in inside}
        return miscs | {token.end: token.misc for token in self.tokens}


def read_stored(block: str, text: str) -> StoredSentence:
    """Read a block of CoNLL-U whose exact text is `text`."""
    comments: list[str] = []
    rows: list[Row] = [[]]
    multiword: list[MultiwordToken] = []
    tokens: list[Token] = []
    empty_nodes = covered = 0
    end = "\r" if block.endswith("\r") else ""
    for line in block.split("\n"):
        if line.startswith("#"):
            comments.append(line.removesuffix("\r"))
            continue
        row = line.split("\t")
        number = row[0]
        if number.isdecimal():
            if end:
                row[9] = row[9].removesuffix("\r")
            rows.append(row)
            if len(rows) - 1 > covered:
                tokens.append(Token(row[1], len(rows) - 1, len(rows) - 1))
        elif "-" in number:
            first, _, last = number.partition("-")
            covered = int(last)
            multiword.append(MultiwordToken(int(first), covered, row[1], row[9].removesuffix("\r")))
            tokens.append(Token(row[1], int(first), covered))
        else:
            empty_nodes += bool(number)
    gaps = _word_gaps(gaps_of(text, tokens), tokens, rows, multiword)
    return StoredSentence(comments, rows, multiword, gaps, empty_nodes, end)


def _word_gaps(
    gaps: Sequence[str] | None, tokens: Sequence[Token], rows: Sequence[Row], multiword: Sequence[MultiwordToken]
) -> Sequence[str]:
    """Return the gaps around words, given the gaps around tokens. If these are None, `SpaceAfter` determines them.

    The words of a multiword token have no gap between them if their concatenation is its form, otherwise a space.
    """
    misc = {token.end: token.misc for token in multiword}
    if gaps is None:
        glued = ["SpaceAfter=No" in misc.get(token.last, rows[token.last][9]).split("|") for token in tokens[:-1]]
        gaps = ["", *("" if no_space else " " for no_space in glued), ""]
    if not multiword:
        return gaps
    word_gaps = [""] * len(rows)
    word_gaps[0] = gaps[0]
    for token, gap in zip(tokens, gaps[1:], strict=True):
        words = range(token.first, token.last + 1)
        inner = "" if "".join(rows[word][1] for word in words) == token.form else " "
        for word in words[:-1]:
            word_gaps[word] = inner
        word_gaps[token.last] = gap
    return word_gaps


def spacing(misc: str, keys: Sequence[str] = _AFTER) -> list[str]:
    """Return the entries of a MISC column about the space after a token, or those with other `keys`."""
    return [entry for entry in misc.split("|") if entry.partition("=")[0] in keys]
