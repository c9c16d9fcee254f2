"""Files of raw text, plain or gzip, into the units that are parsed on their own: lines, or paragraphs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from runner.corpus.files.blocks import explained, open_input
from runner.corpus.files.excerpt import line_excerpt
from runner.corpus.files.limits import check_sentence
from runner.errors import InputError

Mode = Literal["lines", "sentences", "pretokenized", "text"]
Quoting = Literal["ascii", "unicode", "none"]  # a JSON string: all else escaped, or not; not written as Python does

# What one shard holds at most: enough for full batches, little enough to lose when a run is killed.
SHARD_UNITS = 500
SHARD_CHARACTERS = 100_000


@dataclass(frozen=True, slots=True)
class Unit:
    """A stretch of a file from its 1-based `line` on: its text, and the line end after it ("" at the very end).

    Of a line of JSON, it is a part of the text in it (the 1-based `part`, 0 if it is all): `before` and `end` are what
    stands around it, `about` the comments that its sentences get, and `document` the name of the document.
    """

    line: int
    text: str
    end: str
    part: int = 0
    about: tuple[str, ...] = ()
    document: str | None = None
    before: str = ""
    quoting: Quoting | None = None

    @property
    def blank(self) -> bool:
        """Whether there is nothing to parse in it."""
        return not self.text or self.text.isspace() or self.text == "\ufeff"


def read_units(path: Path, mode: Mode) -> Iterator[Unit]:
    """The units of a file, blank ones included, so that their texts and ends joined are the file.

    In mode "text" a unit is a run of lines that are not blank; in the others it is a line. Raises InputError
    (FICT700, FICT701) for a file that cannot be read or is not UTF-8.
    """
    if mode != "text":
        yield from read_lines(path)
        return
    with explained(path):
        yield from paragraphs(read_lines(path))


def text_units(units: Iterable[Unit]) -> int:
    """How many of the units have text."""
    return sum(not unit.blank for unit in units)


def first_units(units: Iterable[Unit], limit: int | None) -> Iterator[Unit]:
    """The units up to and with the `limit`-th that has text."""
    seen = 0
    for unit in units:
        if limit is not None and seen >= limit:
            return
        seen += not unit.blank
        yield unit


def shards(units: Iterable[Unit]) -> Iterator[list[Unit]]:
    """Units in groups of bounded size, always the same for the same units."""
    shard: list[Unit] = []
    characters = 0
    for unit in units:
        shard.append(unit)
        characters += len(unit.text)
        if len(shard) >= SHARD_UNITS or characters >= SHARD_CHARACTERS:
            yield shard
            shard, characters = [], 0
    if shard:
        yield shard


def read_lines(path: Path) -> Iterator[Unit]:
    """The lines of a file."""
    with open_input(path) as stream:
        for number, data in enumerate(stream, 1):
            end = "\n" if data.endswith(b"\n") else ""
            try:
                text = data.decode()
            except UnicodeDecodeError as error:
                raise InputError(_undecodable(path, number, data, error)) from error
            yield Unit(number, text.removesuffix("\n"), end)


def read_list(path: Path) -> list[str]:
    """The lines of a list of words, without a byte order mark; errors as `read_units`."""
    return [unit.text.removeprefix("\ufeff") for unit in read_lines(path)]


def paragraphs(lines: Iterable[Unit]) -> Iterator[Unit]:
    """Runs of lines that are not blank as one unit each; blank ones stay.

    Raises TooLargeError for a run of more than `SENTENCE_BYTES`.
    """
    run: list[Unit] = []
    size = 0
    for line in lines:
        if not line.blank:
            run.append(line)
            size += len(line.text)  # characters, each of at least one byte
            check_sentence(run[0].line, size)
            continue
        if run:
            yield _joined(run)
            run, size = [], 0
        yield line
    if run:
        yield _joined(run)


def _joined(run: list[Unit]) -> Unit:
    return Unit(run[0].line, "\n".join(line.text for line in run), run[-1].end)


def _undecodable(path: Path, number: int, data: bytes, error: UnicodeDecodeError) -> Diagnostic:
    offset = len(data[: error.start].decode())
    source, span = line_excerpt(str(path), number, data.decode(errors="replace").rstrip("\n"), offset, offset + 1)
    byte = f"0x{data[error.start]:02X}"
    return diagnostic("FICT701", source, span, byte=byte, position=error.start + 1)
