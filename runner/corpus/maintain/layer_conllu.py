"""Read the annotations of a layer from a CoNLL-U file that has the sentences of a store."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fictdsl.diagnostics.codes import diagnostic
from runner.corpus.conllu import columns as conllu_columns
from runner.corpus.conllu.line_index import index_lines
from runner.corpus.conllu.tables_of_pieces import parse_piece
from runner.corpus.files.blocks import FileNotes, open_input
from runner.corpus.files.pieces import Piece, read_pieces
from runner.corpus.files.plus import as_conllu
from runner.corpus.sentences.positions import SentencePositions, rebuilt_texts
from runner.counted import counted
from runner.errors import InputError

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
    notes = FileNotes()
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
            tables = parsed.tables.tables
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
    """Raise InputError (FICT764) at the first sentence that the store lacks, or whose length or text differs."""
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
        line = int(index_lines(piece, FileNotes()).first[index])
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
    """Return the annotations in a value of a column, as (name, value) pairs."""
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
