"""Apply filters' actions on words, and read and write the edited sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from fictdsl.compiler import CompiledFilter
from runner.corpus.actions import edit_sentences
from runner.corpus.sentence_arrays import Indices
from runner.corpus.store import Store
from runner.intervene.units import Words, taken_units

SCHEMA = pa.schema(
    [
        ("sid", pa.int64()),
        ("text", pa.string()),
        *((name, pa.int32()) for name in ("units", "words", "removed")),
        ("original", pa.string()),
    ]
)
BATCH_ROWS = 1 << 16  # rows per row group


@dataclass(frozen=True, slots=True)
class Edit:
    """An edited sentence: its text on one line, or None if no word remains.

    `units` and `words` count the edited units and their words, and `removed` the words that are removed. If the edited
    corpus also contains the original sentence on a separate line, and that line is edited too, `original` is its edited
    text.
    """

    sid: int
    text: str | None
    units: int
    words: int
    removed: int
    original: str | None = None


def edits_of_filters(store: Store, filters: Sequence[CompiledFilter], sids: Indices | None = None) -> Iterator[Edit]:
    """Yield the sentences that the filters' actions change, in corpus order. With `sids`, yield only these sentences.

    Raises InputError (FICT747) if two masks replace one word differently.
    """
    words, selected = Words.of(store), None if sids is None else set(sids.tolist())
    for sentence in edit_sentences(store, filters):
        if selected is not None and sentence.sid not in selected:
            continue
        units = taken_units(words, filters, sentence.sid, sentence.targets)
        if units:
            removed = sum(unit.size for unit in units if unit.removes)
            yield Edit(sentence.sid, one_line(sentence.text), len(units), sum(unit.size for unit in units), removed)


def one_line(text: str | None) -> str | None:
    """Replace line breaks with spaces, since training reads one sentence per line. Return None for None."""
    return None if text is None else " ".join(text.splitlines())


def write_edits(edits: Iterable[Edit], path: Path) -> None:
    """Write edited sentences in their order to a Parquet file, with one row per sentence."""
    rows: list[Edit] = []
    with pq.ParquetWriter(path, SCHEMA, write_page_checksum=True) as writer:
        for edit in edits:
            rows.append(edit)
            if len(rows) == BATCH_ROWS:
                writer.write_table(_table(rows))
                rows.clear()
        writer.write_table(_table(rows))


def read_edits(path: Path) -> dict[int, Edit]:
    """Read the edited sentences of a Parquet file, by sentence id."""
    table = pq.read_table(path, schema=SCHEMA)
    return {row[0]: Edit(*row) for row in zip(*(column.to_pylist() for column in table.columns), strict=True)}


def _table(rows: Sequence[Edit]) -> pa.Table:
    columns = list(zip(*map(astuple, rows), strict=True)) or [() for _ in fields(Edit)]
    return pa.table(
        [pa.array(column, field.type) for column, field in zip(columns, SCHEMA, strict=True)], schema=SCHEMA
    )
