"""A CoNLL-U file with the sentences of a store into rows of annotations of its words."""

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
from runner.corpus.conllu.reader import pluralize
from runner.corpus.conllu.tables_of_pieces import parse_piece
from runner.corpus.files.blocks import FileNotes, open_input
from runner.corpus.files.pieces import Piece, read_pieces
from runner.corpus.sentences.positions import SentencePositions, rebuilt_texts
from runner.errors import InputError

SCHEMA = pa.schema([("sid", pa.int64()), ("id", pa.int32()), ("name", pa.string()), ("value", pa.string())])
COLUMNS = ("LEMMA", "UPOS", "XPOS", "FEATS", "DEPREL", "MISC")  # of CoNLL-U, that can be added

_SHOWN = 10  # errors that are listed before the rest is only counted


@dataclass(frozen=True, slots=True)
class Wanted:
    """A column of CoNLL-U to be added: FEATS or MISC, all of it or the entries with one name; or another, by a name."""

    column: str
    name: str | None


def conllu_rows(path: Path, places: SentencePositions, wanted: Sequence[Wanted]) -> Iterator[pa.Table]:
    """The annotations in some columns of a CoNLL-U file with the same sentences as the store, or one source of it.

    Tables have the columns of `SCHEMA`, in corpus order. InputError for the first sentence that is another.
    """
    notes = FileNotes()
    sid, end = 0, 0
    texts: Iterator[str] = iter(())
    with open_input(path) as stream:
        for piece in read_pieces(stream, notes):
            parsed = parse_piece(piece, str(path))
            if parsed.rejections:
                raise InputError([problem for each in parsed.rejections[:_SHOWN] for problem in each.diagnostics])
            if parsed.tables is None:
                continue
            found = parsed.tables.tables
            if end == 0:
                sid, end = _span(path, places)
                texts = places.rebuilt_texts(sid)
            _compare(path, piece, found, places, (sid, end), texts)
            yield from (_shifted(rows, sid) for rows in _values(found, wanted))
            sid += found["sentences"].num_rows
    if sid < end or end == 0:
        raise InputError(
            diagnostic("FICT764", place=path, reason=f"it ends {pluralize(end - sid, 'sentence')} too early")
        )


def _span(path: Path, places: SentencePositions) -> tuple[int, int]:
    """The sentences that a file is about: those of the source that is called like it, else all."""
    if path.name in places.sources:
        sids = np.flatnonzero(places.codes == places.sources.index(path.name))
        if sids[-1] - sids[0] + 1 == len(sids):
            return int(sids[0]), int(sids[-1]) + 1
    return 0, len(places.lengths)


def _compare(
    path: Path,
    piece: Piece,
    found: Mapping[str, pa.Table],
    places: SentencePositions,
    span: tuple[int, int],
    texts: Iterator[str],
) -> None:
    sid, end = span
    lengths = found["sentences"]["length"].to_numpy()
    theirs = places.lengths[sid:end][: len(lengths)]
    other = len(theirs) < len(lengths)
    bad = np.flatnonzero(lengths[: len(theirs)] != theirs).tolist() + ([len(theirs)] if other else [])
    written = zip(rebuilt_texts(found["sentences"], found["raw"]).to_pylist(), islice(texts, len(theirs)), strict=False)
    bad += [number for number, (one, two) in enumerate(written) if _bare(one) != _bare(two)][:1]
    if bad:
        number = min(bad)
        line = int(index_lines(piece, FileNotes()).first[number])
        reason = "the store has no more sentences"
        if number < len(theirs):
            label = places.sources[places.codes[sid + number]]
            reason = f"this is not sentence {places.numbers[sid + number]:,} of {label}, which should stand here"
        raise InputError(diagnostic("FICT764", place=f"{path}:{line}", reason=reason))


def _bare(text: str) -> str:
    return "".join(text.split())


def _values(found: Mapping[str, pa.Table], wanted: Sequence[Wanted]) -> Iterator[pa.Table]:
    words = found["tokens"]
    for each in wanted:
        if each.column == "MISC":
            entries = found["misc"].select(["sid", "id", "key", "value"]).rename_columns(SCHEMA.names).cast(SCHEMA)
            yield entries if each.name is None else entries.filter(pc.equal(entries["name"], each.name))
            continue
        encoded = words[each.column.lower()].combine_chunks()
        parsed = [_pairs(each, text) for text in encoded.dictionary.to_pylist()]
        counts = np.array([len(pairs) for pairs in parsed])[encoded.indices.to_numpy()]
        rows = np.repeat(np.arange(len(counts)), counts)
        pairs = [pair for code in encoded.indices.to_pylist() for pair in parsed[code]]
        taken = words.select(["sid", "id"]).take(pa.array(rows))
        names, texts = ([pair[part] for pair in pairs] for part in (0, 1))
        yield pa.table([*taken.columns, pa.array(names, pa.string()), pa.array(texts, pa.string())], schema=SCHEMA)


def _pairs(wanted: Wanted, text: str) -> Sequence[tuple[str, str]]:
    """The annotations that a value of a column is."""
    if wanted.column == "FEATS":
        return [pair for pair in conllu_columns.parse_feats(text) or () if wanted.name in (None, pair[0])]
    assert wanted.name is not None
    return [] if text == "_" else [(wanted.name, text)]


def _shifted(rows: pa.Table, by: int) -> pa.Table:
    return rows.set_column(0, SCHEMA.field(0), pc.add(rows["sid"], by))
