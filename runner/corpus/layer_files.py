"""Read the annotations of a layer from a CoNLL-U file or a table, for the words or sentences of a store."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.diagnostics.suggest import did_you_mean
from fictdsl.words import counted
from runner.corpus import conllu_columns
from runner.corpus.byte_columns import Piece, index_lines, read_pieces
from runner.corpus.conllu_columns import Notes, as_conllu
from runner.corpus.conllu_tables import parse_piece
from runner.corpus.corpus_files import open_input
from runner.corpus.store import Store
from runner.errors import InputError


def rebuilt_texts(sentences: pa.Table, raw: pa.Table) -> pa.ChunkedArray:
    return pc.coalesce(raw["rebuilt"], sentences["surface"], sentences["text"])


@dataclass(frozen=True)
class SentencePositions:
    """The positions of a store's sentences, as arrays of shape (sentences,) indexed by sid."""

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
        """Yield the text of each sentence, rebuilt from its words, starting at the sid `first_sid`."""
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
    """A column of CoNLL-U to add.

    For FEATS and MISC, `name` selects the entries with this name, and None all entries; `new_name`, if given, is the
    name under which they are added. Any other column is added under the name `name`.
    """

    column: str
    name: str | None
    new_name: str | None = None


def conllu_rows(path: Path, positions: SentencePositions, columns: Sequence[LayerColumn]) -> Iterator[pa.Table]:
    """Yield the annotations in some columns of a CoNLL-U file, as tables with the columns of `SCHEMA`.

    The file must have the sentences of the source that has its name, or of the whole store. Raises InputError at the
    first sentence that differs from the store, is missing or is extra (FICT764), or with the errors of malformed
    sentences.
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
            _check_sentences(path, piece, tables, positions, (sid, end), texts)
            yield from (_shift_sids(rows, sid) for rows in _annotations(tables, columns))
            sid += tables["sentences"].num_rows
    if end == 0:
        raise InputError(diagnostic("FICT764", place=path, reason="it has no sentence"))
    if sid < end:
        raise InputError(
            diagnostic("FICT764", place=path, reason=f"it ends {counted(end - sid, 'sentence')} too early")
        )


def _sentence_span(path: Path, positions: SentencePositions) -> tuple[int, int]:
    """Return the first sid and the end of the source with the file's name, or of the whole store.

    The whole store is used if there is no such source, or if its sentences are not consecutive.
    """
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
    span: tuple[int, int],
    stored_texts: Iterator[str],
) -> None:
    sid, end = span
    lengths = tables["sentences"]["length"].to_numpy()
    expected_lengths = positions.lengths[sid:end][: len(lengths)]
    has_extra_sentence = len(expected_lengths) < len(lengths)
    differing_indices = np.flatnonzero(lengths[: len(expected_lengths)] != expected_lengths).tolist() + (
        [len(expected_lengths)] if has_extra_sentence else []
    )
    texts = zip(
        rebuilt_texts(tables["sentences"], tables["raw"]).to_pylist(),
        islice(stored_texts, len(expected_lengths)),
        strict=False,
    )
    differing_indices += [
        index for index, (rebuilt, stored) in enumerate(texts) if _without_space(rebuilt) != _without_space(stored)
    ][:1]
    if differing_indices:
        index = min(differing_indices)
        line = int(index_lines(piece, Notes()).first[index])
        reason = "the store has no more sentences"
        if index < len(expected_lengths):
            label = positions.sources[positions.codes[sid + index]]
            reason = f"this is not sentence {positions.numbers[sid + index]:,} of {label}, which is expected here"
        raise InputError(diagnostic("FICT764", place=f"{path}:{line}", reason=reason))


def _without_space(text: str) -> str:
    return "".join(text.split())


def _annotations(tables: Mapping[str, pa.Table], columns: Sequence[LayerColumn]) -> Iterator[pa.Table]:
    words = tables["tokens"]
    for column in columns:
        if column.column == "MISC":
            entries = tables["misc"].select(["sid", "id", "key", "value"]).rename_columns(SCHEMA.names).cast(SCHEMA)
            yield (
                entries
                if column.name is None
                else _renamed(entries.filter(pc.equal(entries["name"], column.name)), column.new_name)
            )
            continue
        encoded = words[column.column].combine_chunks()
        parsed = [_named_values(column, text) for text in encoded.dictionary.to_pylist()]
        counts = np.array([len(pairs) for pairs in parsed])[encoded.indices.to_numpy()]
        rows = np.repeat(np.arange(len(counts)), counts)
        pairs = [pair for code in encoded.indices.to_pylist() for pair in parsed[code]]
        words_of_pairs = words.select(["sid", "id"]).take(pa.array(rows))
        names, values = ([pair[part] for pair in pairs] for part in (0, 1))
        arrays = [*words_of_pairs.columns, pa.array(names, pa.string()), pa.array(values, pa.string())]
        yield pa.table(arrays, schema=SCHEMA)


def _named_values(column: LayerColumn, text: str) -> Sequence[tuple[str, str]]:
    if column.column == "FEATS":
        pairs = [pair for pair in conllu_columns.parse_feats(text) or () if column.name in (None, pair[0])]
        return pairs if column.new_name is None else [(column.new_name, value) for _, value in pairs]
    assert column.name is not None
    return [] if text == "_" else [(column.name, text)]


def _renamed(entries: pa.Table, name: str | None) -> pa.Table:
    if name is None:
        return entries
    names = pa.array([name] * len(entries), pa.string())
    return entries.set_column(SCHEMA.get_field_index("name"), SCHEMA.field("name"), names)


def _shift_sids(rows: pa.Table, offset: int) -> pa.Table:
    return rows.set_column(0, SCHEMA.field(0), pc.add(rows["sid"], offset))


KEYS = ("source", "number", "id")

_MAX_ERRORS = 10  # errors that are listed; the others are counted
_BATCH = 100_000  # lines

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Header:
    columns: Sequence[str]
    names: Sequence[str]

    @property
    def annotates_words(self) -> bool:
        return "id" in self.columns


def read_header(path: Path, requested_columns: Sequence[str] = ()) -> Header:
    """Read the first line of a table. Annotations are read from `requested_columns`, or from all but `KEYS` if empty.

    Raises InputError (FICT761) if `source`, `number` or a requested column is missing, no column has annotations, or
    two columns have the same name.
    """
    with open_input(path) as stream:
        first_line = next(iter(io.TextIOWrapper(stream, "utf-8-sig", errors="replace", newline="\n")), "")
    columns = first_line.rstrip("\r\n").split("\t")
    names = [name for name in columns if name not in KEYS]
    missing = [name for name in (*KEYS[:2], *requested_columns) if name not in columns]
    hint = "the first line names the columns: `source`, `number`, for words `id`, and annotations, with tabs between"
    if missing:
        reason = f"there is no column `{missing[0]}`"
        raise InputError(
            diagnostic("FICT761", path=path, reason=reason, hint=did_you_mean(missing[0], columns) or hint)
        )
    if not names:
        raise InputError(diagnostic("FICT761", path=path, reason="there is no column of annotations", hint=hint))
    if len(set(columns)) < len(columns):
        raise InputError(diagnostic("FICT761", path=path, reason="two columns have the same name", hint=hint))
    return Header(columns, list(requested_columns) or names)


def table_rows(path: Path, header: Header, positions: SentencePositions) -> Iterator[pa.Table]:
    """Yield the annotations below the header, in tables with the columns of `layer_conllu.SCHEMA`.

    `id` is NULL in annotations of sentences. `_` and empty cells are not annotations. Raises InputError (FICT762) at
    the end, with the lines that are not UTF-8 or have too many or too few columns, and those whose word or sentence is
    not in the store or has been annotated by an earlier line.
    """
    errors = _Errors(path)
    annotated = _AnnotatedTargets.of(positions, header)
    first_line = 2
    with open_input(path) as stream:
        next(stream, None)
        while block := list(islice(stream, _BATCH)):
            yield from _rows(block, first_line, header, positions, annotated, errors)
            first_line += len(block)
    errors.end()


def _rows(
    block: list[bytes],
    first_line: int,
    header: Header,
    positions: SentencePositions,
    annotated: _AnnotatedTargets,
    errors: _Errors,
) -> Iterator[pa.Table]:
    width = len(header.columns)
    cells, line_numbers, problems = [], [], list[tuple[int, str]]()
    for line, data in enumerate(block, first_line):
        try:
            row = data.decode().rstrip("\r\n").split("\t")
        except UnicodeDecodeError as error:
            problems.append((line, f"the byte 0x{data[error.start]:02X} is not UTF-8"))
            continue
        if len(row) == width:
            cells.append(row)
            line_numbers.append(line)
        elif row != [""]:
            problems.append((line, f"there are {counted(len(row), 'column')} instead of {width}"))
    columns = dict(zip(header.columns, zip(*cells, strict=True) if cells else [()] * width, strict=True))
    sids, ids = _locate(columns, line_numbers, header, positions, problems)
    valid_rows = np.flatnonzero(sids >= 0)
    is_new = annotated.add(sids[valid_rows], ids[valid_rows])
    problems += [
        (line_numbers[row], f"another line annotates the same {_target(header)}")
        for row in valid_rows[~is_new].tolist()
    ]
    errors.add(sorted(problems))
    valid_rows = valid_rows[is_new]
    for name in header.names:
        values = columns[name]
        rows = [row for row in valid_rows.tolist() if values[row] not in ("", "_")]
        yield pa.table(
            [
                pa.array(sids[rows]),
                pa.array(ids[rows], pa.int32()) if header.annotates_words else pa.nulls(len(rows), pa.int32()),
                pa.repeat(name, len(rows)),
                pa.array([values[row] for row in rows], pa.string()),
            ],
            schema=SCHEMA,
        )


def _locate(
    columns: dict[str, tuple[str, ...]],
    line_numbers: list[int],
    header: Header,
    positions: SentencePositions,
    problems: list[tuple[int, str]],
) -> tuple[Ints, Ints]:
    """Return the sid and the word id of each line.

    If the store has no such sentence or word, the sid is -1, and the line and the reason are added to `problems`.
    """
    source_index = {label: index for index, label in enumerate(positions.sources)}
    sources = np.array([source_index.get(label, -1) for label in columns["source"]], np.int64)
    numbers = np.array([_number(text) for text in columns["number"]], np.int64)
    ids = (
        np.array([_number(text) for text in columns["id"]], np.int64)
        if header.annotates_words
        else np.ones_like(numbers)
    )
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
        problems.append((line_numbers[row], reason))
    return np.where(invalid, -1, sids), ids


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 18 else 0


@dataclass(frozen=True, slots=True)
class _AnnotatedTargets:
    starts: Ints  # index of the first word of each sentence
    flags: NDArray[np.bool_]

    @classmethod
    def of(cls, positions: SentencePositions, header: Header) -> _AnnotatedTargets:
        ends = np.cumsum(positions.lengths if header.annotates_words else np.ones_like(positions.lengths))
        starts = np.concatenate([np.zeros(1, np.int64), ends[:-1]])
        return cls(starts, np.zeros(int(ends[-1]) if len(ends) else 0, bool))

    def add(self, sids: Ints, ids: Ints) -> NDArray[np.bool_]:
        """Mark words or sentences as annotated; return a mask of the rows that are the first to annotate one."""
        indices = self.starts[sids] + ids - 1
        _, first_rows = np.unique(indices, return_index=True)
        is_new = np.zeros(len(indices), bool)
        is_new[first_rows] = True
        is_new &= ~self.flags[indices]
        self.flags[indices] = True
        return is_new


def _target(header: Header) -> str:
    return "word" if header.annotates_words else "sentence"


@dataclass(slots=True)
class _Errors:
    path: Path
    listed: list[Diagnostic] = field(default_factory=list)
    count: int = 0

    def add(self, problems: Sequence[tuple[int, str]]) -> None:
        self.count += len(problems)
        for line, reason in problems[: max(0, _MAX_ERRORS - len(self.listed))]:
            self.listed.append(diagnostic("FICT762", place=f"{self.path}:{line}", reason=reason))

    def end(self) -> None:
        if self.count > len(self.listed):
            self.listed.append(diagnostic("FICT732", count=counted(self.count - len(self.listed), "more error")))
        if self.listed:
            raise InputError(self.listed)
