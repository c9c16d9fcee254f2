"""A stored sentence, and its state while the actions of rewrites change it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

from fictdsl.semantics import operations as op
from runner.corpus.surface import MultiwordToken, gaps_of

FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC = range(1, 10)
Row = list[str]  # the ten columns as in the file

SPACE_AFTER_KEYS = ("SpaceAfter", "SpacesAfter")


@dataclass(frozen=True)
class StoredSentence:
    """The lines of a sentence of n words, which have the numbers 1 to n."""

    header: str
    rows: Sequence[Row]  # by word; the first is unused
    tokens: Sequence[MultiwordToken]
    token_rows: Mapping[int, Row]  # of multiword tokens, by their first word
    gaps: Sequence[str]  # the white space after each word; the first is before the sentence
    empty_nodes: int
    end: str  # the line end without the line feed
    _subtrees: dict[int, frozenset[int]] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def size(self) -> int:
        return len(self.rows) - 1

    @property
    def comments(self) -> list[str]:
        return [line.removesuffix("\r") for line in self.header.split("\n")[:-1]]

    @cached_property
    def heads(self) -> list[int]:
        return [0, *[int(row[HEAD]) if row[HEAD] != "_" else 0 for row in self.rows[1:]]]

    @cached_property
    def dependents(self) -> list[list[int]]:
        dependents: list[list[int]] = [[] for _ in self.rows]
        for word, head in enumerate(self.heads):
            if word:
                dependents[head].append(word)
        return dependents

    def subtree(self, top: int) -> frozenset[int]:
        if top not in self._subtrees:
            words, dependents = [top], self.dependents
            for word in words:
                words += dependents[word]
            self._subtrees[top] = frozenset(words)
        return self._subtrees[top]

    @cached_property
    def enhanced(self) -> int:
        return self.size - [row[DEPS] for row in self.rows[1:]].count("_")

    @cached_property
    def token_miscs(self) -> dict[int, str]:
        return _token_values(self.rows, MISC, self.tokens)


def read_stored(block: str, text: str) -> StoredSentence:
    if block.endswith("\r"):
        return replace(read_stored(block.replace("\r\n", "\n").removesuffix("\r"), text), end="\r")
    last_comment = block.rfind("\n#") + 1
    header = block[: block.index("\n", last_comment) + 1] if block.startswith("#") else ""
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


def _multiword(row: Row) -> MultiwordToken:
    first, _, last = row[0].partition("-")
    return MultiwordToken(int(first), int(last), row[FORM], row[MISC].removesuffix("\r"))


def _word_gaps(text: str, rows: Sequence[Row], multiword: Sequence[MultiwordToken]) -> Sequence[str]:
    """Return `gaps`. Words of a multiword token have spaces between them unless they make up its form."""
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
    values = {word: row[column] for word, row in enumerate(rows) if word}
    for token in multiword:
        values[token.end] = token.form if column == FORM else token.misc
        for word in range(token.start, token.end):
            del values[word]
    return values


def _declared_gaps(miscs: Sequence[str]) -> list[str]:
    return ["", *("" if "SpaceAfter=No" in misc.split("|") else " " for misc in miscs[:-1]), ""]


def spacing(misc: str, keys: Sequence[str] = SPACE_AFTER_KEYS) -> list[str]:
    """Return the entries of a MISC column about the space after a token, or those with other `keys`."""
    return [entry for entry in misc.split("|") if entry.partition("=")[0] in keys]


_COLUMNS = {"form": 1, "lemma": 2, "upos": 3, "xpos": 4, "deprel": 7}


class InvalidMatchError(Exception):
    """The actions of a match cannot be applied to a sentence."""


class EditedTree:
    """The state of a sentence. Words 1 to n are the words in the store. Inserted words have the numbers after n."""

    def __init__(self, stored: StoredSentence) -> None:
        self.stored = stored
        self.order = list(range(1, stored.size + 1))
        self.deleted: set[int] = set()
        self.dropped = False  # whether `delete sentence` was applied
        self.inserted: dict[int, int] = {}  # the head of each inserted word
        self.labelled: set[int] = set()  # words whose relation an action has set
        self.unknown_lemmas = 0  # number of forms that could not be inflected
        self._rows: dict[int, Row] = {}  # the columns of changed and inserted words

    def copy(self) -> EditedTree:
        copied = EditedTree.__new__(EditedTree)
        copied.stored, copied.dropped, copied.unknown_lemmas = self.stored, self.dropped, self.unknown_lemmas
        copied.order, copied.deleted, copied.labelled = list(self.order), set(self.deleted), set(self.labelled)
        copied.inserted = dict(self.inserted)
        copied._rows = {word: list(row) for word, row in self._rows.items()}
        return copied

    def row(self, word: int) -> Row:
        row = self._rows.get(word)
        return self.stored.rows[word] if row is None else row

    def form(self, word: int) -> str:
        return self.row(word)[FORM]

    def forms(self, replaced_forms: Mapping[int, str]) -> list[str]:
        rows = self.stored.rows
        forms_by_word = {word: row[FORM] for word, row in self._rows.items()}
        forms_by_word |= replaced_forms
        return [forms_by_word[word] if word in forms_by_word else rows[word][FORM] for word in self.order]

    def is_punct(self, word: int) -> bool:
        return self.row(word)[UPOS] == "PUNCT"

    def set_field(self, word: int, field: op.Field, value: str | None) -> None:
        """Set a field of a word, or remove it if `value` is None. A form cannot be removed."""
        row = self._rows.setdefault(word, list(self.row(word)))
        if field.column == "feature":
            row[FEATS] = _with_entry(row[FEATS], field.key or "", value, sort=True)
        elif field.column == "misc":
            row[MISC] = _with_entry(row[MISC], field.key or "", value and value.replace("|", "\\p"), sort=False)
        elif value or field.column != "form":
            row[_COLUMNS[field.column]] = value or "_"
        if field.column == "deprel":
            self.labelled.add(word)

    def value(self, word: int, field: op.Field) -> str | None:
        """Return the current value of a field, or None if it is absent. For MISC, return the first value."""
        row = self.row(word)
        if field.column in ("feature", "misc"):
            entries = (entry.partition("=") for entry in row[FEATS if field.column == "feature" else MISC].split("|"))
            return next((value.strip() for key, _, value in entries if key.strip() == field.key), None)
        value = row[_COLUMNS[field.column]]
        is_absent = value == "_" and field.column != "form" and not (field.column == "lemma" and row[FORM] == "_")
        return None if is_absent else value

    def add(self, row: Row, head: int) -> int:
        """Add an inserted word and return its number. The caller inserts it into `order`."""
        word = self.stored.size + len(self.inserted) + 1
        self._rows[word], self.inserted[word] = row, head
        return word

    @property
    def changed_words(self) -> list[int]:
        rows = self.stored.rows
        return [word for word, row in self._rows.items() if word not in self.inserted and row != rows[word]]

    @property
    def changed(self) -> bool:
        return self.dropped or self.order != list(range(1, self.stored.size + 1)) or bool(self.changed_words)

    def moved_words(self) -> set[int]:
        """Return the stored words outside a longest increasing subsequence of the order, found in O(n log n)."""
        last_words: list[int] = []  # the smallest last word of an increasing subsequence of each length
        predecessors: dict[int, int | None] = {}
        for word in self.order:
            if word not in self.inserted:
                length = bisect_left(last_words, word)
                predecessors[word] = last_words[length - 1] if length else None
                last_words[length : length + 1] = [word]
        moved = set(predecessors)
        unmoved = last_words[-1] if last_words else None
        while unmoved is not None:
            moved.remove(unmoved)
            unmoved = predecessors[unmoved]
        return moved

    def new_neighbours(self) -> list[int]:
        """Return the indices in `order` of the words that are followed by a different word than in the store."""
        size = self.stored.size
        neighbours = enumerate(pairwise(self.order))
        return [index for index, (word, next_word) in neighbours if next_word != word + 1 or word >= size]

    def words(self, target: op.Words, match: Sequence[int]) -> list[int]:
        """Return the words of a target that are not deleted, in their current order, or raise InvalidMatchError."""
        if target.kind == "sentence":
            words = list(self.order)
        else:
            target_words = self._target_words(target, match)
            words = [word for word in self.order if word in target_words]
        if not words:
            raise InvalidMatchError
        return words

    def _target_words(self, target: op.Words, match: Sequence[int]) -> Container[int]:
        ids = [match[node] for node in target.nodes]
        if target.kind == "span":
            return range(min(ids), max(ids) + 1)
        if target.kind == "node":
            return ids
        subtree = self.stored.subtree(ids[0])
        if not self.inserted:
            return subtree
        return subtree | {word for word, head in self.inserted.items() if head in subtree}

    def heads(self) -> dict[int, int]:
        """Return the head of every word that is not deleted.

        The head of a word whose head is deleted is its nearest ancestor that is not. Of several words without a head,
        the first one that is not PUNCT, or else the first one, becomes the root and the head of the others.
        """
        heads = {word: self._head(word) for word in self.order}
        if not self.deleted:
            return heads
        for word in self.order:
            while heads[word] in self.deleted:
                heads[word] = self.stored.heads[heads[word]]
        roots = sorted(word for word, head in heads.items() if head == 0)
        if len(roots) > 1:
            root = next((word for word in roots if not self.is_punct(word)), roots[0])
            heads |= {word: root for word in roots if word != root}
        return heads

    def check(self) -> None:
        """Raise InvalidMatchError if no word is left, or if the head of an inserted word is deleted.

        Raise it also if an action has set the relation `root` for another word than the root, or another one for the
        root.
        """
        if self.dropped:
            return
        inserted = self.inserted.items()
        lacks_head = any(head in self.deleted for word, head in inserted if word not in self.deleted)
        if not self.order or lacks_head or (self.labelled and self._mislabels_root()):
            raise InvalidMatchError

    def _mislabels_root(self) -> bool:
        heads = self.heads() if self.deleted else {word: self._head(word) for word in self.labelled}
        labelled = self.labelled & heads.keys()
        return any((heads[word] == 0) != (self.row(word)[DEPREL] == "root") for word in labelled)

    def _head(self, word: int) -> int:
        return self.inserted[word] if word in self.inserted else self.stored.heads[word]


def _with_entry(column: str, key: str, value: str | None, *, sort: bool) -> str:
    """Set or remove a key in FEATS or MISC. A new entry is the last, or at its place in the order if `sort`."""
    entries = [] if column == "_" else column.split("|")
    old_indices = [index for index, entry in enumerate(entries) if entry.partition("=")[0] == key]
    position = old_indices[0] if old_indices else len(entries)
    entries = [entry for index, entry in enumerate(entries) if index not in old_indices]
    if value is not None:
        entries.insert(position, f"{key}={value}")
        if sort and not old_indices:
            entries.sort(key=lambda entry: entry.partition("=")[0].lower())
    return "|".join(entries) or "_"
