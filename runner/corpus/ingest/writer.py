"""Sentences into the Parquet files and the `store.json` of a store, chunk by chunk, in a folder not yet published."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from runner.corpus.conllu.conllu_errors import WORD_LIMIT
from runner.corpus.conllu.reader import Tree
from runner.corpus.conllu.tables import COPIES, TEXT, Tables, schemas
from runner.corpus.conllu.tables_of_pieces import parse
from runner.corpus.files.pieces import SIZE, Piece
from runner.corpus.ingest.chunks import Chunk
from runner.corpus.ingest.value_counts import ValueCounts
from runner.corpus.ingest.vocabulary import Vocabulary
from runner.corpus.ingest.words import WordFiles, write_words
from runner.corpus.processes.process_pool import Crew
from runner.corpus.store.schema import FREQUENT, SCHEMA_VERSION, VALUES
from runner.workspace import key, sha256_file, to_json, write_text

CHUNK_WORDS = 5_000_000


class StoreWriter:
    """Writes one store into `folder`: `begin` a source, `write` its sentences, `end` it with its hash, then `finish`.

    Memory holds one chunk of at most about `chunk_words` words; chunks end where sentences end.
    """

    def __init__(
        self,
        folder: Path,
        *,
        chunk_words: int = CHUNK_WORDS,
        behind: ThreadPoolExecutor | None = None,
        crew: Crew | None = None,
        text: bool = True,
    ) -> None:
        """The thread of `behind` writes what is there, and the `crew` the words of a chunk, while the next one is read.

        Without `text` the store has no forms and no texts.
        """
        self._text = text
        self._folder = folder
        self._behind = behind
        self._crew = crew
        self._closing: Callable[[], None] | None = None  # ends what is done of the last chunk
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
        self._wait()
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
        if numbers is None:
            numbers = pc.add(sentences["number"], self._written - self._start[0])
        if docs is None:
            begun = _named(sentences["doc"].combine_chunks(), self._label, numbers.combine_chunks())
            docs = pc.fill_null_forward(pa.concat_arrays([pa.array([self._doc], pa.string()), begun]))[1:]
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
        words = chunk.end()
        self._wait()  # so that at most two chunks are held in memory
        files = WordFiles(self._folder / chunk.files["tokens"], self._counts.part(), self._text)
        if self._crew is None:
            self._close(chunk, *write_words(words, files, self._vocabulary.features, beside=False))
            return
        coming = self._crew.call_long(write_words, words, files, self._vocabulary.features, beside=True)
        self._closing = lambda: self._close(chunk, *coming.result())

    def _wait(self) -> None:
        closing, self._closing = self._closing, None
        if closing is not None:
            closing()

    def _close(self, chunk: Chunk, known: Vocabulary, features: Sequence[str]) -> None:
        """Take in what is known of a chunk whose words are written."""
        self._vocabulary.add(known)
        self._features.append(frozenset(features))
        chunk.wait()
        for relative in chunk.files.values():
            self.register(relative)


def _named(docs: Any, label: str, numbers: Any) -> Any:
    """Documents, those without a name of their own called after their source and the number of their first sentence."""
    return pc.if_else(pc.equal(docs, ""), pc.binary_join_element_wise(label, numbers.cast(pa.string()), "-"), docs)


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
