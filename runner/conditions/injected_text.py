"""Texts that conditions inject: units of sentences, and where they are inserted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from fictdsl.compiler import CompiledFilter
from runner.conditions.samples import TooFewError
from runner.corpus.matches import matching_sids
from runner.corpus.raw_text import read_lines as read_text_lines
from runner.corpus.sentence_arrays import Indices, read_lines, sentence_ranks
from runner.corpus.sentence_texts import locate
from runner.corpus.store import Store

UnitKind: TypeAlias = Literal["sentence", "document"]
SCHEMA = pa.schema(
    [
        *(("unit", pa.int64()), ("source", pa.string()), ("number", pa.int64())),
        *(("text", pa.string()), ("target", pa.bool_())),
    ]
)


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of an injected text, its source and number there from 1, and whether a filter of `only` matches it."""

    source: str
    number: int
    text: str
    target: bool = False


Units: TypeAlias = list[list[Line]]


def read_text_units(path: Path, label: str, kind: UnitKind) -> Units:
    groups = groupby(read_text_lines(path), key=lambda line: line.blank)
    documents = [
        [Line(label, line.line, " ".join(line.text.removeprefix("\ufeff").splitlines())) for line in group]
        for blank, group in groups
        if not blank
    ]
    return documents if kind == "document" else [[line] for document in documents for line in document]


def read_store_units(
    store: Store, kind: UnitKind, only: Sequence[CompiledFilter], without: Sequence[CompiledFilter]
) -> tuple[Units, list[int], int]:
    """Return the units that `only` and `without` select in a store, their numbers there, and the count of the others.

    If `only` has filters, at least one of them must match a sentence of the unit. No filter of `without` may match
    one. A sentence outside any document is a document by itself.
    """
    required, excluded = _matching_sids(store, only), _matching_sids(store, without)
    units = list(_units(store, kind))
    numbers = [
        number
        for number, unit in enumerate(units)
        if (not only or any(sid in required for sid, _ in unit)) and not any(sid in excluded for sid, _ in unit)
    ]
    selected = [[replace(line, target=sid in required) for sid, line in units[number]] for number in numbers]
    return selected, numbers, len(units) - len(selected)


def _matching_sids(store: Store, filters: Sequence[CompiledFilter]) -> set[int]:
    return set(matching_sids(store, filters).tolist())


def _units(store: Store, kind: UnitKind) -> Iterator[list[tuple[int, Line]]]:
    sids = np.arange(store.info.sentences)
    sentences = zip(locate(store, sids), read_lines(store), strict=True)

    def unit_key(item: tuple[int, str | None, Line]) -> tuple[str, str | int]:
        sid, doc, line = item
        return line.source, sid if doc is None or kind == "sentence" else doc

    lines = ((location.sid, location.doc, Line(location.source, location.number, text)) for location, text in sentences)
    for _, group in groupby(lines, key=unit_key):
        yield [(sid, line) for sid, _, line in group]


def shuffle_units(units: Units, seed: int, numbers: Sequence[int] | None = None) -> Units:
    numbers = [unit[0].number for unit in units] if numbers is None else numbers
    ranks = sentence_ranks(f"inject:{seed}", [unit[0].source for unit in units], numbers)
    return [units[index] for index in np.argsort(ranks, kind="stable").tolist()]


def write_units(units: Units, path: Path) -> None:
    rows = [(index, *astuple(line)) for index, unit in enumerate(units) for line in unit]
    columns = list(zip(*rows, strict=True)) or [()] * len(SCHEMA)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, SCHEMA, strict=True)]
    pq.write_table(pa.table(arrays, schema=SCHEMA), path, write_page_checksum=True)


def read_units(path: Path) -> tuple[list[str], list[int], list[bool]]:
    """Return the texts of the n lines, the index of each unit's first line and n, and whether each line is a target."""
    table = pq.read_table(path, schema=SCHEMA)
    starts = np.flatnonzero(np.diff(table["unit"].to_numpy(), prepend=-1)).tolist()
    return table["text"].to_pylist(), [*starts, table.num_rows], table["target"].to_pylist()


