"""Build the tables of a corpus store in memory from sentences, for tests of compiled SQL."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, get_args

from fictdsl.reference.sentences import Sentence, Word
from fictdsl.schema import COMPUTED_NUMBERS, FEATURE_PREFIX, Neighbour, copy_name, identifier

if TYPE_CHECKING:
    import duckdb
    import pyarrow

# of every neighbour, more than stores have: the planner is right whatever is copied
COPIES = frozenset(
    copy_name(neighbour, column)
    for neighbour, column in product(get_args(Neighbour), ("upos", "deprel", "form_l", "lemma_l", "head"))
)
_DECIMAL = re.compile(r"[+-]?\d+(\.\d+)?", re.ASCII)
_COLUMNS = {
    "tokens": "sid:L id:I n:I form:S lemma:S upos:S xpos:S deprel:S head:I form_l:S lemma_l:S pre:I last:I depth:I "
    + " ".join(f"{copy}:{'I' if copy.endswith('_head') else 'S'}" for copy in sorted(COPIES)),
    "sentences": "sid:L source:S number:I sent_id:S doc:S text:S length:I",
    "misc": "sid:L id:I key:S value:S num:D",
    "meta": "sid:L key:S value:S num:D",
    "enhanced": "sid:L head:I dep:I label:S",
    "token": "sid:L id:I value:S",
    "feats": "sid:L id:I value:S",
}


def connect(sentences: Sequence[Sentence], features: Iterable[str] = ()) -> duckdb.DuckDBPyConnection:
    """Return a connection with the tables and views that filters read; sentence i has sid i.

    `tokens` has every copied column, and a column for each feature that occurs and for each of `features` (NULL where a
    word lacks it).
    """
    connection = _instance().cursor()
    names = sorted({name for sentence in sentences for word in sentence.words for name in word.feats} | set(features))
    rows: dict[str, list[tuple[object, ...]]] = {name: [] for name in _COLUMNS}
    for sid, sentence in enumerate(sentences):
        places = intervals(sentence)
        rows["tokens"] += [
            (*_token(sid, sentence, word, places[word.id]), *_copies(sentence, word), *_features(word, names))
            for word in sentence.words
        ]
        text = sentence.text if sentence.text is not None else " ".join(word.form for word in sentence.words)
        rows["sentences"] += [(sid, "test", sid + 1, sentence.sent_id, sentence.doc, text, len(sentence.words))]
        rows["misc"] += _misc(sid, sentence)
        rows["meta"] += [(sid, k, v, number(v)) for k, vs in sentence.meta.items() for v in vs]
        rows["enhanced"] += _enhanced(sid, sentence)
        rows["token"] += [(sid, word.id, word.token) for word in sentence.words if word.token is not None]
        rows["feats"] += [(sid, word.id, _sorted_feats(word)) for word in sentence.words if word.feats]
    for table, columns in _COLUMNS.items():
        declared = columns.split() + (
            [f"{identifier(FEATURE_PREFIX + name)}:S" for name in names] if table == "tokens" else []
        )
        connection.register(table, _arrow(declared, rows[table]))
    numbers = [f"{sql.format(source)} AS {name}" for name, (source, sql) in COMPUTED_NUMBERS.items()]
    connection.register("tokens", connection.sql(f"SELECT *, {', '.join(numbers)} FROM tokens").to_arrow_table())
    return connection


@cache
def _instance() -> duckdb.DuckDBPyConnection:
    """Return the DuckDB of this process: to start one takes 20 ms; registered tables belong to one cursor of it."""
    import duckdb

    return duckdb.connect(config={"threads": 1})


def conllu_table(sentences: Sequence[Sentence]) -> duckdb.DuckDBPyConnection:
    """Return a connection with one table, `tokens`, of the columns of CoNLL-U; sentence i has sid i."""
    connection = _instance().cursor()
    columns = ["sid:L", "id:I", "form:S", "lemma:S", "upos:S", "xpos:S", "feats:S", "head:I", "deprel:S"]
    rows = [
        (sid, word.id, word.form, word.lemma, word.upos, word.xpos, _feats(word), word.head, word.deprel)
        for sid, sentence in enumerate(sentences)
        for word in sentence.words
    ]
    connection.register("tokens", _arrow(columns, rows))
    return connection


def _feats(word: Word) -> str | None:
    return "|".join(f"{name}={','.join(values)}" for name, values in word.feats.items()) or None


def _sorted_feats(word: Word) -> str:
    ordered = sorted(word.feats.items(), key=lambda entry: (entry[0].casefold(), entry[0]))
    return "|".join(f"{name}={','.join(values)}" for name, values in ordered)


def _arrow(columns: list[str], rows: list[tuple[object, ...]]) -> pyarrow.Table:
    import pyarrow as pa

    types = {"L": pa.int64(), "I": pa.int32(), "S": pa.string(), "D": pa.float64()}
    fields = [pa.field(*_field(column, types)) for column in columns]
    values = list(zip(*rows, strict=True)) if rows else [()] * len(columns)
    arrays = [pa.array(list(column), field.type) for column, field in zip(values, fields, strict=True)]
    return pa.Table.from_arrays(arrays, schema=pa.schema(fields))


def _field(column: str, types: dict[str, pyarrow.DataType]) -> tuple[str, pyarrow.DataType]:
    name, kind = column.rsplit(":", 1)
    return name, types[kind]


def number(text: str) -> float | None:
    """Return the value of a decimal number, None for any other text."""
    return float(text) if _DECIMAL.fullmatch(text) else None


def _lower(text: str | None) -> str | None:
    return None if text is None else unicodedata.normalize("NFC", text.lower())


def _token(sid: int, sentence: Sentence, word: Word, interval: tuple[int, int, int]) -> tuple[object, ...]:
    fixed = (sid, word.id, len(sentence.words), word.form, word.lemma, word.upos, word.xpos, word.deprel, word.head)
    lowered = (_lower(word.form), _lower(word.lemma))
    return (*fixed, *lowered, *interval)


def _features(word: Word, names: list[str]) -> tuple[str | None, ...]:
    return tuple(",".join(word.feats[name]) if name in word.feats else None for name in names)


def _copies(sentence: Sentence, word: Word) -> list[object]:
    """Return the columns of neighbouring words, in the sorted order of `COPIES`; None where there is no such word."""
    words = {other.id: other for other in sentence.words}
    head = words.get(word.head)
    near = {"h": head, "hh": None if head is None else words.get(head.head)}
    near |= {f"n{step}" if step > 1 else "n": words.get(word.id + step) for step in (1, 2, 3)}
    return [_copy(near[neighbour], column) for neighbour, column in (name.split("_", 1) for name in sorted(COPIES))]


def _copy(word: Word | None, column: str) -> object:
    if word is None:
        return None
    return _lower(getattr(word, column[:-2])) if column.endswith("_l") else getattr(word, column)


def intervals(sentence: Sentence) -> dict[int, tuple[int, int, int]]:
    """Return (pre, last, depth) of each word id: b is under a if and only if a.pre < b.pre <= a.last."""
    children: dict[int, list[int]] = {}
    for word in sentence.words:
        children.setdefault(word.head, []).append(word.id)
    by_word: dict[int, tuple[int, int, int]] = {}
    counter = 0

    def visit(node: int, depth: int) -> int:
        nonlocal counter
        counter += 1
        pre, last = counter, counter
        for child in children.get(node, []):
            last = visit(child, depth + 1)
        by_word[node] = (pre, last, depth)
        return last

    for root in children.get(0, []):
        visit(root, 1)
    return by_word


def _misc(sid: int, sentence: Sentence) -> list[tuple[object, ...]]:
    return [
        (sid, word.id, key, value, number(value))
        for word in sentence.words
        for key, values in word.misc.items()
        for value in values
    ]


def _enhanced(sid: int, sentence: Sentence) -> list[tuple[object, ...]]:
    return [
        (sid, int(head), word.id, label)
        for word in sentence.words
        for head, label in word.deps
        if re.fullmatch(r"[1-9][0-9]*", head)
    ]
