"""Trees into the Parquet files and the `store.json` of a store, chunk by chunk, in a folder not yet published."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from runner.corpus.conllu import Tree
from runner.corpus.tables import TABLES, Batch, Vocabulary
from runner.workspace import canonical_json as canonical
from runner.workspace import key, sha256_file, write_text

SCHEMA_VERSION = 1
ROW_GROUP = 122_880  # DuckDB's own size: one thread reads one row group
CHUNK_WORDS = 2_000_000
FREQUENT = 1_000  # values of one column that are listed with their counts


class StoreWriter:
    """Writes one store into `folder`: `begin` a source, `add` its trees, `end` it with its hash, then `finish`.

    Memory holds one chunk of at most about `chunk_words` words; chunks end where sentences end.
    """

    def __init__(self, folder: Path, *, chunk_words: int = CHUNK_WORDS) -> None:
        self._folder = folder
        self._chunk_words = chunk_words
        self._vocabulary = Vocabulary()
        self._batch = Batch()
        self._pending: dict[str, list[pa.Table]] = {name: [] for name in TABLES}
        self._pending_words = 0
        self._files: dict[str, dict[str, object]] = {}
        self._sources: list[dict[str, object]] = []
        self._label = ""
        self._doc: str | None = None
        self._start = (0, 0)
        self.sentences = self.words = self.chunks = 0
        for name in TABLES:
            (folder / name).mkdir()

    def begin(self, label: str) -> None:
        """Start a source; documents do not run on from one to the next."""
        self._label, self._doc, self._start = label, None, (self.sentences, self.words)

    def add(self, tree: Tree) -> None:
        """Append a sentence to the current source."""
        number = self.sentences - self._start[0] + 1
        self._doc = self._batch.add(self.sentences, tree, self._label, number, self._doc)
        self.sentences += 1
        self.words += len(tree.heads)
        if self._batch.words >= ROW_GROUP:
            self._flush_batch()

    def end(self, sha256: str, rejected: int = 0) -> None:
        """Finish the current source, whose file has this sha256 and `rejected` sentences that were left out."""
        sentences, words = self.sentences - self._start[0], self.words - self._start[1]
        entry = {"label": self._label, "sha256": sha256, "sentences": sentences, "words": words}
        self._sources.append({**entry, "rejected": rejected})

    def register(self, relative: str) -> None:
        """Take a file that lies in the folder into the list of the store's files."""
        path = self._folder / relative
        self._files[relative] = {"sha256": sha256_file(path), "size": path.stat().st_size}

    def finish(self, annotator: Mapping[str, object] | None = None) -> None:
        """Write what is left and `store.json`, whose last key is the sha256 of the rest of it."""
        self._flush_batch()
        self._flush_chunk()
        content: dict[str, object] = {
            "schema": SCHEMA_VERSION,
            "sources": self._sources,
            "counts": {"sentences": self.sentences, "words": self.words, "chunks": self.chunks},
            "features": dict(sorted(self._vocabulary.features.items())),
            "values": {
                name: dict(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))[:FREQUENT])
                for name, counts in sorted(self._vocabulary.values.items())
            },
            "annotator": annotator,
            "files": dict(sorted(self._files.items())),
        }
        write_text(self._folder / "store.json", to_json({**content, "sha256": key(content)}))

    def _flush_batch(self) -> None:
        if self._batch.words:
            for name, table in self._batch.tables(self._vocabulary).items():
                self._pending[name].append(table)
            self._pending_words += self._batch.words
            self._batch = Batch()
        if self._pending_words >= self._chunk_words:
            self._flush_chunk()

    def _flush_chunk(self) -> None:
        if not self._pending_words:
            return
        for name, tables in self._pending.items():
            relative = f"{name}/{self.chunks:05d}.parquet"
            path = self._folder / relative
            table = pa.concat_tables(tables, promote_options="default")
            pq.write_table(table, path, row_group_size=ROW_GROUP, compression="snappy", write_page_checksum=True)
            self.register(relative)
            tables.clear()
        self.chunks += 1
        self._pending_words = 0


def to_json(content: Mapping[str, object]) -> str:
    """A JSON object with one top-level key a line, in the order given, so that people can read it."""
    lines = [f"  {canonical(name)}: {canonical(value)}" for name, value in content.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"
