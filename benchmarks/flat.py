"""Convert a CoNLL-U file to one Parquet file of its columns in sentence order, for the naive queries.

The decoding benchmark needs further columns: lower-case forms and lemmas, and one per feature that the filters name.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from runner.corpus.byte_columns import Piece, Rows, index_lines, parse_rows, read_pieces
from runner.corpus.conllu_columns import Notes
from runner.corpus.conllu_validation import validate

FEATURES = ("Degree", "Number", "Reflex", "Voice")
ROW_GROUP = 122_880  # rows, the default of DuckDB
STRING_COLUMNS = {"form": 1, "lemma": 2, "upos": 3, "xpos": 4, "feats": 5, "deprel": 7}  # positions in CoNLL-U, from 0
SCHEMA = pa.schema(
    [("sid", pa.int64()), ("id", pa.int32()), ("head", pa.int32())]
    + [(name, pa.string()) for name in (*STRING_COLUMNS, "form_l", "lemma_l", *(f"feat_{name}" for name in FEATURES))]
)


def flatten(source: Path, target: Path) -> Path:
    """Write `target` under a temporary name, rename it and return it; the column `sid` numbers sentences from 0."""
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    sentences, buffered_tables = 0, list[pa.Table]()
    with source.open("rb") as stream, pq.ParquetWriter(temporary, SCHEMA, compression="snappy") as writer:
        for piece in read_pieces(stream, Notes()):
            table, sentence_count = _words(piece, sentences)
            sentences += sentence_count
            buffered_tables.append(table)
            buffered = pa.concat_tables(buffered_tables)
            complete = buffered.num_rows - buffered.num_rows % ROW_GROUP
            writer.write_table(buffered.slice(0, complete), row_group_size=ROW_GROUP)
            buffered_tables = [buffered.slice(complete)]
        writer.write_table(pa.concat_tables(buffered_tables), row_group_size=ROW_GROUP)
    temporary.replace(target)
    return target


def _words(piece: Piece, first_sid: int) -> tuple[pa.Table, int]:
    """Return the words of a piece, whose first sentence has the number `first_sid`, and its number of sentences."""
    lines = index_lines(piece, Notes())
    parsed = parse_rows(lines)
    assert isinstance(parsed, Rows), "not CoNLL-U"
    block_count = len(lines.first)
    structure = validate(parsed, block_count)
    assert not isinstance(structure, np.ndarray), "not trees"

    def column(name: str, change: Callable[[str], str | None]) -> pa.Array:
        words = parsed.columns[STRING_COLUMNS[name]].take(structure.words)
        changed = pa.array(map(change, words.values), pa.string())
        return pa.DictionaryArray.from_arrays(words.codes, changed).cast(pa.string())

    def feature(name: str) -> Callable[[str], str | None]:
        prefix = f"|{name}="
        return lambda feats: f"|{feats}".partition(prefix)[2].partition("|")[0] or None

    columns = {
        "sid": pa.array(parsed.block[structure.words] + first_sid, pa.int64()),
        "id": pa.array(structure.word_id[structure.words], pa.int32()),
        "head": pa.array(structure.heads, pa.int32()),
        "form": column("form", str),
        **{name: column(name, _or_null) for name in STRING_COLUMNS if name != "form"},
        "form_l": column("form", str.lower),
        "lemma_l": column("lemma", lambda lemma: _or_null(lemma.lower())),
        **{f"feat_{name}": column("feats", feature(name)) for name in FEATURES},
    }
    return pa.table([columns[name] for name in SCHEMA.names], schema=SCHEMA), block_count


def _or_null(value: str) -> str | None:
    return None if value == "_" else value
