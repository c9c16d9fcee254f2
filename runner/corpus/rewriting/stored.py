"""Read the rows, the multiword tokens and the spacing of a sentence in a store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from runner.corpus.text.surface import MultiwordToken, gaps_of

FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC = range(1, 10)
Row = list[str]  # the ten columns as in the file

_SPACE_AFTER_KEYS = ("SpaceAfter", "SpacesAfter")


@dataclass(frozen=True)
class StoredSentence:
    """The lines of a sentence of n words.

    `header` has the lines of comments. `rows[i]` is word i, and `rows[0]` is unused. `tokens` has its multiword tokens,
    and `token_rows` the rows of these, by their first word. `gaps[i]` is the white space between the words i and i + 1.
    `gaps[0]` and `gaps[n]` are the white space before and after the sentence. `end` is the line end without the line
    feed.
    """

    header: str
    rows: Sequence[Row]
    tokens: Sequence[MultiwordToken]
    token_rows: Mapping[int, Row]
    gaps: Sequence[str]
    empty_nodes: int
    end: str
    _subtrees: dict[int, frozenset[int]] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def size(self) -> int:
        """The number of words."""
        return len(self.rows) - 1

    @property
    def comments(self) -> list[str]:
        """The comments without their line ends."""
        return [line.removesuffix("\r") for line in self.header.split("\n")[:-1]]

    @cached_property
    def heads(self) -> list[int]:
        """The head of each word, 0 for the root and for the unused word 0."""
        return [0, *[int(row[HEAD]) if row[HEAD] != "_" else 0 for row in self.rows[1:]]]

    @cached_property
    def dependents(self) -> list[list[int]]:
        """The dependents of each word in order. The dependents of 0 are the roots."""
        dependents: list[list[int]] = [[] for _ in self.rows]
        for word, head in enumerate(self.heads):
            if word:
                dependents[head].append(word)
        return dependents

    def subtree(self, top: int) -> frozenset[int]:
        """Return a word and all words below it."""
        if top not in self._subtrees:
            words, dependents = [top], self.dependents
            for word in words:
                words += dependents[word]
            self._subtrees[top] = frozenset(words)
        return self._subtrees[top]

    @cached_property
    def enhanced(self) -> int:
        """The number of words with enhanced edges."""
        return self.size - [row[DEPS] for row in self.rows[1:]].count("_")

    @cached_property
    def token_miscs(self) -> dict[int, str]:
        """The MISC column of each surface token, by its last word."""
        return _token_values(self.rows, MISC, self.tokens)


def read_stored(block: str, text: str) -> StoredSentence:
    """Read a block of CoNLL-U whose exact text is `text`."""
    if block.endswith("\r"):
        return replace(read_stored(block.replace("\r\n", "\n").removesuffix("\r"), text), end="\r")
    header = block[: _header_length(block)]
    rows: list[Row] = [[], *[line.split("\t") for line in block[len(header) :].split("\n")]]
    multiword: list[MultiwordToken] = []
    token_rows: dict[int, Row] = {}
    empty_nodes = 0
    if rows[-1][0] != str(len(rows) - 1):  # not all lines are words
        multiword_rows = [row for row in rows[1:] if "-" in row[0]]
        multiword = [_multiword(row) for row in multiword_rows]
        token_rows = {token.start: row for token, row in zip(multiword, multiword_rows, strict=True)}
        empty_nodes = sum("." in row[0] for row in rows[1:])
        rows = [[], *(row for row in rows[1:] if row[0].isdecimal())]
    gaps = _word_gaps(text, rows, multiword)
    return StoredSentence(header, rows, multiword, token_rows, gaps, empty_nodes, "")


def _header_length(block: str) -> int:
    """Return the length of the comments of a block, which are its first lines."""
    last_comment = block.rfind("\n#") + 1
    return block.index("\n", last_comment) + 1 if block.startswith("#") else 0


def _multiword(row: Row) -> MultiwordToken:
    first, _, last = row[0].partition("-")
    return MultiwordToken(int(first), int(last), row[FORM], row[MISC].removesuffix("\r"))


def _word_gaps(text: str, rows: Sequence[Row], multiword: Sequence[MultiwordToken]) -> Sequence[str]:
    """Return the gaps around words from the text, or from `SpaceAfter` if the text does not match the tokens.

    The gap between two words of a multiword token is empty if the concatenation of its words is its form, else a space.
    """
    if not multiword:
        word_rows = rows[1:]
        return gaps_of(text, [row[FORM] for row in word_rows]) or _declared_gaps([row[MISC] for row in word_rows])
    forms = _token_values(rows, FORM, multiword)
    gaps = gaps_of(text, list(forms.values())) or _declared_gaps([*_token_values(rows, MISC, multiword).values()])
    word_gaps = [""] * len(rows)
    for last_word, gap in zip((0, *forms), gaps, strict=True):
        word_gaps[last_word] = gap
    for token in multiword:
        words = range(token.start, token.end + 1)
        if "".join([rows[word][FORM] for word in words]) != token.form:
            word_gaps[token.start : token.end] = [" "] * (token.end - token.start)
    return word_gaps


def _token_values(rows: Sequence[Row], column: int, multiword: Sequence[MultiwordToken]) -> dict[int, str]:
    """Return the FORM or the MISC of each surface token in order, by its last word."""
    values = {word: row[column] for word, row in enumerate(rows) if word}
    for token in multiword:
        values[token.end] = token.form if column == FORM else token.misc
        for word in range(token.start, token.end):
            del values[word]
    return values


def _declared_gaps(miscs: Sequence[str]) -> list[str]:
    """Return the gaps around tokens with these MISC columns, by `SpaceAfter`."""
    return ["", *("" if "SpaceAfter=No" in misc.split("|") else " " for misc in miscs[:-1]), ""]


def spacing(misc: str, keys: Sequence[str] = _SPACE_AFTER_KEYS) -> list[str]:
    """Return the entries of a MISC column about the space after a token, or those with other `keys`."""
    return [entry for entry in misc.split("|") if entry.partition("=")[0] in keys]
