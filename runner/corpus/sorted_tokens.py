"""Sort the words of a chunk by relation, add columns of their neighbours, and write and count them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from fictdsl.schema import COPIES, FEATURE_PREFIX, TABLES, TAGS, Column, Field, copies, feature_column, tables
from runner.corpus import conllu_columns
from runner.corpus.byte_columns import Flags, Ints, lower_nfc, to_nfc
from runner.corpus.processes import WriteBehind
from runner.corpus.store_files import ROW_GROUP
from runner.corpus.store_tables import INT32_COLUMNS, STRING_FIELDS, VALUES_SCHEMA

Codes = npt.NDArray[np.unsignedinteger[Any]]
_TOKENS = {column.name: column for column in TABLES["tokens"]}
_REQUIRED = {name for name, column in _TOKENS.items() if column.required}


@dataclass(frozen=True, slots=True)
class StringColumn:
    """The sorted distinct `values` of a column, and the index into them for each code of the column's CoNLL-U field.

    The last index stands for NULL, and the last code for a missing word, such as the head of a root.
    """

    source: Field
    values: Any
    indices: Ints

    @classmethod
    def build(cls, source: Field, values: Any) -> StringColumn:
        encoded = values.dictionary_encode()
        order = pc.sort_indices(encoded.dictionary)
        ranks = np.empty(len(order) + 1, np.int64)
        ranks[order.to_numpy()], ranks[-1] = np.arange(len(order)), len(order)
        codes = np.append(pc.fill_null(encoded.indices, len(order)).to_numpy(), len(order))
        return cls(source, encoded.dictionary.take(order), ranks[codes])

    def take(self, row_codes: _RowCodes) -> Any:
        """Return some rows as a dictionary array, with the values by descending frequency, which compresses best."""
        indices = self.indices[row_codes.codes]
        counts = np.bincount(indices, row_codes.counts, len(self.values) + 1)
        used_indices = np.flatnonzero(counts[:-1])
        used_indices = used_indices[np.argsort(-counts[used_indices], kind="stable")]
        frequency_ranks = np.full(len(counts), -1, np.result_type(np.int8, np.min_scalar_type(-len(self.values) - 1)))
        frequency_ranks[used_indices] = np.arange(len(used_indices))
        dictionary_indices = _nullable_array(frequency_ranks[indices].take(row_codes.rows), counts[-1] > 0)
        return pa.DictionaryArray.from_arrays(dictionary_indices, self.values.take(pa.array(used_indices)), safe=False)

    def counts(self, code_counts: Ints) -> Ints:
        return np.bincount(self.indices[:-1], code_counts, len(self.values) + 1)[: len(self.values)].astype(np.int64)


@dataclass(frozen=True, slots=True)
class _RowCodes:
    codes: Ints
    counts: Ints
    rows: Ints

    @classmethod
    def count(cls, codes: Ints, size: int) -> _RowCodes:
        counts = np.bincount(codes, minlength=size)
        used_codes = np.flatnonzero(counts)
        indices = np.empty(len(counts), np.int64)
        indices[used_codes] = np.arange(len(used_codes))
        return cls(used_codes, counts[used_codes], indices.take(codes))


class TokenBuffer:
    def __init__(self, max_words: int) -> None:
        self.words = 0
        self.first_sid = 0
        self.sids = np.empty(max_words, np.int32)  # relative to `first_sid`
        self.numbers = {name: np.empty(max_words, np.int16) for name in INT32_COLUMNS}  # each at most WORD_LIMIT
        self.pieces: dict[Field, list[Any]] = {field: [] for field in STRING_FIELDS}

    def add(self, tokens: pa.Table) -> None:
        start, self.words = self.words, self.words + tokens.num_rows
        sids = tokens["sid"].to_numpy()
        self.first_sid = self.first_sid if start else int(sids[0]) if len(sids) else 0
        self.sids[start : self.words] = sids - self.first_sid
        for name, numbers in self.numbers.items():
            numbers[start : self.words] = tokens[name].to_numpy()
        for string in STRING_FIELDS:
            self.pieces[string] += tokens[string.name].chunks


class SortedTokens:
    """All words of a chunk. The buffer that they are taken from cannot be used afterwards."""

    def __init__(self, buffer: TokenBuffer, *, text: bool = True) -> None:
        self._first_sid, self._sids = buffer.first_sid, buffer.sids[: buffer.words]
        self._numbers = {name: numbers[: buffer.words] for name, numbers in buffer.numbers.items()}
        self._codes: dict[Field, npt.NDArray[Any]] = {}
        self._dictionaries: dict[Field, Any] = {}
        for string in STRING_FIELDS:
            self._dictionaries[string], self._codes[string] = _unify_dictionaries(buffer.pieces.pop(string))
        self._recode_missing_lemmas(text=text)

    @cached_property
    def columns(self) -> dict[str, StringColumn]:
        return {
            column.name: StringColumn.build(column.field, _values(self._dictionaries[column.field], column))
            for column in TABLES["tokens"]
            if column.field is not None
        }

    @cached_property
    def features(self) -> dict[str, StringColumn]:
        parsed = [dict(conllu_columns.parse_feats(text) or ()) for text in self._dictionaries[Field.FEATS].to_pylist()]
        first_rows = _first_rows(self._codes[Field.FEATS], len(parsed))
        codes = [
            code for code in np.argsort(first_rows, kind="stable") if first_rows[code] < len(self._codes[Field.FEATS])
        ]
        names = dict.fromkeys(name for code in codes for name in parsed[code])
        return {
            name: StringColumn.build(Field.FEATS, pa.array([pairs.get(name) for pairs in parsed], pa.string()))
            for name in names
        }

    def counts(self, column: StringColumn) -> Ints:
        return column.counts(self._code_counts[column.source])

    def groups(self, feature_columns: Mapping[str, str], size: int) -> Iterator[pa.Table]:
        """Yield all rows, by relation and then in corpus order, `size` at a time, with columns of features."""
        relation = self.columns["deprel"]
        keys = relation.indices.astype(np.min_scalar_type(len(relation.values)))[self._codes[Field.DEPREL]]
        order = np.argsort(keys, kind="stable")
        for start in range(0, len(order), size):
            yield self._group(order[start : start + size], feature_columns)

    def _group(self, rows: Ints, feature_columns: Mapping[str, str]) -> pa.Table:
        arrays = {"sid": pa.array(self._sids.take(rows) + np.int64(self._first_sid))}
        selected = _Rows(self._numbers, self._codes, rows)
        arrays |= {name: self._column(selected, name) for name in _TOKENS if name != "sid"}
        neighbours = {
            neighbour: _Rows(self._numbers, self._codes, *rows_and_mask)
            for neighbour, rows_and_mask in self._neighbours(rows).items()
        }
        for name, copy in COPIES.items():
            arrays[name] = self._column(neighbours[copy.neighbour], copy.copied)
        for feature, column in self.features.items():
            arrays[feature_columns[feature]] = selected.column(column)
        schema = pa.schema([pa.field(name, column.type, name not in _REQUIRED) for name, column in arrays.items()])
        return pa.Table.from_arrays(list(arrays.values()), schema=schema)

    def _column(self, rows: _Rows, name: str) -> Any:
        return rows.number(name) if name in INT32_COLUMNS else rows.column(self.columns[name])

    def _neighbours(self, rows: Ints) -> dict[str, tuple[Ints, Flags]]:
        all_ids, heads, sizes = (self._numbers[name] for name in ("id", "head", "n"))
        ids, head_ids = all_ids.take(rows), heads.take(rows)
        head_rows, is_root = _shifted_rows(rows, head_ids - ids, head_ids == 0)
        grandparent_ids = heads.take(head_rows)
        return {
            "h": (head_rows, is_root),
            "hh": _shifted_rows(head_rows, grandparent_ids - all_ids.take(head_rows), is_root | (grandparent_ids == 0)),
            "n": _shifted_rows(rows, 1, ids == sizes.take(rows)),
        }

    @cached_property
    def _code_counts(self) -> dict[Field, Ints]:
        sizes = {field: len(dictionary) for field, dictionary in self._dictionaries.items()}
        return {field: np.bincount(self._codes[field], minlength=size) for field, size in sizes.items()}

    def _recode_missing_lemmas(self, *, text: bool) -> None:
        form, lemma = self._dictionaries[Field.FORM], self._dictionaries[Field.LEMMA]
        form_code, lemma_code = pc.index(form, "_").as_py(), pc.index(lemma, "_").as_py()
        if lemma_code >= 0:  # the type of codes can hold one more code
            unspecified = (self._codes[Field.LEMMA] == lemma_code) & (
                (self._codes[Field.FORM] != form_code) | (not text)
            )
            self._codes[Field.LEMMA][unspecified] = len(lemma)
        self._dictionaries[Field.LEMMA] = pa.concat_arrays([lemma, pa.nulls(1, pa.string())])


class _Rows:
    """Some rows of a chunk. In rows of the mask `absent`, all values are NULL. Columns of a field share row codes."""

    def __init__(
        self,
        numbers: Mapping[str, npt.NDArray[Any]],
        codes: Mapping[Field, npt.NDArray[Any]],
        rows: Ints,
        absent: Flags | None = None,
    ) -> None:
        self._numbers, self._codes, self._rows, self._absent = numbers, codes, rows, absent
        self._row_codes: dict[Field, _RowCodes] = {}

    def number(self, name: str) -> Any:
        numbers = self._numbers[name].take(self._rows).astype(np.int32)
        if self._absent is not None:
            numbers[self._absent] = -1
        return _nullable_array(numbers, self._absent is not None)

    def column(self, column: StringColumn) -> Any:
        if column.source not in self._row_codes:
            codes = self._codes[column.source].take(self._rows).astype(np.int64)
            last = len(column.indices) - 1
            if self._absent is not None:
                codes[self._absent] = last
            self._row_codes[column.source] = _RowCodes.count(codes, last + 1)
        return column.take(self._row_codes[column.source])


def _nullable_array(numbers: npt.NDArray[Any], nullable: Any) -> Any:
    valid = pa.py_buffer(np.packbits(numbers >= 0, bitorder="little")) if nullable else None
    return pa.Array.from_buffers(pa.from_numpy_dtype(numbers.dtype), len(numbers), [valid, pa.py_buffer(numbers)])


def _unify_dictionaries(pieces: Sequence[Any]) -> tuple[Any, Codes]:
    """Return the distinct values of the dictionaries, and the codes of rows, in a type that can hold one more."""
    all_codes = [np.arange(len(piece.dictionary), dtype=np.int32) for piece in pieces]
    dictionary_arrays = [
        pa.DictionaryArray.from_arrays(codes, piece.dictionary) for codes, piece in zip(all_codes, pieces, strict=True)
    ]
    unified = pa.chunked_array(dictionary_arrays).unify_dictionaries().chunks
    values = unified[0].dictionary
    dtype = np.min_scalar_type(len(values) + 1)
    parts = [
        new.indices.to_numpy().astype(dtype).take(piece.indices.to_numpy())
        for new, piece in zip(unified, pieces, strict=True)
    ]
    return values, np.concatenate(parts)


def _shifted_rows(rows: Ints, distance: Any, absent: Flags) -> tuple[Ints, Flags]:
    """Return the rows at a distance from `rows`, with row 0 where `absent`, and `absent`."""
    return np.where(absent, 0, rows + distance), absent


def _first_rows(codes: Codes, size: int) -> Ints:
    first_rows = np.full(size, len(codes))
    first_rows[codes[::-1]] = np.arange(len(codes))[::-1]
    return first_rows


def _values(strings: Any, column: Column) -> Any:
    """Return the strings of a field in NFC, with the conversions of a column (see `Column`)."""
    values = (lower_nfc if column.lowered else to_nfc)(strings)
    return values if column.underscore else pc.if_else(pc.equal(strings, "_"), pa.scalar(None, pa.string()), values)


@dataclass(slots=True)
class Vocabulary:
    """The column of each feature, and the count of each value of some columns and all features.

    A feature with the name of a tag has no counts, because `values` cannot hold both under one name.
    """

    features: dict[str, str] = field(default_factory=dict)
    values: dict[str, Counter[str]] = field(default_factory=dict)

    def column_of(self, feature: str) -> str:
        """Return the column of a feature. No two columns differ only by case, because SQL ignores case."""
        if feature not in self.features:
            used_names = {name.lower() for name in self.features.values()}
            column, suffix = feature_column(feature), 2
            while column.lower() in used_names:
                column, suffix = f"{feature_column(feature)}~{suffix}", suffix + 1
            self.features[feature] = column
        return self.features[feature]

    def count(self, words: SortedTokens) -> None:
        counted = {column.name: words.columns[column.name] for column in TABLES["tokens"] if column.listed}
        counted |= {name: column for name, column in words.features.items() if name not in TAGS}
        for name, column in counted.items():
            counts = zip(column.values.to_pylist(), words.counts(column).tolist(), strict=True)
            self.values.setdefault(name, Counter()).update({value: count for value, count in counts if count})

    def add(self, other: Vocabulary) -> None:
        """Add the vocabulary of a later chunk, which includes the features of all earlier chunks."""
        self.features.update(other.features)
        for name, counts in other.values.items():
            self.values.setdefault(name, Counter()).update(counts)


COUNTS_GROUP = 16_384


def _count_values(words: SortedTokens, columns: Sequence[str]) -> pa.Table:
    features = {FEATURE_PREFIX + name: column for name, column in words.features.items()}
    parts = []
    for name, column in sorted({**{name: words.columns[name] for name in columns}, **features}.items()):
        counts = words.counts(column)
        part = pa.table({"column": pa.repeat(name, len(counts)), "value": column.values, "words": counts})
        parts.append(part.filter(pa.array(counts > 0)))
    return pa.concat_tables(parts)


def open_counts(path: Path) -> Any:
    return pq.ParquetWriter(
        path,
        VALUES_SCHEMA,
        compression="zstd",
        use_dictionary=["column"],
        column_encoding={"value": "DELTA_BYTE_ARRAY", "words": "DELTA_BINARY_PACKED"},
        write_page_checksum=True,
    )


_COLD_COLUMNS = {
    column.name for column in (*TABLES["tokens"], *(copy.column for copy in COPIES.values())) if column.cold
}


def write_words(
    words: SortedTokens, file: Path, counts_file: Path, features: Mapping[str, str], *, text: bool, concurrent: bool
) -> tuple[Vocabulary, list[str]]:
    """Write the words of a chunk and their value counts, and return their vocabulary and the names of their features.

    `features` maps each feature of earlier chunks to its column. Without `text`, the files contain no forms. With
    `concurrent`, a thread compresses rows while the next rows are collected.
    """
    vocabulary = Vocabulary(dict(features))
    vocabulary.count(words)
    counted_columns = [column.name for column in tables(text=text)["tokens"] if column.counted]
    with open_counts(counts_file) as writer:
        writer.write_table(_count_values(words, counted_columns), row_group_size=COUNTS_GROUP)
    feature_columns = {feature: vocabulary.column_of(feature) for feature in words.features}
    with ThreadPoolExecutor(1) if concurrent else nullcontext() as thread:
        _write(words, file, feature_columns, WriteBehind(thread), text=text)
    return vocabulary, list(feature_columns)


def _write(
    words: SortedTokens, file: Path, feature_columns: Mapping[str, str], queue: WriteBehind, *, text: bool
) -> None:
    groups = words.groups(feature_columns, ROW_GROUP)
    first_group = next(groups)
    stored_columns = [column.name for column in tables(text=text)["tokens"]]
    names = [*stored_columns, *copies(text=text), *feature_columns.values()]
    first_group = first_group.select(names)
    with pq.ParquetWriter(
        file,
        first_group.schema,
        compression={name: "zstd" if name in _COLD_COLUMNS else "snappy" for name in names},
        use_dictionary=[name for name in names if name != "sid"],
        column_encoding={"sid": "DELTA_BINARY_PACKED"},
        write_statistics=["sid", "deprel"],
        write_page_checksum=True,
        store_schema=False,
    ) as writer:
        queue.submit(writer.write_table, first_group)
        for group in groups:
            queue.submit(writer.write_table, group.select(names))
        queue.wait()
