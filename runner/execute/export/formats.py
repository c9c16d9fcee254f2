"""Write a corpus in one of the export formats. The bytes depend on the corpus only."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq

from runner.execute.export.rows import Corpus

Format: TypeAlias = Literal["text", "jsonl", "parquet", "hf"]

_BATCH_ROWS = 65_536  # rows per batch and per row group of Parquet


def write_lines(corpus: Corpus, path: Path) -> None:
    """Write a sentence per line, and an empty line between documents if the corpus has any."""
    document_starts = frozenset(corpus.starts.tolist()) - {0} if corpus.has_documents else frozenset()
    with path.open("w", encoding="utf-8", newline="\n") as file:
        index = 0
        for batch in corpus.rows.select(["text"]).to_batches(_BATCH_ROWS):
            for text in batch.column(0).to_pylist():
                file.write(f"\n{text}\n" if index in document_starts else f"{text}\n")
                index += 1


def write_json_lines(corpus: Corpus, path: Path) -> None:
    """Write an object per sentence. `metadata` maps a key to its value, or to a list if the key is repeated."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for record in _records(corpus.rows):
            file.write(json.dumps(record, ensure_ascii=False) + "\n")


def write_parquet(corpus: Corpus, path: Path) -> None:
    """Write a row per sentence. `metadata` is a list of keys and values."""
    pq.write_table(corpus.rows, path, row_group_size=_BATCH_ROWS, write_page_checksum=True)


def _records(rows: pa.Table) -> Iterator[dict[str, Any]]:
    for batch in rows.to_batches(_BATCH_ROWS):
        for record in batch.to_pylist():
            yield record | {"metadata": _values_by_key(record["metadata"] or [])}


def _values_by_key(comments: list[dict[str, str]]) -> dict[str, str | list[str]]:
    values: dict[str, list[str]] = {}
    for comment in comments:
        values.setdefault(comment["key"], []).append(comment["value"])
    return {key: entries[0] if len(entries) == 1 else entries for key, entries in values.items()}


WRITERS: Mapping[str, tuple[str, Callable[[Corpus, Path], None]]] = {  # suffix and writer by format
    "text": (".txt", write_lines),
    "jsonl": (".jsonl", write_json_lines),
    "parquet": (".parquet", write_parquet),
    "hf": (".parquet", write_parquet),
}
