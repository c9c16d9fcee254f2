"""The attributes of words and sentences, the fields of CoNLL-U, the tables and columns of stores, and their layout.

All code that reads or writes a store takes the columns from here: import, export, layers, indexes, the planner, DuckDB
and Spark. After a change to `TABLES` or `COPIES`, increase `VERSION`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum, IntEnum
from typing import Literal, Protocol, TypeAlias


class Kind(Enum):
    """The type of an attribute's values, which determines the tests that it supports."""

    STRING = "a string"
    LABEL = "a relation label"  # `=` includes subtypes, `==` does not
    FEATURE = "a feature"  # the value may be a comma-separated list
    STRING_OR_NUMBER = "a string that may be a number"  # values that are numbers are also stored as numbers
    NUMBER = "a number"
    PHRASE = "a phrase"
    FLAG = "true or false"


@dataclass(frozen=True, slots=True)
class AttributeEntry:
    """An attribute with a fixed name; with a dot, a number computed from another attribute of the word.

    `noun` is its name in descriptions of filters. `column` is its column in the table `tokens` or `sentences`, or None.
    A `required` attribute is never absent. The description of a negated test mentions that an `often_absent` attribute
    may be absent. The others describe a number: what it counts, the least value that a filter can meet (None: there is
    none), and the SQL, valid in DuckDB and Spark, that computes it from the column of the attribute before the dot.
    """

    kind: Kind
    noun: str
    column: str | None = None
    required: bool = False
    often_absent: bool = False
    unit: str | None = None
    least: int | None = None
    sql: str | None = None

    @property
    def measured_noun(self) -> str:
        """Return the noun with the unit: `length in characters`. Some nouns contain it: `number of dependents`."""
        return self.noun if self.unit is None or self.unit in self.noun else f"{self.noun} in {self.unit}s"


WORD: dict[str, AttributeEntry] = {
    "form": AttributeEntry(Kind.STRING, "form", "form", required=True),
    "lemma": AttributeEntry(Kind.STRING, "lemma", "lemma", often_absent=True),
    "upos": AttributeEntry(Kind.STRING, "part of speech", "upos"),
    "xpos": AttributeEntry(Kind.STRING, "XPOS tag", "xpos", often_absent=True),
    "deprel": AttributeEntry(Kind.LABEL, "relation label", "deprel"),
    "id": AttributeEntry(Kind.NUMBER, "position", "id", required=True, least=1),
    "form.length": AttributeEntry(
        Kind.NUMBER, "length", "form_len", required=True, unit="character", least=1, sql="LENGTH({0})"
    ),
    "lemma.length": AttributeEntry(Kind.NUMBER, "length", "lemma_len", unit="character", least=1, sql="LENGTH({0})"),
    "misc": AttributeEntry(Kind.STRING_OR_NUMBER, "MISC entry", often_absent=True),
    "token": AttributeEntry(Kind.STRING, "multiword token", often_absent=True),
    "feats": AttributeEntry(Kind.STRING, "FEATS value", often_absent=True),
    "phrase": AttributeEntry(Kind.PHRASE, "phrase"),
}
SENTENCE: dict[str, AttributeEntry] = {
    "text": AttributeEntry(Kind.STRING, "text", "text"),
    "length": AttributeEntry(Kind.NUMBER, "length", "length", required=True, unit="word", least=1),
    "sent_id": AttributeEntry(Kind.STRING, "sent_id", "sent_id", often_absent=True),
    "doc": AttributeEntry(Kind.STRING, "document", "doc", often_absent=True),
    "meta": AttributeEntry(Kind.STRING_OR_NUMBER, "comment", often_absent=True),
    "projective": AttributeEntry(Kind.FLAG, "projectivity", required=True),
}
ALL = {**WORD, **SENTENCE}
KEYED = ("misc", "meta")  # require a key; any key is valid
LOWERABLE = ("form", "lemma", "phrase")
# The keys of sentences -> columns of `sentences`, from the most general. Filters do not test `source`.
SENTENCE_STRINGS = {"source": "source"} | {
    name: entry.column for name, entry in reversed(SENTENCE.items()) if entry.kind is Kind.STRING and name != "text"
}
SENTENCE_NUMBERS = {name: entry.column for name, entry in SENTENCE.items() if entry.kind is Kind.NUMBER}
SENTENCE_KEYS = {**SENTENCE_STRINGS, **SENTENCE_NUMBERS}
WORD_NUMBERS = {name: entry.column for name, entry in WORD.items() if entry.kind is Kind.NUMBER}
# The columns of `tokens` that views compute -> the column that each is computed from, and the SQL.
COMPUTED_NUMBERS = {
    entry.column: (name.partition(".")[0], entry.sql)
    for name, entry in WORD.items()
    if entry.column is not None and entry.sql is not None
}


