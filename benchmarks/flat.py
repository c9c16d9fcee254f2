"""A CoNLL-U file into one Parquet file of its columns in sentence order: what the naive queries read.

Beside the columns of CoNLL-U it has those that the limit is measured on: lower-case forms and lemmas, and one column
for each feature that the filters name.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

FEATURES = ("Degree", "Number", "Reflex", "Voice")
ROW_GROUP = 122_880
SCHEMA = pa.schema(
    [("sid", pa.int64()), ("id", pa.int32())]
    + [(name, pa.string()) for name in ("form", "lemma", "upos", "xpos", "feats")]
    + [("head", pa.int32()), ("deprel", pa.string()), ("form_l", pa.string()), ("lemma_l", pa.string())]
    + [(f"feat_{name}", pa.string()) for name in FEATURES]
)


def flatten(source: Path, target: Path) -> Path:
    """Write the file under another name and rename it; sentences are numbered from 0."""
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    with pq.ParquetWriter(temporary, SCHEMA, compression="snappy", use_dictionary=True) as writer:
        for columns in _batches(source):
            writer.write_table(pa.Table.from_arrays(columns, schema=SCHEMA), row_group_size=ROW_GROUP)
    temporary.replace(target)
    return target


def _batches(source: Path) -> Iterator[list[pa.Array]]:
    sid, sids, rows = 0, list[int](), list[list[str]]()
    with source.open(encoding="utf-8") as stream:
        for line in stream:
            if line == "\n":
                sid += 1
                if len(rows) >= 8 * ROW_GROUP:
                    cut = len(rows) - len(rows) % ROW_GROUP
                    yield _arrays(sids[:cut], rows[:cut])
                    sids, rows = sids[cut:], rows[cut:]
            elif line[0] != "#":
                fields = line.split("\t")
                if fields[0].isdigit():
                    sids.append(sid)
                    rows.append(fields)
    if rows:
        yield _arrays(sids, rows)


def _arrays(sids: Sequence[int], rows: Sequence[Sequence[str]]) -> list[pa.Array]:
    ids, forms, lemmas, upos, xpos, feats, heads, deprels, _, _ = zip(*rows, strict=True)
    of: dict[str, dict[str, str]] = {
        text: dict(pair.split("=", 1) for pair in text.split("|")) if text != "_" else {} for text in set(feats)
    }
    lower = {word: word.lower() for word in {*forms, *lemmas}}
    columns = [forms, _null(lemmas), _null(upos), _null(xpos), _null(feats)]
    return [
        pa.array(sids, pa.int64()),
        pa.array(map(int, ids), pa.int32()),
        *(pa.array(column, pa.string()) for column in columns),
        pa.array(map(int, heads), pa.int32()),
        pa.array(_null(deprels), pa.string()),
        pa.array([lower[form] for form in forms], pa.string()),
        pa.array([None if lemma == "_" else lower[lemma] for lemma in lemmas], pa.string()),
        *(pa.array([of[text].get(name) for text in feats], pa.string()) for name in FEATURES),
    ]


def _null(values: Sequence[str]) -> list[str | None]:
    return [None if value == "_" else value for value in values]
