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

from runner.corpus import columns
from runner.corpus.spans import Ints, composed, lengths, lowered
from runner.corpus.tables import COPIES, TABLES

Codes = npt.NDArray[np.int32]
_NUMBERS = ("id", "n", "head", "pre", "last", "depth")


@dataclass(frozen=True, slots=True)
class Column:
    """What `values` a column has, sorted, and the place among them of each code as it was read.

    The place behind the last value stands for NULL.
    """

    read: str
    values: Any
    places: Codes

    @classmethod
    def of(cls, read: str, values: Any) -> Column:
        """`values` has one value, or NULL, for each code of the column that was `read`."""
        encoded = values.dictionary_encode()
        order = pc.sort_indices(encoded.dictionary)
        ranks = np.empty(len(order) + 1, np.int32)
        ranks[order.to_numpy()], ranks[-1] = np.arange(len(order)), len(order)
        return cls(read, encoded.dictionary.take(order), ranks[pc.fill_null(encoded.indices, len(order)).to_numpy()])

    def counts(self, read: Ints) -> Ints:
        """How often each value occurs, from how often each code does."""
        return np.bincount(self.places, read, len(self.values) + 1)[: len(self.values)].astype(np.int64)


class Clustered:
    """All words of a chunk: `tables` are pieces of it, as `runner.corpus.tables` makes them, in corpus order."""

    def __init__(self, tables: Sequence[pa.Table]) -> None:
        self._numbers = {name: _joined(tables, name) for name in ("sid", *_NUMBERS)}
        self._dictionaries: dict[str, Any] = {}
        self._codes: dict[str, Codes] = {}
        for name in ("form", "lemma", "upos", "xpos", "deprel", "feats"):
            self._dictionaries[name], self._codes[name] = _unified(tables, name)
        self._without_lemma()

    def __len__(self) -> int:
        return len(self._numbers["id"])

    @cached_property
    def columns(self) -> dict[str, Column]:
        """The columns of `tokens` that hold strings, without the features."""
        form, lemma = self._dictionaries["form"], self._dictionaries["lemma"]
        return {
            "form": Column.of("form", composed(form)),
            "form_l": Column.of("form", lowered(form)),
            "lemma": Column.of("lemma", composed(lemma)),
            "lemma_l": Column.of("lemma", lowered(lemma)),
            "form_len": Column.of("form", pa.array(lengths(form), pa.int32())),
            "lemma_len": Column.of("lemma", pc.utf8_length(composed(lemma))),
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
        keys = relation.places[self._codes["deprel"]]
        order = np.argsort(keys.astype(np.int16) if len(relation.values) < 1 << 15 else keys, kind="stable")
        for start in range(0, len(self), size):
            yield self._group(order[start : start + size], physical)

    def _group(self, rows: Ints, physical: Mapping[str, str]) -> pa.Table:
        built = {"sid": pa.array(self._numbers["sid"][rows])}
        for name in TABLES["tokens"].names[1:]:
            built[name] = self._at(name, rows)
        neighbours = self._neighbours(rows)
        for name in COPIES:
            where, _, copied = name.partition("_")
            built[name] = self._at(copied, *neighbours[where])
        for feature, column in self.features.items():
            built[physical[feature]] = _packed(column.places[self._codes["feats"][rows]], column.values)
        return pa.table(built)

    def _at(self, name: str, rows: Ints, absent: Any = None) -> Any:
        """A column in some rows, NULL where `absent`."""
        if name in _NUMBERS:
            codes = self._numbers[name][rows].astype(np.int32)
            values = self._range
        else:
            column = self.columns[name]
            codes, values = column.places[self._codes[column.read][rows]], column.values
        if absent is not None:
            codes[absent] = len(values)
        return _packed(codes, values)

    def _neighbours(self, rows: Ints) -> dict[str, tuple[Ints, Any]]:
        """The rows of the heads, of their heads and of the next words; and where there is no such word."""
        ids, heads, sizes = (self._numbers[name] for name in ("id", "head", "n"))
        head, rootless = _moved(rows, heads[rows] - ids[rows], heads[rows] == 0)
        above, topless = _moved(head, heads[head] - ids[head], rootless | (heads[head] == 0))
        found = {"h": (head, rootless), "hh": (above, topless)}
        left = sizes[rows] - ids[rows]
        for step in (1, 2, 3):
            found["n" if step == 1 else f"n{step}"] = _moved(rows, step, left < step)
        return found

    @cached_property
    def _range(self) -> Any:
        return pa.array(np.arange(int(self._numbers["n"].max()) + 1, dtype=np.int32))

    @cached_property
    def _read_counts(self) -> dict[str, Ints]:
        return {
            name: np.bincount(self._codes[name], minlength=len(dictionary))
            for name, dictionary in self._dictionaries.items()
        }

    def _without_lemma(self) -> None:
        """Give a code of its own to the lemmas that are `_` while the form is not."""
        form, lemma = self._dictionaries["form"], self._dictionaries["lemma"]
        form_code, lemma_code = pc.index(form, "_").as_py(), pc.index(lemma, "_").as_py()
        if lemma_code >= 0:
            none = (self._codes["lemma"] == lemma_code) & (self._codes["form"] != form_code)
            self._codes["lemma"][none] = len(lemma)
        self._dictionaries["lemma"] = pa.concat_arrays([lemma, pa.nulls(1, pa.string())])


def _joined(tables: Sequence[pa.Table], name: str) -> npt.NDArray[Any]:
    return np.concatenate([chunk.to_numpy() for table in tables for chunk in table[name].chunks])


def _unified(tables: Sequence[pa.Table], name: str) -> tuple[Any, Codes]:
    """The distinct values of a column of dictionaries, and the code of each row."""
    chunks = pa.chunked_array([chunk for table in tables for chunk in table[name].chunks]).unify_dictionaries().chunks
    return chunks[0].dictionary, np.concatenate([chunk.indices.to_numpy() for chunk in chunks])


def _moved(rows: Ints, by: Any, absent: Any) -> tuple[Ints, Any]:
    """Other rows; any row stands for one that is `absent`."""
    return np.where(absent, 0, rows + by), absent


def _packed(codes: Codes, values: Any) -> Any:
    """A dictionary array of only the values that occur; the code behind the last is NULL."""
    occurs = np.zeros(len(values) + 1, bool)
    occurs[codes] = True
    used = np.flatnonzero(occurs[:-1])
    changed = np.zeros(len(occurs), np.int32)
    changed[used] = np.arange(len(used))
    indices = pa.array(changed[codes], mask=codes == len(values) if occurs[-1] else None)
    return pa.DictionaryArray.from_arrays(indices, values.take(pa.array(used)))


def _first_rows(codes: Codes, size: int) -> Ints:
    first = np.full(size, len(codes))
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    return first


def _present(strings: Any) -> Any:
    """Strings in NFC, NULL for `_`."""
    return pc.if_else(pc.equal(strings, "_"), pa.scalar(None, pa.string()), composed(strings))