def numbers_of(name: str) -> dict[str, AttributeEntry]:
    """Return the numbers computed from an attribute by their keys: `length` for `form`."""
    prefix = f"{name}."
    return {full.removeprefix(prefix): entry for full, entry in WORD.items() if full.startswith(prefix)}


VERSION = 4

ColumnType: TypeAlias = Literal["string", "int32", "int64", "float64"]  # as pyarrow names them
Neighbour: TypeAlias = Literal["h", "hh", "n", "n2", "n3"]  # the head, the head's head, the next three words


class Field(IntEnum):
    """The ten fields of a line of CoNLL-U, by position."""

    ID = 0
    FORM = 1
    LEMMA = 2
    UPOS = 3
    XPOS = 4
    FEATS = 5
    HEAD = 6
    DEPREL = 7
    DEPS = 8
    MISC = 9


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    A string column of `tokens` holds a `field`, in lower case if `lowered`. `_` is stored as NULL, unless `underscore`
    is set. The numeric columns of `tokens` are ids, HEAD, and values computed from the tree. The values of a `counted`
    column are counted at import; `store.json` lists the most frequent values of a `listed` column. Stores without text
    lack `text` columns. Few queries read a `cold` column, which is compressed more.
    """

    name: str
    type: ColumnType = "string"
    field: Field | None = None
    required: bool = False  # never NULL
    underscore: bool = False
    lowered: bool = False
    text: bool = False
    counted: bool = False
    listed: bool = False
    cold: bool = False


_SID = Column("sid", "int64", required=True)
_ID = Column("id", "int32", required=True)

TABLES: Mapping[str, tuple[Column, ...]] = {
    "tokens": (
        _SID,
        _ID,
        Column("n", "int32", required=True, cold=True),  # number of words of the sentence
        Column("form", field=Field.FORM, required=True, underscore=True, text=True, cold=True),
        Column("lemma", field=Field.LEMMA, underscore=True, cold=True),
        Column("upos", field=Field.UPOS, counted=True, listed=True),
        Column("xpos", field=Field.XPOS, counted=True, cold=True),
        Column("deprel", field=Field.DEPREL, counted=True, listed=True),
        Column("head", "int32", required=True),
        Column("form_l", field=Field.FORM, required=True, underscore=True, lowered=True, text=True, counted=True),
        Column("lemma_l", field=Field.LEMMA, underscore=True, lowered=True, counted=True),
        Column("pre", "int32", required=True),  # position in preorder; `last` is the last position in the subtree
        Column("last", "int32", required=True),
        Column("depth", "int32", required=True, cold=True),  # 1 for the root
    ),
    "misc": (_SID, _ID, Column("key"), Column("value"), Column("num", "float64")),
    "meta": (_SID, Column("key"), Column("value"), Column("num", "float64")),
    "enhanced": (_SID, Column("head", "int32"), Column("dep", "int32"), Column("label")),
    "sentences": (
        _SID,
        Column("source"),
        Column("number", "int64"),
        Column("sent_id"),
        Column("doc"),
        Column("text", text=True),
        Column("length", "int32"),
        Column("surface", text=True),
    ),
    "raw": (_SID, Column("conllu", text=True), Column("rebuilt", text=True)),
}  # each table is a folder with one file per chunk
QUERIED = tuple(name for name in TABLES if name != "raw")  # the tables that filters read directly

# Regexes, valid in Python, RE2 and Java: a decimal number, and the ID and the form of a multiword token.
DECIMAL = r"[+-]?[0-9]+(?:\.[0-9]+)?"
MULTIWORD_LINE = r"(?:^|\n)([0-9]+-[0-9]+\t[^\t\n]+)"
# Computed attributes of words. Each has a view with the columns sid, id and value, which reads the given table.
COMPUTED = {"token": "raw", "feats": "tokens"}

TAGS = ("upos", "xpos", "deprel")
LOWERED = {"form": "form_l", "lemma": "lemma_l"}  # column -> column of its lowercase values
WORD_STRINGS = (*LOWERED, *TAGS)
FEATURE_PREFIX = "feat_"  # prefix of the feature columns of `tokens`


@dataclass(frozen=True, slots=True)
class Copy:
    """A column of `tokens` that holds a column of a neighbour, NULL if there is no such neighbour."""

    neighbour: Neighbour
    copied: str
    cold: bool = False

    @property
    def column(self) -> Column:
        original = next(column for column in TABLES["tokens"] if column.name == self.copied)
        name = copy_name(self.neighbour, self.copied)
        return replace(original, name=name, required=False, counted=False, listed=False, cold=self.cold)


def copy_name(neighbour: Neighbour, column: str) -> str:
    return f"{neighbour}_{column}"


_COPIED = (
    Copy("h", "upos"),
    Copy("h", "deprel"),
    Copy("h", "form_l", cold=True),
    Copy("h", "head"),
    Copy("hh", "deprel"),
    Copy("n", "upos"),
    Copy("n", "deprel"),
)
COPIES: Mapping[str, Copy] = {copy.column.name: copy for copy in _COPIED}


def tables(*, text: bool) -> dict[str, tuple[Column, ...]]:
    """Return the tables of a store, with or without `text`. `tokens` lacks copies and features."""
    if text:
        return dict(TABLES)
    textless = {name: tuple(column for column in columns if not column.text) for name, columns in TABLES.items()}
    return {name: columns for name, columns in textless.items() if columns != (_SID,)}


def copies(*, text: bool) -> list[str]:
    return [name for name, copy in COPIES.items() if text or not copy.column.text]


def feature_column(feature: str) -> str:
    return FEATURE_PREFIX + feature


def feats_key(feature: str) -> tuple[str, str]:
    """Return the key by which UD sorts the features of FEATS: the name, without regard to case."""
    return feature.lower(), feature


def identifier(column: str) -> str:
    """Return the SQL name of a column, unique even if case is ignored.

    DuckDB and Spark compare names without case, but `Voice` and `VOICE` are two features. In the name of a feature,
    `~` precedes each letter that is not in its expected case (a capital first, then small letters). `~` itself is
    doubled, and a non-ASCII character is written as its hexadecimal code point, `~{e9}`.
    """
    if not column.startswith(FEATURE_PREFIX):
        return column
    name = column.removeprefix(FEATURE_PREFIX)
    return FEATURE_PREFIX + "".join(_escaped_char(char, first=index == 0) for index, char in enumerate(name))


def _escaped_char(char: str, *, first: bool) -> str:
    if not char.isascii():
        return f"~{{{ord(char):x}}}"
    return f"~{char}" if char == "~" or (char.isalpha() and char.isupper() != first) else char


class Counts(Protocol):
    """The value statistics of a store. Statistics with the same content have the same `key`, and are equal."""

    @property
    def key(self) -> str: ...

    def count(self, column: str, value: str) -> int | None:
        """Return the number of words with a value in a column (`feat_X` for a feature), or None if unknown."""
        ...


@dataclass(frozen=True, slots=True)
class SortedCopy:
    """A table with some `columns` of the words with a value in `by`, its sort column. `rows` None: unknown number."""

    table: str
    by: str
    columns: frozenset[str]
    rows: int | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns, tables and statistics of a store. `copies` are names in `schema.COPIES`; `words` counts its words.

    The layout affects the cost of a plan, never its result. A `raw` layout has one table, `tokens`, with the columns
    of CoNLL-U: sid, id, form, lemma, upos, xpos, feats, head, deprel (NULL for `_`). `fictdsl.plan.build` lists what it
    does not support.
    """

    copies: frozenset[str] = frozenset()
    sorted_copies: tuple[SortedCopy, ...] = ()
    words: int | None = None
    counts: Counts | None = None
    raw: bool = False

    @property
    def content(self) -> list[object]:
        sorted_copies = [[copy.table, copy.by, sorted(copy.columns), copy.rows] for copy in self.sorted_copies]
        counts = None if self.counts is None else self.counts.key
        return [sorted(self.copies), sorted_copies, self.words, counts, self.raw]

    def count(self, column: str, value: str) -> int | None:
        return None if self.counts is None else self.counts.count(column, value)

    def share(self, column: str, values: Iterable[str]) -> float | None:
        counts = [self.count(column, value) for value in values]
        known_counts = [count for count in counts if count is not None]
        return sum(known_counts) / self.words if self.words and len(known_counts) == len(counts) else None


PLAIN = Layout()
RAW = Layout(raw=True)
