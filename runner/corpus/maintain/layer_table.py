"""Read the annotations of a layer from a table of words or sentences."""

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
from runner.corpus.files.blocks import open_input
from runner.corpus.maintain.layer_conllu import SCHEMA
from runner.corpus.sentences.positions import SentencePositions
from runner.counted import counted
from runner.errors import InputError

KEYS = ("source", "number", "id")

_MAX_ERRORS = 10  # errors that are listed; the others are counted
_BATCH = 100_000  # lines

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Header:
    """The names of a table's columns, and the names of those from which annotations are read."""

    columns: Sequence[str]
    names: Sequence[str]

    @property
    def annotates_words(self) -> bool:
        """Whether lines annotate words, and not sentences."""
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
    """Yield the annotations in some lines. `first_line` is the number of the first of them."""
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
    """Return the number of a sentence or word, or 0 if `text` is not a number."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 18 else 0


@dataclass(frozen=True, slots=True)
class _AnnotatedTargets:
    """The words or sentences that earlier lines have annotated."""

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
    """The first errors, and the number of all errors."""

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
