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
from runner.corpus.spans import Ints, composed, lowered
from runner.corpus.tables import COPIES, TABLES

Codes = npt.NDArray[np.int32]
_NUMBERS = ("id", "n", "head", "pre", "last", "depth")


@dataclass(frozen=True, slots=True)
class Column:
    """What `values` a column has, sorted, and the place among them of each code as it was `read`.

    The place behind the last value stands for NULL, and the code behind the last for a word that is not there.
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
        codes = np.append(pc.fill_null(encoded.indices, len(order)).to_numpy(), len(order))
        return cls(read, encoded.dictionary.take(order), ranks[codes])

    def at(self, codes: Codes, rows: Codes) -> Any:
        """The column of some rows, which have these codes, each named once, as an Arrow dictionary."""
        places = self.places[codes]
        used, changed = _numbered(places, len(self.values))
        found = changed[places][rows]
        return pa.DictionaryArray.from_arrays(
            pa.array(found, mask=found < 0 if (places == len(self.values)).any() else None),
            self.values.take(pa.array(used)),
        )

    def counts(self, read: Ints) -> Ints:
        """How often each value occurs, from how often each code does."""
        return np.bincount(self.places[:-1], read, len(self.values) + 1)[: len(self.values)].astype(np.int64)


class Clustered:
    """All words of a chunk, from pieces of each column as `runner.corpus.tables` makes them, which are used up."""

    def __init__(self, pieces: dict[str, list[Any]]) -> None:
        self._sids = _joined(pieces.pop("sid"))
        self._codes: dict[str, npt.NDArray[Any]] = {name: _joined(pieces.pop(name)) for name in _NUMBERS}
        self._dictionaries: dict[str, Any] = {}
        for name in tuple(pieces):
            self._dictionaries[name], self._codes[name] = _unified(pieces.pop(name))
        self._without_lemma()

    @cached_property
    def columns(self) -> dict[str, Column]:
        """The columns of `tokens` without `sid` and the features."""
        form, lemma = self._dictionaries["form"], self._dictionaries["lemma"]
        numbers = pa.array(np.arange(int(self._codes["n"].max()) + 1, dtype=np.int32))
        return {
            **{name: Column.of(name, numbers) for name in _NUMBERS},
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
        keys = relation.places[self._codes["deprel"]]
        order = np.argsort(keys.astype(np.int16) if len(relation.values) < 1 << 15 else keys, kind="stable")
        for start in range(0, len(order), size):
            yield self._group(order[start : start + size], physical)

    def _group(self, rows: Ints, physical: Mapping[str, str]) -> pa.Table:
        built = {"sid": pa.array(self._sids[rows])}
        own = _Rows(self._codes, rows)
        for name in TABLES["tokens"].names[1:]:
            built[name] = own.column(self.columns[name])
        near = {place: _Rows(self._codes, *found) for place, found in self._neighbours(rows).items()}
        for name in COPIES:
            place, _, copied = name.partition("_")
            built[name] = near[place].column(self.columns[copied])
        for feature, column in self.features.items():
            built[physical[feature]] = own.column(column)
        return pa.table(built)

    def _neighbours(self, rows: Ints) -> dict[str, tuple[Ints, Any]]:
        """The rows of the heads, of their heads and of the next words; and where there is no such word."""
        ids, heads, sizes = (self._codes[name] for name in ("id", "head", "n"))
        head, rootless = _moved(rows, heads[rows] - ids[rows], heads[rows] == 0)
        above = _moved(head, heads[head] - ids[head], rootless | (heads[head] == 0))
        found = {"h": (head, rootless), "hh": above}
        left = sizes[rows] - ids[rows]
        for step in (1, 2, 3):
            found["n" if step == 1 else f"n{step}"] = _moved(rows, step, left < step)
        return found

    @cached_property
    def _read_counts(self) -> dict[str, Ints]:
        sizes = {name: len(dictionary) for name, dictionary in self._dictionaries.items()}
        return {name: np.bincount(self._codes[name], minlength=size) for name, size in sizes.items()}

    def _without_lemma(self) -> None:
        """Give a code of its own to the lemmas that are `_` while the form is not."""
        form, lemma = self._dictionaries["form"], self._dictionaries["lemma"]
        form_code, lemma_code = pc.index(form, "_").as_py(), pc.index(lemma, "_").as_py()
        if lemma_code >= 0:
            none = (self._codes["lemma"] == lemma_code) & (self._codes["form"] != form_code)
            self._codes["lemma"][none] = len(lemma)
        self._dictionaries["lemma"] = pa.concat_arrays([lemma, pa.nulls(1, pa.string())])


class _Rows:
    """Some rows of a chunk, with none where `absent`; what they have in a column is looked up once for all columns
    that are made of it."""

    def __init__(self, codes: Mapping[str, npt.NDArray[Any]], rows: Ints, absent: Any = None) -> None:
        self._codes, self._rows, self._absent = codes, rows, absent
        self._seen: dict[str, tuple[Codes, Codes]] = {}

    def column(self, column: Column) -> Any:
        """A column of these rows."""
        if column.read not in self._seen:
            codes = self._codes[column.read][self._rows].astype(np.int32)
            last = len(column.places) - 1
            if self._absent is not None:
                codes[self._absent] = last
            used, changed = _numbered(codes, last + 1)
            self._seen[column.read] = used, changed[codes]
        return column.at(*self._seen[column.read])


def _numbered(codes: Codes, size: int) -> tuple[Codes, Codes]:
    """The codes below `size` that occur, and the number of each of them; -1 for all others up to `size`."""
    occurs = np.zeros(size + 1, bool)
    occurs[codes] = True
    used = np.flatnonzero(occurs[:size]).astype(np.int32)
    changed = np.full(size + 1, -1, np.int32)
    changed[used] = np.arange(len(used), dtype=np.int32)
    return used, changed


def _joined(pieces: Sequence[Any]) -> npt.NDArray[Any]:
    return np.concatenate([piece.to_numpy() for piece in pieces])


def _unified(pieces: Sequence[Any]) -> tuple[Any, Codes]:
    """The distinct values of a column of dictionaries, and the code of each row."""
    chunks = pa.chunked_array(pieces).unify_dictionaries().chunks
    return chunks[0].dictionary, np.concatenate([chunk.indices.to_numpy() for chunk in chunks])


def _moved(rows: Ints, by: Any, absent: Any) -> tuple[Ints, Any]:
    """Other rows; any row stands for one that is `absent`."""
    return np.where(absent, 0, rows + by), absent


def _first_rows(codes: Codes, size: int) -> Ints:
    first = np.full(size, len(codes))
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    return first


def _present(strings: Any) -> Any:
    """Strings in NFC, NULL for `_`."""
    return pc.if_else(pc.equal(strings, "_"), pa.scalar(None, pa.string()), composed(strings))
