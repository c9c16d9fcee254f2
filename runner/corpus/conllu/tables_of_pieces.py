"""Parse pieces of a file into tables. Invalid blocks are parsed again, line by line, to explain their errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
import pyarrow.compute as pc

from fictdsl.schema import Field
from runner.corpus.conllu import columns
from runner.corpus.conllu.comments import NEWDOC, Comments, parse_comments
from runner.corpus.conllu.line_index import LineIndex, Rows, index_lines, parse_rows
from runner.corpus.conllu.reader import Notes, Rejection, Tree, have_other_words, parse_block
from runner.corpus.conllu.tables import Tables, build_tables
from runner.corpus.conllu.validate import TreeStructure, validate
from runner.corpus.files.blocks import Block
from runner.corpus.files.byte_strings import Flags
from runner.corpus.files.pieces import Piece


@dataclass(frozen=True, slots=True)
class ParsedPiece:
    """The sentences of a piece as tables (None if it has none), its rejections and notes.

    `newdoc` is the document that begins in a rejection after the last sentence, as in `Comments`, or None.
    """

    tables: Tables | None
    rejections: list[Rejection]
    notes: Notes
    newdoc: str | None = None


def parse_piece(piece: Piece, name: str) -> ParsedPiece:
    """Parse a piece of a file. `name` is the name of the file in messages."""
    notes = Notes()
    lines = index_lines(piece, notes.file)
    rejections: list[Rejection] = []
    invalid = _flag_truncated(lines, name, notes, rejections)
    while True:
        lines = lines.without(invalid) if invalid.any() else lines
        if not len(lines.first):
            rejections = _sorted_by_line(rejections)
            return ParsedPiece(None, rejections, notes, _rejected_documents(lines, rejections).get(0))
        rows = parse_rows(lines)
        result = validate(rows, len(lines.first)) if isinstance(rows, Rows) else rows
        if isinstance(rows, Rows) and isinstance(result, TreeStructure):
            _note_labels(rows, result, lines, notes)
            comments = parse_comments(lines, rows.comments)
            tables = build_tables(lines, rows, result, comments)
            _note_texts(rows, result, comments, tables, notes)
            rejections = _sorted_by_line(rejections)
            documents = _rejected_documents(lines, rejections)
            newdoc = documents.pop(len(lines.first), None)
            return ParsedPiece(tables.with_documents(documents), rejections, notes, newdoc)
        invalid = cast("Flags", result)
        rejections += [_rejection(lines, block, name) for block in np.flatnonzero(invalid).tolist()]


def _block(lines: LineIndex, block: int) -> Block:
    is_open = lines.open and block == len(lines.first) - 1
    return Block(int(lines.first[block]), lines.block_bytes(block), not is_open, lines.newline or not is_open)


def _flag_truncated(lines: LineIndex, name: str, notes: Notes, rejections: list[Rejection]) -> Flags:
    """Return a mask that flags the last block if it is open and invalid, and add its rejection to `rejections`."""
    invalid = np.zeros(len(lines.first), bool)
    if lines.open:
        block_notes = Notes()
        match parse_block(_block(lines, len(invalid) - 1), name, block_notes):
            case Rejection() as rejection:
                rejections.append(rejection)
                invalid[-1] = True
            case Tree():
                pass
        notes.file.open_end = block_notes.file.open_end
    return invalid


def _rejection(lines: LineIndex, block: int, name: str) -> Rejection:
    rejection = parse_block(_block(lines, block), name, Notes())
    assert isinstance(rejection, Rejection), (
        f"{name}:{lines.first[block]}: rejected by the column parser but not by the line parser"
    )
    return rejection


def _rejected_documents(lines: LineIndex, rejections: list[Rejection]) -> dict[int, str]:
    """Return the last document that begins in the rejections before a block, by the index of the block.

    The index is the number of blocks for rejections after the last one.
    """
    documents = {}
    for rejection in rejections:
        if (newdoc := _newdoc(rejection.data)) is not None:
            documents[int(np.searchsorted(lines.first, rejection.first_line))] = newdoc
    return documents


def _newdoc(data: bytes) -> str | None:
    """Return the last `newdoc id` in the comments of a block, "" for a `newdoc` without an id, or None."""
    if b"newdoc" not in data:
        return None
    comments = [line[1:] for line in data.decode(errors="replace").split("\n") if line.startswith("#")]
    entries = [columns.parse_comment(comment)[:2] for comment in comments]
    ids = [value for key, value in entries if key == "newdoc id"]
    return ids[-1] if ids else "" if any(NEWDOC.fullmatch(key) for key, _ in entries) else None


def _sorted_by_line(rejections: list[Rejection]) -> list[Rejection]:
    return sorted(rejections, key=lambda rejection: rejection.first_line)


def _note_labels(rows: Rows, structure: TreeStructure, lines: LineIndex, notes: Notes) -> None:
    upos, labels = rows.columns[Field.UPOS].take(structure.words), rows.columns[Field.DEPREL].take(structure.words)
    for tag, count in zip(upos.values, upos.counts(), strict=True):
        if count and tag not in columns.UPOS and tag != "_":
            notes.upos[tag] = int(count)
    is_root = labels.where(lambda label: label == "root")
    block = rows.block[structure.words]
    has_unusual_root = np.bincount(block[is_root], minlength=len(lines.first)) != 1
    has_unusual_root[block[(structure.heads == 0) & ~is_root]] = True
    notes.root_labels = int(has_unusual_root.sum())
    if notes.root_labels:
        notes.root_label_line = int(lines.first[has_unusual_root][0])


def _note_texts(rows: Rows, structure: TreeStructure, comments: Comments, tables: Tables, notes: Notes) -> None:
    notes.empty_texts = comments.empty_texts
    rebuilt = tables.tables["raw"]["rebuilt"].combine_chunks()  # null where it equals the text
    differing = pc.and_(pc.is_valid(rebuilt), pc.is_valid(comments.text))
    texts, others = (strings.filter(differing).to_pylist() for strings in (comments.text, rebuilt))
    notes.other_texts = sum(map(have_other_words, texts, others))
    is_form = ~rows.columns[Field.FORM].take(structure.words).where(lambda form: form == "_")
    block = rows.block[structure.words]
    notes.withheld = int((np.bincount(block[is_form], minlength=len(structure.lengths)) == 0).sum())
