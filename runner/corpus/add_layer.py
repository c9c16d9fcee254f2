"""Add a layer of annotations to a store: write new files, and list them in `store.json`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from fictdsl.schema import FEATURE_PREFIX
from runner.corpus.byte_columns import to_nfc
from runner.corpus.conllu_columns import parse_number
from runner.corpus.layer_files import SCHEMA
from runner.corpus.run_query import fetch_rows
from runner.corpus.store import Store
from runner.corpus.store_files import FOLDER, FREQUENT, ROW_GROUP, Kind, Layer
from runner.corpus.store_tables import SCHEMAS, replace_column
from runner.errors import InputError
from runner.readers import parse_json, read_document
from runner.workspace import changed_error, key, lock, publish_dir, sha256_file, to_json, write_text

_KIND_NAMES: Mapping[Kind, str] = {"feature": "feature", "misc": "key of MISC", "meta": "comment"}
_NAME_PATTERNS = {
    "feature": re.compile(r"[A-Z]\w*(\[\w+\])?"),
    "misc": re.compile(r"[^\s=|]([^=|\t]*[^\s=|])?"),
    "meta": re.compile(r"[^\s=]([^=\t]*[^\s=])?"),
}


def add_layer(store: Store, name: str, kind: Kind, rows: Iterable[pa.Table], source: Path) -> Layer:
    """Write the layer `name` from tables with the columns of `layer_files.SCHEMA`, which were read from `source`.

    The description of the store is replaced last, which changes its key. Memory holds the annotations of one chunk.
    """
    description = store.path / "store.json"
    with lock(store.path):
        content = parse_json(read_document(description))
        if content.pop("sha256") != store.key:
            raise changed_error(description)
        if any(layer.name.lower() == name.lower() for layer in store.info.layers):  # some file systems ignore case
            raise InputError.of("FICT765", path=store.path, name=name)
        with publish_dir(store.path / FOLDER / name, replace=True) as folder:
            names, count = _partition_by_chunk(rows, np.array(store.info.ends), folder)
            if not count:
                raise InputError.of("FICT766", path=source)
            _check_names(store, kind, names)
            value_counts: dict[str, Counter[str]] = {}
            row_count, files = 0, {}
            for chunk in range(store.info.chunks):
                file = folder / f"{chunk:05d}.parquet"
                row_count += _write_chunk(file, kind, _read_chunk(file.with_suffix(".rows")), names, value_counts)
                files[f"{FOLDER}/{name}/{file.name}"] = {"sha256": sha256_file(file), "size": file.stat().st_size}
        counts = {feature: dict(sorted(counter.most_common(FREQUENT))) for feature, counter in value_counts.items()}
        layer = Layer(name, kind, tuple(names), source.name, sha256_file(source), row_count, counts)
        layer_fields = asdict(layer)
        content["layers"] = {**content["layers"], layer_fields.pop("name"): layer_fields}
        content["files"] = dict(sorted({**content["files"], **files}.items()))
        write_text(description, to_json({**content, "sha256": key(content)}))
    return layer


def _partition_by_chunk(rows: Iterable[pa.Table], chunk_ends: np.ndarray, folder: Path) -> tuple[list[str], int]:
    names: dict[str, None] = {}
    count = 0
    with ExitStack() as stack:
        files = [
            stack.enter_context(pa.ipc.new_file(folder / f"{chunk:05d}.rows", SCHEMA))
            for chunk in range(len(chunk_ends))
        ]
        for table in map(_normalize, rows):
            names |= dict.fromkeys(table["name"].unique().to_pylist())
            count += table.num_rows
            chunks = np.searchsorted(chunk_ends, table["sid"].to_numpy(), side="right")
            for chunk in np.unique(chunks).tolist():
                files[chunk].write_table(table.filter(pa.array(chunks == chunk)))
    return list(names), count


def _normalize(rows: pa.Table) -> pa.Table:
    for column in ("name", "value"):
        rows = replace_column(rows, column, to_nfc(rows[column].combine_chunks()))
    return rows


def _read_chunk(path: Path) -> pa.Table:
    with pa.ipc.open_file(path) as file:
        table = file.read_all()
    path.unlink()
    ids = pc.fill_null(table["id"], 0).to_numpy()
    return table.take(pa.array(np.lexsort((ids, table["sid"].to_numpy()))))


def _write_chunk(
    path: Path, kind: Kind, table: pa.Table, names: Sequence[str], value_counts: dict[str, Counter[str]]
) -> int:
    if kind == "feature":
        output = _pivot(table, names)
        for name in names:
            for entry in output[FEATURE_PREFIX + name].drop_null().value_counts().to_pylist():
                value_counts.setdefault(name, Counter())[entry["values"]] += entry["counts"]
    else:
        numbers = [parse_number(value) for value in table["value"].to_pylist()]
        columns = {**{column: table[column] for column in ("sid", "id", "value")}, "key": table["name"], "num": numbers}
        schema = SCHEMAS[kind]
        output = pa.table({field.name: columns[field.name] for field in schema}, schema)
    pq.write_table(output, path, compression="zstd", write_page_checksum=True, row_group_size=ROW_GROUP)
    return int(output.num_rows)


def _pivot(table: pa.Table, names: Sequence[str]) -> pa.Table:
    sids, ids = table["sid"].to_numpy(), table["id"].to_numpy()
    first_rows_of_words = np.flatnonzero(np.append(True, (np.diff(sids) != 0) | (np.diff(ids) != 0))[: len(sids)])
    word_of_row = np.repeat(np.arange(len(first_rows_of_words)), np.diff(np.append(first_rows_of_words, len(sids))))
    columns = {
        "sid": table["sid"].take(pa.array(first_rows_of_words)),
        "id": table["id"].take(pa.array(first_rows_of_words)),
    }
    for name in names:
        name_rows = np.flatnonzero(pc.equal(table["name"], name).to_numpy())
        values = table["value"].take(pa.array(name_rows))
        words, first_rows = np.unique(word_of_row[name_rows], return_index=True)
        if len(words) < len(name_rows):  # several values of a feature are joined by commas
            joined = [",".join(parts) for parts in np.split(np.array(values.to_pylist(), object), first_rows[1:])]
            values = pa.array(joined, pa.string())
        value_indices = np.full(len(first_rows_of_words), -1)
        value_indices[words] = np.arange(len(words))
        columns[FEATURE_PREFIX + name] = values.take(pa.array(value_indices, mask=value_indices < 0))
    return pa.table(columns)


def _check_names(store: Store, kind: Kind, names: Sequence[str]) -> None:
    if kind == "feature":
        existing = {*store.info.features}
    else:
        query = f"SELECT DISTINCT key FROM {kind}"  # noqa: S608
        existing = {key for (key,) in fetch_rows(store, query, tables=[kind])}
    invalid = next((name for name in names if not _NAME_PATTERNS[kind].fullmatch(name)), None)
    if invalid is not None:
        raise InputError.of("FICT767", name=invalid, kind=_KIND_NAMES[kind])
    for name in names:
        if name in existing:
            hint = f"choose another name, such as `{name}2`, or select other columns with `--columns`"
            raise InputError.of("FICT763", path=store.path, kind=_KIND_NAMES[kind], name=name, hint=hint)
