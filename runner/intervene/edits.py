"""Filters whose actions are on words into the sentences that these change: the new texts, and how much was taken."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from fictdsl.compiler import CompiledFilter
from runner.corpus.actions.edit import edited
from runner.corpus.store.opening import Store
from runner.intervene.units import Words, units

SCHEMA = pa.schema(
    [("sid", pa.int64()), ("text", pa.string())] + [(name, pa.int32()) for name in ("units", "words", "removed")]
)
BATCH = 1 << 16  # rows written at once


@dataclass(frozen=True, slots=True)
class Edit:
    """A changed sentence: its text on one line, None if no word is left; units and words taken, words removed."""

    sid: int
    text: str | None
    units: int
    words: int
    removed: int


def by_filters(store: Store, filters: Sequence[CompiledFilter]) -> Iterator[Edit]:
    """What the actions of the filters change, in corpus order. InputError where two masks clash."""
    words = Words.of(store)
    for sentence in edited(store, filters):
        found = units(words, filters, sentence.sid, sentence.taken)
        if found:
            removed = sum(unit.size for unit in found if unit.removes)
            yield Edit(sentence.sid, one_line(sentence.text), len(found), sum(unit.size for unit in found), removed)


def one_line(text: str | None) -> str | None:
    """A text with its line breaks as spaces, as training reads it."""
    return None if text is None else " ".join(text.splitlines())


def write_edits(edits: Iterable[Edit], path: Path) -> None:
    """Write changed sentences as a table, one row each, in their order."""
    rows: list[Edit] = []
    with pq.ParquetWriter(path, SCHEMA, write_page_checksum=True) as writer:
        for edit in edits:
            rows.append(edit)
            if len(rows) == BATCH:
                writer.write_table(_table(rows))
                rows.clear()
        writer.write_table(_table(rows))


def read_edits(path: Path) -> dict[int, Edit]:
    """The changed sentences of a table, by number."""
    table = pq.read_table(path, schema=SCHEMA)
    return {row[0]: Edit(*row) for row in zip(*(column.to_pylist() for column in table.columns), strict=True)}


def _table(rows: Sequence[Edit]) -> pa.Table:
    columns = list(zip(*map(astuple, rows), strict=True)) or [() for _ in fields(Edit)]
    return pa.table([pa.array(column, kind.type) for column, kind in zip(columns, SCHEMA, strict=True)], schema=SCHEMA)
