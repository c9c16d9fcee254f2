"""Read the annotations of a layer from a CoNLL-U file or a table, for the words or sentences of a store."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.suggest import did_you_mean
from fictdsl.words import counted
from runner.corpus.byte_columns import Ints, Piece, expand_lists, index_lines, read_pieces
from runner.corpus.conllu_columns import Notes, as_conllu, parse_feats
from runner.corpus.conllu_tables import parse_piece
from runner.corpus.corpus_files import open_input
from runner.corpus.store import Store
from runner.corpus.store_tables import replace_column
from runner.errors import ErrorList, InputError


def rebuilt_texts(sentences: pa.Table, raw: pa.Table) -> pa.ChunkedArray:
    return pc.coalesce(raw["rebuilt"], sentences["surface"], sentences["text"])


@dataclass(frozen=True)
class SentencePositions:
    sources: Sequence[str]
    codes: NDArray[np.int64]  # indices into `sources`
    numbers: NDArray[np.int64]
    lengths: NDArray[np.int64]
    store: Store

    @classmethod
    def read(cls, store: Store) -> SentencePositions:
        columns = ["source", "number", "length"]
        with store.reading():
            files = store.parquet("sentences")
            table = pa.concat_tables(
                [pq.read_table(p, columns=columns, page_checksum_verification=True) for p in files]
            )
        source = table["source"].combine_chunks().dictionary_encode()
        arrays = (source.indices, table["number"], table["length"])
        codes, numbers, lengths = (array.to_numpy().astype(np.int64) for array in arrays)
        return cls(source.dictionary.to_pylist(), codes, numbers, lengths, store)

    def find(self, codes: NDArray[np.int64], numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the sid of each sentence, given the code of its source and its number, or -1 if there is none."""
        keys = codes * self._key_width + numbers
        sorted_keys, order = self._sorted_keys
        rank = np.minimum(np.searchsorted(sorted_keys, keys), len(sorted_keys) - 1)
        is_missing = (codes < 0) | (numbers < 1) | (numbers >= self._key_width) | (sorted_keys[rank] != keys)
        return np.where(is_missing, -1, order[rank])

    def rebuilt_texts(self, first_sid: int) -> Iterator[str]:
        skipped_rows = first_sid
        files = zip(self.store.parquet("sentences"), self.store.parquet("raw"), strict=True)
        for sentences_file, raw_file in files:
            rows = pq.read_metadata(sentences_file).num_rows
            if skipped_rows < rows:
                sentences = pq.read_table(sentences_file, columns=["text", "surface"], page_checksum_verification=True)
                raw = pq.read_table(raw_file, columns=["rebuilt"], page_checksum_verification=True)
                yield from rebuilt_texts(sentences, raw).slice(skipped_rows).to_pylist()
            skipped_rows = max(0, skipped_rows - rows)

    @cached_property
    def _key_width(self) -> int:
        return int(self.numbers.max(initial=0)) + 1

    @cached_property
    def _sorted_keys(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        keys = self.codes * self._key_width + self.numbers
        order = np.argsort(keys, kind="stable")
        return keys[order], order


SCHEMA = pa.schema([("sid", pa.int64()), ("id", pa.int32()), ("name", pa.string()), ("value", pa.string())])
COLUMNS = ("LEMMA", "UPOS", "XPOS", "FEATS", "DEPREL", "MISC")  # the fields of CoNLL-U that a layer can add

_MAX_REJECTIONS = 10  # malformed sentences whose errors are listed


@dataclass(frozen=True, slots=True)
class LayerColumn:
    """A column of CoNLL-U to add, under the name `name`.

    For FEATS and MISC, `name` selects entries (None: all), which are added under the name `new_name`, if given.
    """

    column: str
    name: str | None
    new_name: str | None = None


def conllu_rows(path: Path, positions: SentencePositions, columns: Sequence[LayerColumn]) -> Iterator[pa.Table]:
    """Yield the annotations in some columns of a CoNLL-U file, as tables with the columns of `SCHEMA`.

    The file must have the sentences of the source that has its name, or of the whole store. Raises InputError at the
    first sentence that differs, is missing or is extra (FICT764), or with the errors of malformed sentences.
    """
    notes = Notes()
    sid, end = 0, 0
    texts: Iterator[str] = iter(())
    with open_input(path) as stream:
        for piece in read_pieces(as_conllu(stream, str(path), notes), notes):
            parsed = parse_piece(piece, str(path))
            if parsed.rejections:
                raise InputError(
                    [problem for rejection in parsed.rejections[:_MAX_REJECTIONS] for problem in rejection.diagnostics]
                )
            if parsed.tables is None:
                continue
            tables = parsed.tables
            if end == 0:
                sid, end = _sentence_span(path, positions)
                texts = positions.rebuilt_texts(sid)
            _check_sentences(path, piece, tables, positions, range(sid, end), texts)
            for rows in _annotations(tables, columns):
                yield replace_column(rows, "sid", pc.add(rows["sid"], sid))
            sid += tables["sentences"].num_rows
    if end == 0:
        raise InputError.of("FICT764", place=path, reason="it has no sentence")
    if sid < end:
        raise InputError.of("FICT764", place=path, reason=f"it ends {counted(end - sid, 'sentence')} too early")


def _sentence_span(path: Path, positions: SentencePositions) -> tuple[int, int]:
    """Return the first sid and the end of the file's source if its sentences are consecutive, else of the store."""
    if path.name in positions.sources:
        sids = np.flatnonzero(positions.codes == positions.sources.index(path.name))
        if sids[-1] - sids[0] + 1 == len(sids):
            return int(sids[0]), int(sids[-1]) + 1
    return 0, len(positions.lengths)


def _check_sentences(
    path: Path,
    piece: Piece,
    tables: Mapping[str, pa.Table],
    positions: SentencePositions,
    sids: range,
    stored_texts: Iterator[str],
) -> None:
    lengths = tables["sentences"]["length"].to_pylist()
    texts = rebuilt_texts(tables["sentences"], tables["raw"]).to_pylist()
    for index, (length, text) in enumerate(zip(lengths, texts, strict=True)):
        sid = sids.start + index
        if sid not in sids:
            reason = "the store has no more sentences"
        elif length != positions.lengths[sid] or _without_space(text) != _without_space(next(stored_texts)):
            label = positions.sources[positions.codes[sid]]
            reason = f"this is not sentence {positions.numbers[sid]:,} of {label}, which is expected here"
        else:
            continue
        line = int(index_lines(piece, Notes()).first[index])
        raise InputError.of("FICT764", place=f"{path}:{line}", reason=reason)


def _without_space(text: str) -> str:
    return "".join(text.split())


def _annotations(tables: Mapping[str, pa.Table], columns: Sequence[LayerColumn]) -> Iterator[pa.Table]:
    words = tables["tokens"]
    for column in columns:
        if column.column == "MISC":
            entries = tables["misc"].select(["sid", "id", "key", "value"]).rename_columns(SCHEMA.names).cast(SCHEMA)
            if column.name is not None:
                entries = entries.filter(pc.equal(entries["name"], column.name))
            if column.new_name is not None:
                entries = replace_column(entries, "name", pa.repeat(column.new_name, len(entries)))
            yield entries
            continue
        encoded = words[column.column].combine_chunks()
        parsed = [_named_values(column, text) for text in encoded.dictionary.to_pylist()]
        sizes = np.array([len(pairs) for pairs in parsed], np.int64)
        rows, entry_indices = expand_lists(sizes, encoded.indices.to_numpy())
        names, values = (
            pa.array([pair[part] for pairs in parsed for pair in pairs], pa.string()).take(pa.array(entry_indices))
            for part in (0, 1)
        )
        words_of_entries = words.select(["sid", "id"]).take(pa.array(rows))
        yield pa.table([*words_of_entries.columns, names, values], schema=SCHEMA)


def _named_values(column: LayerColumn, text: str) -> Sequence[tuple[str, str]]:
    if column.column == "FEATS":
        pairs = [pair for pair in parse_feats(text) or () if column.name in (None, pair[0])]
        return pairs if column.new_name is None else [(column.new_name, value) for _, value in pairs]
    assert column.name is not None
    return [] if text == "_" else [(column.name, text)]


KEYS = ("source", "number", "id")

_MAX_ERRORS = 10  # errors that are listed; the others are counted
_BATCH = 100_000  # lines


@dataclass(frozen=True, slots=True)
class Header:
    columns: Sequence[str]
    names: Sequence[str]

    @property
    def annotates_words(self) -> bool:
        return "id" in self.columns


def read_header(path: Path, requested_columns: Sequence[str] = ()) -> Header:
    """Read the first line of a table, whose annotations are `requested_columns` (default: all but `KEYS`)."""
    with open_input(path) as stream:
        first_line = next(iter(io.TextIOWrapper(stream, "utf-8-sig", errors="replace", newline="\n")), "")
    columns = first_line.rstrip("\r\n").split("\t")
    names = [name for name in columns if name not in KEYS]
    missing = [name for name in (*KEYS[:2], *requested_columns) if name not in columns]
    hint = "the first line names the columns: `source`, `number`, for words `id`, and annotations, with tabs between"
    if missing:
        reason = f"there is no column `{missing[0]}`"
        raise InputError.of("FICT761", path=path, reason=reason, hint=did_you_mean(missing[0], columns) or hint)
    if not names:
        raise InputError.of("FICT761", path=path, reason="there is no column of annotations", hint=hint)
    if len(set(columns)) < len(columns):
        raise InputError.of("FICT761", path=path, reason="two columns have the same name", hint=hint)
    return Header(columns, list(requested_columns) or names)


def table_rows(path: Path, header: Header, positions: SentencePositions) -> Iterator[pa.Table]:
    """Yield the annotations below the header, in tables with the columns of `SCHEMA`.

    `id` is NULL in annotations of sentences. `_` and empty cells are not annotations. Raises InputError (FICT762) at
    the end, with the lines that are not UTF-8 or have too many or too few columns, and those whose word or sentence is
    not in the store or has been annotated by an earlier line.
    """
    reader = _TableReader(path, header, positions)
    first_line = 2
    with open_input(path) as stream:
        next(stream, None)
        while block := list(islice(stream, _BATCH)):
            yield from reader.rows(block, first_line)
            first_line += len(block)
    reader.errors.check()


class _TableReader:
    def __init__(self, path: Path, header: Header, positions: SentencePositions) -> None:
        self._path, self._header, self._positions = path, header, positions
        self._source_codes = {label: code for code, label in enumerate(positions.sources)}
        ends = np.cumsum(positions.lengths if header.annotates_words else np.ones_like(positions.lengths))
        self._starts = np.concatenate([np.zeros(1, np.int64), ends[:-1]])  # first word of each sentence
        self._is_annotated = np.zeros(int(ends[-1]) if len(ends) else 0, bool)
        self.errors = ErrorList(_MAX_ERRORS)

    def rows(self, block: list[bytes], first_line: int) -> Iterator[pa.Table]:
        problems: list[tuple[int, str]] = []
        cells, lines = self._cells(block, first_line, problems)
        width = len(self._header.columns)
        columns = dict(zip(self._header.columns, zip(*cells, strict=True) if cells else [()] * width, strict=True))
        sids, ids = self._locate(columns, lines, problems)
        valid_rows = np.flatnonzero(sids >= 0)
        is_new = self._annotate(sids[valid_rows], ids[valid_rows])
        target = "word" if self._header.annotates_words else "sentence"
        problems += [(lines[row], f"another line annotates the same {target}") for row in valid_rows[~is_new].tolist()]
        self.errors.add(
            (diagnostic("FICT762", place=f"{self._path}:{line}", reason=reason) for line, reason in sorted(problems)),
            len(problems),
        )
        new_rows = valid_rows[is_new].tolist()
        for name in self._header.names:
            values = columns[name]
            rows = [row for row in new_rows if values[row] not in ("", "_")]
            yield pa.table(
                [
                    pa.array(sids[rows]),
                    pa.array(ids[rows], pa.int32())
                    if self._header.annotates_words
                    else pa.nulls(len(rows), pa.int32()),
                    pa.repeat(name, len(rows)),
                    pa.array([values[row] for row in rows], pa.string()),
                ],
                schema=SCHEMA,
            )

    def _cells(
        self, block: list[bytes], first_line: int, problems: list[tuple[int, str]]
    ) -> tuple[list[list[str]], list[int]]:
        width = len(self._header.columns)
        cells, lines = [], []
        for line, data in enumerate(block, first_line):
            try:
                row = data.decode().rstrip("\r\n").split("\t")
            except UnicodeDecodeError as error:
                problems.append((line, f"the byte 0x{data[error.start]:02X} is not UTF-8"))
                continue
            if len(row) == width:
                cells.append(row)
                lines.append(line)
            elif row != [""]:
                problems.append((line, f"there are {counted(len(row), 'column')} instead of {width}"))
        return cells, lines

    def _locate(
        self, columns: dict[str, tuple[str, ...]], lines: list[int], problems: list[tuple[int, str]]
    ) -> tuple[Ints, Ints]:
        """Return the sid and the word id of each line. The sid is -1, with a problem, if the store has no such word."""
        positions = self._positions
        sources = np.array([self._source_codes.get(label, -1) for label in columns["source"]], np.int64)
        numbers = np.array([_number(text) for text in columns["number"]], np.int64)
        word_ids = [_number(text) for text in columns["id"]] if self._header.annotates_words else [1] * len(lines)
        ids = np.array(word_ids, np.int64)
        sids = positions.find(sources, numbers)
        lengths = np.where(sids >= 0, positions.lengths[sids], 0)
        invalid = (sids < 0) | (ids < 1) | (ids > lengths)
        for row in np.flatnonzero(invalid).tolist():
            label, sentence = columns["source"][row], columns["number"][row]
            if sources[row] < 0:
                nearest = did_you_mean(label, list(positions.sources))
                reason = f"there is no source `{label}`" + (f"; {nearest}" if nearest else "")
            elif sids[row] < 0:
                reason = f"{label} has no sentence {sentence}"
            else:
                words = counted(int(lengths[row]), "word")
                reason = f"sentence {sentence} of {label} has {words}, and no word {columns['id'][row]}"
            problems.append((lines[row], reason))
        return np.where(invalid, -1, sids), ids

    def _annotate(self, sids: Ints, ids: Ints) -> NDArray[np.bool_]:
        indices = self._starts[sids] + ids - 1
        _, first_rows = np.unique(indices, return_index=True)
        is_new = np.zeros(len(indices), bool)
        is_new[first_rows] = True
        is_new &= ~self._is_annotated[indices]
        self._is_annotated[indices] = True
        return is_new


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 18 else 0
