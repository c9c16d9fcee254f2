"""Files of text or of trees into units to inject: sentences or documents that filters let pass, in a random order."""

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
from runner.corpus.query.matches import matching_sids
from runner.corpus.sentences.arrays import read_lines
from runner.corpus.sentences.common_size import priorities
from runner.corpus.sentences.lookup import places
from runner.corpus.store.opening import Store
from runner.corpus.text import units

Kind: TypeAlias = Literal["sentence", "document"]
SCHEMA = pa.schema(
    [
        *(("unit", pa.int64()), ("source", pa.string()), ("number", pa.int64())),
        *(("text", pa.string()), ("target", pa.bool_())),
    ]
)


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of an injected text, and where it stands: its source's label and its number there, from 1.

    `target` says whether a filter that the text is chosen by matches it.
    """

    source: str
    number: int
    text: str
    target: bool = False


Units: TypeAlias = list[list[Line]]


def from_text(path: Path, label: str, kind: Kind) -> Units:
    """The units of a text with a sentence a line; empty lines stand between documents."""
    filled = groupby(units.read_lines(path), key=lambda line: line.blank)
    documents = [
        [Line(label, line.line, " ".join(line.text.removeprefix("\ufeff").splitlines())) for line in group]
        for blank, group in filled
        if not blank
    ]
    return documents if kind == "document" else [[line] for document in documents for line in document]


def from_store(
    store: Store, kind: Kind, only: Sequence[CompiledFilter], without: Sequence[CompiledFilter]
) -> tuple[Units, int]:
    """The units of a store in which a filter of `only` matches, if there is any, and none of `without`.

    And how many others there are. A sentence that stands in no document is one by itself.
    """
    wanted, unwanted = _matching(store, only), _matching(store, without)
    every = list(_units(store, kind))
    kept = [
        [replace(line, target=sid in wanted) for sid, line in unit]
        for unit in every
        if (not only or any(sid in wanted for sid, _ in unit)) and not any(sid in unwanted for sid, _ in unit)
    ]
    return kept, len(every) - len(kept)


def _matching(store: Store, filters: Sequence[CompiledFilter]) -> set[int]:
    return set(matching_sids(store, [item.statement() for item in filters]).tolist())


def _units(store: Store, kind: Kind) -> Iterator[list[tuple[int, Line]]]:
    everything = np.arange(store.info.sentences)
    stands = zip(places(store, everything), read_lines(store), strict=True)

    def unit(item: tuple[int, str | None, Line]) -> tuple[str, str | int]:
        sid, doc, line = item
        return line.source, sid if doc is None or kind == "sentence" else doc

    lines = ((place.sid, place.doc, Line(place.source, place.number, text)) for place, text in stands)
    for _, group in groupby(lines, key=unit):
        yield [(sid, line) for sid, _, line in group]


def shuffled(units: Units, seed: int) -> Units:
    """The units in the order of their ranks: that of where a unit begins, so that texts may be added."""
    ranks = priorities(f"inject:{seed}", [unit[0].source for unit in units], [unit[0].number for unit in units])
    return [units[place] for place in np.argsort(ranks, kind="stable").tolist()]


def write_units(units: Units, path: Path) -> None:
    """Write units as a table, a row for each line, in their order."""
    rows = [(number, *astuple(line)) for number, unit in enumerate(units) for line in unit]
    columns = list(zip(*rows, strict=True)) or [()] * len(SCHEMA)
    arrays = [pa.array(column, kind.type) for column, kind in zip(columns, SCHEMA, strict=True)]
    pq.write_table(pa.table(arrays, schema=SCHEMA), path, write_page_checksum=True)


def read_units(path: Path) -> tuple[list[str], list[int], list[bool]]:
    """The lines of a table of units, the first line of each unit, with the end, and which lines are targets.

    (lines,), (units + 1,), (lines,).
    """
    table = pq.read_table(path, schema=SCHEMA)
    starts = np.flatnonzero(np.diff(table["unit"].to_numpy(), prepend=-1)).tolist()
    return table["text"].to_pylist(), [*starts, table.num_rows], table["target"].to_pylist()
