"""Pieces of a file into tables of their sentences, all at once; what is no tree is looked at line by line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np

from runner.corpus.conllu import columns
from runner.corpus.conllu.comments import comments
from runner.corpus.conllu.line_index import Lines, Rows, rows, split
from runner.corpus.conllu.reader import Notes, Rejection, Tree, parse_block
from runner.corpus.conllu.tables import Tables, tables
from runner.corpus.conllu.validate import Shape, check
from runner.corpus.files.blocks import Block
from runner.corpus.files.byte_strings import Flags
from runner.corpus.files.pieces import Piece


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a piece holds: its sentences as tables (None where it has none), what was rejected, what was noted."""

    tables: Tables | None
    rejections: list[Rejection]
    notes: Notes


def parse(piece: Piece, name: str) -> Parsed:
    """Read a piece of a file; `name` stands for the file in messages."""
    notes = Notes()
    lines = split(piece, notes.file)
    rejections: list[Rejection] = []
    bad = _cut_off(lines, name, notes, rejections)
    while True:
        lines = lines.without(bad) if bad.any() else lines
        if not len(lines.first):
            return Parsed(None, _ordered(rejections), notes)
        found = rows(lines)
        shape = check(found, len(lines.first)) if isinstance(found, Rows) else found
        if isinstance(found, Rows) and isinstance(shape, Shape):
            _note(found, shape, lines, notes)
            parsed = tables(lines, found, shape, comments(lines, found.comments))
            return Parsed(parsed, _ordered(rejections), notes)
        bad = cast("Flags", shape)
        rejections += [_rejection(lines, block, name) for block in np.flatnonzero(bad).tolist()]


def _block(lines: Lines, block: int) -> Block:
    last = lines.open and block == len(lines.first) - 1
    return Block(int(lines.first[block]), lines.text(block), not last, lines.newline or not last)


def _cut_off(lines: Lines, name: str, notes: Notes, rejections: list[Rejection]) -> Flags:
    """Flags the last block of a file that ends without an empty line, if something of it is lost."""
    bad = np.zeros(len(lines.first), bool)
    if lines.open:
        scratch = Notes()
        match parse_block(_block(lines, len(bad) - 1), name, scratch):
            case Rejection() as rejection:
                rejections.append(rejection)
                bad[-1] = True
            case Tree():
                pass
        notes.file.open_end = scratch.file.open_end
    return bad


def _rejection(lines: Lines, block: int, name: str) -> Rejection:
    found = parse_block(_block(lines, block), name, Notes())
    assert isinstance(found, Rejection), f"{name}:{lines.first[block]}: found bad at once and good alone"
    return found


def _ordered(rejections: list[Rejection]) -> list[Rejection]:
    return sorted(rejections, key=lambda rejection: rejection.first_line)


def _note(found: Rows, shape: Shape, lines: Lines, notes: Notes) -> None:
    upos, labels = found.columns[3].at(shape.words), found.columns[7].at(shape.words)
    for tag, count in zip(upos.values, upos.counts(), strict=True):
        if count and tag not in columns.UPOS and tag != "_":
            notes.upos[tag] = int(count)
    root = labels.where(lambda label: label == "root")
    block = found.block[shape.words]
    odd = np.bincount(block[root], minlength=len(lines.first)) != 1
    odd[block[(shape.heads == 0) & ~root]] = True
    notes.root_labels = int(odd.sum())
    if notes.root_labels:
        notes.root_label_line = int(lines.first[odd][0])
