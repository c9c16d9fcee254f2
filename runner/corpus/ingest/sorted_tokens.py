"""The words of a chunk, sentence after sentence, into rows sorted by relation that also know their neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from runner.corpus.conllu import columns
from runner.corpus.conllu.tables import ALWAYS, COPIES, TABLES
from runner.corpus.files.byte_strings import Flags, Ints, composed, lowered

Codes = npt.NDArray[np.unsignedinteger[Any]]
_NUMBERS = ("id", "n", "head", "pre", "last", "depth")
_STRINGS = ("form", "lemma", "upos", "xpos", "feats", "deprel")


@dataclass(frozen=True, slots=True)
class Column:
    """What `values` a column has, sorted, and the place among them of each code as it was `read`.

    The place behind the last value stands for NULL, and the code behind the last for a word that is not there.
    """

    read: str
    values: Any
    places: Ints

    @classmethod
    def of(cls, read: str, values: Any) -> Column:
        """`values` has one value, or NULL, for each code of the column that was `read`."""
        encoded = values.dictionary_encode()
        order = pc.sort_indices(encoded.dictionary)
        ranks = np.empty(len(order) + 1, np.int64)
        ranks[order.to_numpy()], ranks[-1] = np.arange(len(order)), len(order)
        codes = np.append(pc.fill_null(encoded.indices, len(order)).to_numpy(), len(order))
        return cls(read, encoded.dictionary.take(order), ranks[codes])

    def at(self, seen: _Seen) -> Any:
        """The column of some rows as an Arrow dictionary of what occurs in them, the most frequent first.

        So ordered, its numbers take the least room once they are compressed.
        """
        places = self.places[seen.codes]
        counts = np.bincount(places, seen.counts, len(self.values) + 1)
        used = np.flatnonzero(counts[:-1])
        used = used[np.argsort(-counts[used], kind="stable")]
        numbers = np.full(len(counts), -1, np.result_type(np.int8, np.min_scalar_type(-len(self.values) - 1)))
        numbers[used] = np.arange(len(used))
        found = _array(numbers[places].take(seen.rows), counts[-1] > 0)
        return pa.DictionaryArray.from_arrays(found, self.values.take(pa.array(used)), safe=False)

    def counts(self, read: Ints) -> Ints:
        """How often each value occurs, from how often each code does."""
        return np.bincount(self.places[:-1], read, len(self.values) + 1)[: len(self.values)].astype(np.int64)


@dataclass(frozen=True, slots=True)
class _Seen:
    """The codes that occur in some rows, how often each does, and which of them each row has."""

    codes: Ints
    counts: Ints
    rows: Ints

    @classmethod
    def of(cls, codes: Ints, size: int) -> _Seen:
        counts = np.bincount(codes, minlength=size)
        used = np.flatnonzero(counts)
        numbers = np.empty(len(counts), np.int64)
        numbers[used] = np.arange(len(used))
        return cls(used, counts[used], numbers.take(codes))


class Gathered:
    """The words of a chunk, as `runner.corpus.conllu.tables` makes them, piece after piece."""

    def __init__(self, room: int) -> None:
        """`room` is for how many words, at most."""
        self.words = 0
        self.first = 0  # the number of the first sentence
        self.sids = np.empty(room, np.int32)  # behind the first
        self.numbers = {name: np.empty(room, np.int16) for name in _NUMBERS}
        self.pieces: dict[str, list[Any]] = {name: [] for name in _STRINGS}

    def add(self, tokens: pa.Table) -> None:
        """Append words."""
        start, self.words = self.words, self.words + tokens.num_rows
        sids = tokens["sid"].to_numpy()
        self.first = self.first if start else int(sids[0]) if len(sids) else 0
        self.sids[start : self.words] = sids - self.first
        for name, numbers in self.numbers.items():
            numbers[start : self.words] = tokens[name].to_numpy()
        for name in _STRINGS:
            self.pieces[name] += tokens[name].chunks


class Clustered:
    """All words of a chunk from what was gathered, which is used up."""

    def __init__(self, gathered: Gathered) -> None:
        self._first, self._sids = gathered.first, gathered.sids[: gathered.words]
        self._codes: dict[str, npt.NDArray[Any]] = {
            name: numbers[: gathered.words] for name, numbers in gathered.numbers.items()
        }
        self._dictionaries: dict[str, Any] = {}
        for name in _STRINGS:
            self._dictionaries[name], self._codes[name] = _unified(gathered.pieces.pop(name))
        self._without_lemma()

    @cached_property
    def columns(self) -> dict[str, Column]:
        """The columns of `tokens` that are strings, without the features."""
        form, lemma = self._dictionaries["form"], self._dictionaries["lemma"]
        return {
            "form": Column.of("form", composed(form)),
            "form_l": Column.of("form", lowered(form)),
            "lemma": Column.of("lemma", composed(lemma)),
            "lemma_l": Column.of("lemma", lowered(lemma)),
            **{name: Column.of(name, _present(self._dictionaries[name])) for name in ("upos", "xpos", "deprel")},
        }

    @cached_property
    def features(self) -> dict[str, Column]:
        """The column of each feature, in order of appearance."""
        parsed = [dict(columns.features(text) or ()) for text in self._dictionaries["feats"].to_pylist()]
        first = _first_rows(self._codes["feats"], len(parsed))
        names = dict.fromkeys(name for code in np.argsort(first, kind="stable") for name in parsed[code])
        return {
            name: Column.of("feats", pa.array([found.get(name) for found in parsed], pa.string())) for name in names
        }

    def counts(self, column: Column) -> Ints:
        """How often each value of a column occurs."""
        return column.counts(self._read_counts[column.read])

    def groups(self, physical: Mapping[str, str], size: int) -> Iterator[pa.Table]:
        """All rows, by relation and then in corpus order, `size` at a time; `physical` names columns of features."""
        relation = self.columns["deprel"]
        keys = relation.places.astype(np.min_scalar_type(len(relation.values)))[self._codes["deprel"]]
        order = np.argsort(keys, kind="stable")
        for start in range(0, len(order), size):
            yield self._group(order[start : start + size], physical)

    def _group(self, rows: Ints, physical: Mapping[str, str]) -> pa.Table:
        built = {"sid": pa.array(self._sids.take(rows) + np.int64(self._first))}
        own = _Rows(self._codes, rows)
        for name in TABLES["tokens"].names[1:]:
            built[name] = self._column(own, name)
        near = {place: _Rows(self._codes, *found) for place, found in self._neighbours(rows).items()}
        for name in COPIES:
            place, _, copied = name.partition("_")
            built[name] = self._column(near[place], copied)
        for feature, column in self.features.items():
            built[physical[feature]] = own.column(column)
        schema = pa.schema([pa.field(name, column.type, name not in ALWAYS) for name, column in built.items()])
        return pa.Table.from_arrays(list(built.values()), schema=schema)

    def _column(self, rows: _Rows, name: str) -> Any:
        return rows.number(name) if name in _NUMBERS else rows.column(self.columns[name])

    def _neighbours(self, rows: Ints) -> dict[str, tuple[Ints, Flags]]:
        """The rows of the heads, of their heads and of the next words; and where there is no such word."""
        ids, heads, sizes = (self._codes[name] for name in ("id", "head", "n"))
        own, up = ids.take(rows), heads.take(rows)
        head, rootless = _moved(rows, up - own, up == 0)
        above = heads.take(head)
        return {
            "h": (head, rootless),
            "hh": _moved(head, above - ids.take(head), rootless | (above == 0)),
            "n": _moved(rows, 1, own == sizes.take(rows)),
        }

    @cached_property
    def _read_counts(self) -> dict[str, Ints]:
        sizes = {name: len(dictionary) for name, dictionary in self._dictionaries.items()}
        return {name: np.bincount(self._codes[name], minlength=size) for name, size in sizes.items()}

    def _without_lemma(self) -> None:
        """Give a code of its own to the lemmas that are `_` while the form is not."""
        form, lemma = self._dictionaries["form"], self._dictionaries["lemma"]
        form_code, lemma_code = pc.index(form, "_").as_py(), pc.index(lemma, "_").as_py()
        if lemma_code >= 0:  # the codes have room for one more
            none = (self._codes["lemma"] == lemma_code) & (self._codes["form"] != form_code)
            self._codes["lemma"][none] = len(lemma)
        self._dictionaries["lemma"] = pa.concat_arrays([lemma, pa.nulls(1, pa.string())])


class _Rows:
    """Some rows of a chunk, with none where `absent`; what they have in a column is looked up once for all columns
    that are made of it."""

    def __init__(self, codes: Mapping[str, npt.NDArray[Any]], rows: Ints, absent: Flags | None = None) -> None:
        self._codes, self._rows, self._absent = codes, rows, absent
        self._seen: dict[str, _Seen] = {}

    def number(self, name: str) -> Any:
        """A column of numbers of these rows."""
        numbers = self._codes[name].take(self._rows).astype(np.int32)
        if self._absent is not None:
            numbers[self._absent] = -1
        return _array(numbers, self._absent is not None)

    def column(self, column: Column) -> Any:
        """A column of strings of these rows."""
        if column.read not in self._seen:
            codes = self._codes[column.read].take(self._rows).astype(np.int64)
            last = len(column.places) - 1
            if self._absent is not None:
                codes[self._absent] = last
            self._seen[column.read] = _Seen.of(codes, last + 1)
        return column.at(self._seen[column.read])


def _array(numbers: npt.NDArray[Any], some: Any) -> Any:
    """Numbers as an Arrow array, where `some` of them may be -1, which stands for NULL."""
    there = pa.py_buffer(np.packbits(numbers >= 0, bitorder="little")) if some else None
    return pa.Array.from_buffers(pa.from_numpy_dtype(numbers.dtype), len(numbers), [there, pa.py_buffer(numbers)])


def _unified(pieces: Sequence[Any]) -> tuple[Any, Codes]:
    """The distinct values of a column of dictionaries, and the code of each row, with room for one code more."""
    each = [np.arange(len(piece.dictionary), dtype=np.int32) for piece in pieces]
    named = [pa.DictionaryArray.from_arrays(all_, piece.dictionary) for all_, piece in zip(each, pieces, strict=True)]
    changed = pa.chunked_array(named).unify_dictionaries().chunks
    values = changed[0].dictionary
    kind = np.min_scalar_type(len(values) + 1)
    parts = [
        new.indices.to_numpy().astype(kind).take(piece.indices.to_numpy())
        for new, piece in zip(changed, pieces, strict=True)
    ]
    return values, np.concatenate(parts)


def _moved(rows: Ints, by: Any, absent: Flags) -> tuple[Ints, Flags]:
    """Other rows; any row stands for one that is `absent`."""
    return np.where(absent, 0, rows + by), absent


def _first_rows(codes: Codes, size: int) -> Ints:
    first = np.full(size, len(codes))
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    return first


def _present(strings: Any) -> Any:
    """Strings in NFC, NULL for `_`."""
    return pc.if_else(pc.equal(strings, "_"), pa.scalar(None, pa.string()), composed(strings))
