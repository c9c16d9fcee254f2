"""A table of annotations into rows for the words or sentences of a store; a line that is about none is an error."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.diagnostics.suggest import did_you_mean
from runner.corpus.conllu.reader import pluralize
from runner.corpus.files.blocks import open_input
from runner.corpus.maintain.layer_conllu import SCHEMA
from runner.corpus.sentences.positions import SentencePositions
from runner.errors import InputError

KEYS = ("source", "number", "id")

_SHOWN = 10  # errors that are listed before the rest is only counted
_LINES = 100_000  # that are worked on at a time

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Header:
    """The names of a table's columns, and which of them are annotations."""

    columns: Sequence[str]
    names: Sequence[str]

    @property
    def of_words(self) -> bool:
        """Whether lines are about words; else they are about sentences."""
        return "id" in self.columns


def read_header(path: Path, wanted: Sequence[str] = ()) -> Header:
    """The first line of a table; InputError where it has not the columns that are needed, or not those `wanted`."""
    with open_input(path) as stream:
        first = next(iter(io.TextIOWrapper(stream, "utf-8-sig", errors="replace", newline="\n")), "")
    columns = first.rstrip("\r\n").split("\t")
    names = [name for name in columns if name not in KEYS]
    missing = [name for name in (*KEYS[:2], *wanted) if name not in columns]
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
    return Header(columns, list(wanted) or names)


def table_rows(path: Path, header: Header, places: SentencePositions) -> Iterator[pa.Table]:
    """The annotations in the lines below the header, in tables with the columns of `layer_conllu.SCHEMA`.

    `id` is NULL in those of sentences; `_` and nothing are no annotation. In the end an InputError lists the lines that
    are about nothing in the store, or about the same as another.
    """
    errors = _Errors(path)
    seen = _Seen.of(places, header)
    number = 2
    with open_input(path) as stream:
        lines = iter(io.TextIOWrapper(stream, "utf-8-sig", newline="\n"))
        next(lines, None)
        while block := list(islice(lines, _LINES)):
            yield from _rows(block, number, header, places, seen, errors)
            number += len(block)
    errors.end()


def _rows(
    block: list[str], number: int, header: Header, places: SentencePositions, seen: _Seen, errors: _Errors
) -> Iterator[pa.Table]:
    """The annotations in some lines, the first of which has this number."""
    width = len(header.columns)
    cells, lines, problems = [], [], list[tuple[int, str]]()
    for line, text in enumerate(block, number):
        row = text.rstrip("\r\n").split("\t")
        if len(row) == width:
            cells.append(row)
            lines.append(line)
        elif row != [""]:
            problems.append((line, f"there are {pluralize(len(row), 'column')} instead of {width}"))
    columns = dict(zip(header.columns, zip(*cells, strict=True) if cells else [()] * width, strict=True))
    sids, ids = _located(columns, lines, header, places, problems)
    good = np.flatnonzero(sids >= 0)
    fresh = seen.new(sids[good], ids[good])
    problems += [(lines[row], "another line is about the same") for row in good[~fresh].tolist()]
    errors.add(sorted(problems))
    good = good[fresh]
    for name in header.names:
        values = columns[name]
        rows = [row for row in good.tolist() if values[row] not in ("", "_")]
        yield pa.table(
            [
                pa.array(sids[rows]),
                pa.array(ids[rows], pa.int32()) if header.of_words else pa.nulls(len(rows), pa.int32()),
                pa.repeat(name, len(rows)),
                pa.array([values[row] for row in rows], pa.string()),
            ],
            schema=SCHEMA,
        )


def _located(
    columns: dict[str, tuple[str, ...]],
    lines: list[int],
    header: Header,
    places: SentencePositions,
    problems: list[tuple[int, str]],
) -> tuple[Ints, Ints]:
    """The sid and the word of each line; sid -1, and a problem, where there is none."""
    known = {label: place for place, label in enumerate(places.sources)}
    sources = np.array([known.get(label, -1) for label in columns["source"]], np.int64)
    numbers = np.array([_number(text) for text in columns["number"]], np.int64)
    ids = np.array([_number(text) for text in columns["id"]], np.int64) if header.of_words else np.ones_like(numbers)
    sids = places.find(sources, numbers)
    lengths = np.where(sids >= 0, places.lengths[sids], 0)
    bad = (sids < 0) | (ids < 1) | (ids > lengths)
    for row in np.flatnonzero(bad).tolist():
        label, sentence = columns["source"][row], columns["number"][row]
        if sources[row] < 0:
            nearest = did_you_mean(label, list(places.sources))
            reason = f"there is no source `{label}`" + (f"; {nearest}" if nearest else "")
        elif sids[row] < 0:
            reason = f"{label} has no sentence {sentence}"
        else:
            words = pluralize(int(lengths[row]), "word")
            reason = f"sentence {sentence} of {label} has {words}, and no word {columns['id'][row]}"
        problems.append((lines[row], reason))
    return np.where(bad, -1, sids), ids


def _number(text: str) -> int:
    """A number of a sentence or word; 0, which none has, for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 18 else 0


@dataclass(frozen=True, slots=True)
class _Seen:
    """Which words, or sentences, a line was about already."""

    starts: Ints  # where the words of each sentence are among all
    flags: NDArray[np.bool_]

    @classmethod
    def of(cls, places: SentencePositions, header: Header) -> _Seen:
        ends = np.cumsum(places.lengths if header.of_words else np.ones_like(places.lengths))
        starts = np.concatenate([np.zeros(1, np.int64), ends[:-1]])
        return cls(starts, np.zeros(int(ends[-1]) if len(ends) else 0, bool))

    def new(self, sids: Ints, ids: Ints) -> NDArray[np.bool_]:
        """Flags the rows that are about what no row before was about."""
        places = self.starts[sids] + ids - 1
        _, first = np.unique(places, return_index=True)
        fresh = np.zeros(len(places), bool)
        fresh[first] = True
        fresh &= ~self.flags[places]
        self.flags[places] = True
        return fresh


@dataclass(slots=True)
class _Errors:
    """What is wrong with lines: the first of it, and how much there is."""

    path: Path
    found: list[Diagnostic] = field(default_factory=list)
    count: int = 0

    def add(self, problems: Sequence[tuple[int, str]]) -> None:
        self.count += len(problems)
        for line, reason in problems[: max(0, _SHOWN - len(self.found))]:
            self.found.append(diagnostic("FICT762", place=f"{self.path}:{line}", reason=reason))

    def end(self) -> None:
        if self.count > len(self.found):
            self.found.append(diagnostic("FICT732", count=pluralize(self.count - len(self.found), "more error")))
        if self.found:
            raise InputError(self.found)
