"""Sentences into the Parquet files and the `store.json` of a store, chunk by chunk, in a folder not yet published."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from runner.corpus.bulk import parse
from runner.corpus.chunks import Chunk
from runner.corpus.clustered import Clustered
from runner.corpus.conllu import Tree
from runner.corpus.lane import Lane
from runner.corpus.pieces import SIZE, Piece
from runner.corpus.schema import COUNTED, FREQUENT, SCHEMA_VERSION, VALUES
from runner.corpus.tables import COPIES, TEXT, Tables, schemas
from runner.corpus.values import ValueCounts, counted
from runner.corpus.verdict import WORD_LIMIT
from runner.workspace import key, sha256_file, to_json, write_text

CHUNK_WORDS = 5_000_000


@dataclass(slots=True)
class Vocabulary:
    """What is known of a whole corpus while it is read: physical feature columns, and how often values occur."""

    features: dict[str, str] = field(default_factory=dict)
    values: dict[str, Counter[str]] = field(default_factory=dict)

    def physical(self, feature: str) -> str:
        """The column of a feature; names that differ only by case, which engines confuse, get different ones."""
        if feature not in self.features:
            taken = {name.lower() for name in self.features.values()}
            column, number = f"feat_{feature}", 2
            while column.lower() in taken:
                column, number = f"feat_{feature}~{number}", number + 1
            self.features[feature] = column
        return self.features[feature]

    def count(self, words: Clustered) -> None:
        """Add the counts of a chunk."""
        listed = {name: words.columns[name] for name in ("upos", "deprel")}
        for name, column in {**listed, **words.features}.items():
            found = zip(column.values.to_pylist(), words.counts(column).tolist(), strict=True)
            self.values.setdefault(name, Counter()).update({value: count for value, count in found if count})


class StoreWriter:
    """Writes one store into `folder`: `begin` a source, `write` its sentences, `end` it with its hash, then `finish`.

    Memory holds one chunk of at most about `chunk_words` words; chunks end where sentences end.
    """

    def __init__(
        self, folder: Path, *, chunk_words: int = CHUNK_WORDS, behind: Executor | None = None, text: bool = True
    ) -> None:
        """`behind`, at least three threads, writes what is there, and the words of a chunk, while the next one is read.

        Without `text` the store has no forms and no texts.
        """
        self._text = text
        self._folder = folder
        self._behind = behind
        self._closing = Lane(behind)  # so that at most two chunks are held in memory
        self._chunk_words = chunk_words
        self._vocabulary = Vocabulary()
        self._chunk: Chunk | None = None
        self._counts = ValueCounts(folder)
        self._ends: list[int] = []  # sentences before the end of each chunk
        self._features: list[frozenset[str]] = []  # those that each chunk has columns of
        self._trees: list[str] = []
        self._size = 0
        self._files: dict[str, dict[str, object]] = {}
        self._sources: list[dict[str, object]] = []
        self._label = ""
        self._doc: str | None = None
        self._start = (0, 0)
        self._written = 0
        self.sentences = self.words = self.chunks = 0
        for name in (*schemas(text=text), "values"):
            (folder / name).mkdir()

    def begin(self, label: str) -> None:
        """Start a source; documents do not run on from one to the next."""
        self._label, self._doc, self._start = label, None, (self.sentences, self.words)

    def add(self, tree: Tree) -> None:
        """Append a sentence to the current source."""
        self.sentences += 1
        self.words += len(tree.heads)
        self._trees.append(tree.text)
        self._size += len(tree.text)
        if self._size >= SIZE:
            self._flush()

    def write(self, found: Tables, numbers: Any = None, docs: Any = None) -> None:
        """Append many sentences to the current source.

        `numbers` are those that they have in it, where these are not the next ones; and `docs` the documents that they
        are of, where that cannot be seen from the sentences.
        """
        self.sentences += found.tables["sentences"].num_rows
        self.words += found.tables["tokens"].num_rows
        self._write(found, numbers, docs)

    def end(self, sha256: str, rejected: int = 0) -> None:
        """Finish the current source, whose file has this sha256 and `rejected` sentences that were left out."""
        self._flush()
        sentences, words = self.sentences - self._start[0], self.words - self._start[1]
        entry = {"label": self._label, "sha256": sha256, "sentences": sentences, "words": words}
        self._sources.append({**entry, "rejected": rejected})

    def register(self, relative: str) -> None:
        """Take a file that lies in the folder into the list of the store's files."""
        path = self._folder / relative
        self._files[relative] = {"sha256": sha256_file(path), "size": path.stat().st_size}

    def finish(self, annotator: Mapping[str, object] | None = None) -> None:
        """Write what is left and `store.json`, whose last key is the sha256 of the rest of it."""
        self._end_chunk(self._written)
        self._closing.wait()
        self._counts.finish()
        self.register(VALUES)
        content: dict[str, object] = {
            "schema": SCHEMA_VERSION,
            "sources": self._sources,
            "counts": {"sentences": self.sentences, "words": self.words, "chunks": self.chunks},
            "ends": self._ends,
            "features": dict(sorted(self._vocabulary.features.items())),
            "absent": {
                name: missing
                for name in sorted(self._vocabulary.features)
                if (missing := [chunk for chunk, found in enumerate(self._features) if name not in found])
            },
            "copies": [name for name in COPIES if self._text or name not in TEXT["tokens"]],
            "text": self._text,
            "values": {
                name: dict(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))[:FREQUENT])
                for name, counts in sorted(self._vocabulary.values.items())
            },
            "annotator": annotator,
            "files": dict(sorted(self._files.items())),
        }
        write_text(self._folder / "store.json", to_json({**content, "sha256": key(content)}))

    def _flush(self) -> None:
        """Write the trees that were added one by one."""
        if self._trees:
            text = "".join(tree + "\n\n" for tree in self._trees)
            self._trees, self._size = [], 0
            parsed = parse(Piece(1, text.encode()), self._label).tables
            assert parsed is not None
            self._write(parsed)

    def _write(self, found: Tables, numbers: Any = None, docs: Any = None) -> None:
        tables = self._placed(found, numbers, docs)
        lengths = tables["sentences"]["length"].to_numpy()
        done = 0
        while done < len(lengths):
            if self._chunk is None:
                self._chunk = Chunk(
                    self._folder, self.chunks, self._chunk_words + WORD_LIMIT, text=self._text, behind=self._behind
                )
            room = self._chunk_words - self._chunk.words
            end = min(len(lengths), done + 1 + int(np.searchsorted(np.cumsum(lengths[done:]), room)))
            self._chunk.add(
                tables
                if (done, end) == (0, len(lengths))
                else _between(tables, *(self._written + place for place in (done, end)))
            )
            if self._chunk.words >= self._chunk_words:
                self._end_chunk(self._written + end)
            done = end
        self._written += len(lengths)

    def _placed(self, found: Tables, numbers: Any, docs: Any) -> dict[str, pa.Table]:
        """The tables with the numbers that their sentences have in the store."""
        tables = {
            name: _replaced(table, "sid", pc.add(table["sid"], self._written)) for name, table in found.tables.items()
        }
        sentences = tables["sentences"]
        if docs is None:
            docs = pa.concat_arrays([pa.array([self._doc], pa.string()), *sentences["doc"].chunks])
            docs = pc.fill_null_forward(docs)[1:]
        if numbers is None:
            numbers = pc.add(sentences["number"], self._written - self._start[0])
        self._doc = docs[-1].as_py()
        sentences = _replaced(_replaced(sentences, "doc", docs), "number", numbers)
        source = pa.repeat(pa.scalar(self._label), sentences.num_rows)
        tables["sentences"] = _replaced(sentences, "source", source)
        return tables

    def _end_chunk(self, sentences: int) -> None:
        """End the chunk that is open, after so many sentences in all."""
        chunk, self._chunk = self._chunk, None
        if chunk is None:
            return
        self._ends.append(sentences)
        self.chunks += 1
        self._closing.call(self._close, chunk)

    def _close(self, chunk: Chunk) -> None:
        words = chunk.end()
        self._vocabulary.count(words)
        self._counts.add(counted(words, [name for name in COUNTED if self._text or name not in TEXT["tokens"]]))
        self._features.append(frozenset(words.features))
        chunk.write(words, {feature: self._vocabulary.physical(feature) for feature in words.features})
        for relative in chunk.files.values():
            self.register(relative)


def _replaced(table: pa.Table, name: str, column: object) -> pa.Table:
    index = table.schema.get_field_index(name)
    return table.set_column(index, table.schema.field(index), column)


def _between(tables: Mapping[str, pa.Table], first: int, after: int) -> dict[str, pa.Table]:
    """The rows of the sentences from `first` to before `after`."""
    found = {}
    for name, table in tables.items():
        start, end = np.searchsorted(table["sid"].to_numpy(), (first, after))
        found[name] = table.slice(start, end - start)
    return found