class UnitTooLongError(Exception):
    def __init__(self, requested: int, length: int) -> None:
        super().__init__(f"{requested} tokens requested, a unit has {length}")
        self.requested, self.length = requested, length


@dataclass(frozen=True, slots=True)
class Injection:
    """The first units: unit j replaces the lines from `runs[j][0]` up to `runs[j][1]`. Numbers are of tokens."""

    runs: list[tuple[int, int]]
    requested: float
    injected: int
    replaced: int


def plan_injection(lines: Indices, units: Indices, fraction: float, *, replace: bool) -> Injection:
    """Spread the first units so that they have `fraction` of a corpus's tokens, to within half the longest unit.

    `lines` (n,) and `units` (u,) are lengths in tokens. The corpus is divided into one segment per unit, with equally
    many tokens, and each unit is placed as close to its middle as possible. With `replace`, it replaces lines with as
    many tokens. Raises TooFewError, and UnitTooLongError if no unit would be injected.
    """
    total = int(lines.sum())
    requested = fraction * total
    unit_offsets = np.concatenate([[0], np.cumsum(units)])
    count = int(np.argmin(np.abs(unit_offsets - requested)))
    if requested - int(unit_offsets[-1]) > int(units.max(initial=0)) / 2:
        raise TooFewError(round(requested), int(unit_offsets[-1]), "tokens")
    if requested > 0 and not count:
        raise UnitTooLongError(round(requested), int(units[0]))
    offsets = np.concatenate([[0], np.cumsum(lines)])
    edges = np.searchsorted(offsets[:-1], total * np.arange(count + 1) / max(count, 1))
    tolerance = int(units[:count].max(initial=0)) / 2
    runs: list[tuple[int, int]] = []
    replaced = 0
    for unit in range(count):
        missing = requested * (unit + 1) / count - replaced if replace else 0.0
        middle = total * (unit + 0.5) / count
        start, stop = _best_run(offsets, int(edges[unit]), int(edges[unit + 1]), missing, middle, tolerance)
        replaced += int(offsets[stop] - offsets[start])
        runs.append((start, stop))
    return Injection(runs, requested, int(unit_offsets[count]), replaced)


def _best_run(offsets: Indices, low: int, high: int, tokens: float, middle: float, tolerance: float) -> tuple[int, int]:
    """Return the run of lines with about `tokens` tokens, or the closest number, that is nearest to the middle."""
    starts = np.arange(low, max(low, high - 1) + 1)
    longer = np.clip(np.searchsorted(offsets, offsets[starts] + tokens), starts, max(low, high))
    shorter = np.maximum(longer - 1, starts)
    is_closer = np.abs(_token_counts(offsets, starts, shorter) - tokens) < np.abs(
        _token_counts(offsets, starts, longer) - tokens
    )
    stops = np.where(is_closer, shorter, longer)
    error = np.abs(_token_counts(offsets, starts, stops) - tokens)
    distance = np.abs((offsets[starts] + offsets[stops]) / 2 - middle)
    best = int(np.lexsort((distance, np.where(error <= tolerance, 0.0, error)))[0])
    return int(starts[best]), int(stops[best])


def _token_counts(offsets: Indices, starts: Indices, stops: Indices) -> Indices:
    return np.asarray(offsets[stops] - offsets[starts], dtype=np.int64)


def apply_injection(sids: Indices, injection: Injection, units: Indices) -> tuple[Indices, Indices]:
    id_ranges: list[Indices] = []
    replaced: list[Indices] = [sids[:0]]
    end = 0
    for unit, (start, stop) in enumerate(injection.runs):
        id_ranges += [sids[end:start], ~np.arange(units[unit], units[unit + 1], dtype=np.int64)]
        replaced.append(sids[start:stop])
        end = stop
    return np.concatenate([*id_ranges, sids[end:]]), np.concatenate(replaced)
