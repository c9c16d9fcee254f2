"""Read raw text, plain or compressed, as units that are parsed independently: lines or paragraphs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from runner.corpus.files.blocks import explain_read_errors, open_input
from runner.corpus.files.excerpt import line_excerpt
from runner.corpus.files.limits import check_sentence_size
from runner.errors import InputError

Mode = Literal["lines", "sentences", "pretokenized", "text"]
Quoting = Literal["ascii", "unicode", "none"]  # whether a JSON string escapes non-ASCII characters; "none": unknown

# Limits of one shard: enough for full batches, and little lost work when a run is killed.
SHARD_UNITS = 500
SHARD_CHARACTERS = 100_000


@dataclass(frozen=True, slots=True)
class Unit:
    """A text that begins at the 1-based line `line` of a file. `end` is its line end ("" at the end of the file).

    In JSON lines, a unit is all or a part of the text in a line. `part` is the 1-based number of the part, or 0 if
    there is only one. `prefix` is the part of the line before the text, and `end` is the part after it, with the line
    end. `quoting` is how the JSON string escapes the text; it is None in other files. `comments` are added to every
    sentence of the unit, and `document` is the name of the document.
    """

    line: int
    text: str
    end: str
    part: int = 0
    comments: tuple[str, ...] = ()
    document: str | None = None
    prefix: str = ""
    quoting: Quoting | None = None

    @property
    def blank(self) -> bool:
        """Whether the unit contains no text to parse."""
        return not self.text.removeprefix("\ufeff").strip()


def read_units(path: Path, mode: Mode) -> Iterator[Unit]:
    """Yield the units of a file, including blank ones. The concatenation of their texts and line ends is the file.

    In mode "text", a unit is a run of lines that are not blank, or a blank line; in other modes, it is a line. Raises
    InputError if the file cannot be read (FICT700), is not UTF-8 (FICT701) or exceeds a size limit (FICT739).
    """
    if mode != "text":
        yield from read_lines(path)
        return
    with explain_read_errors(path):
        yield from paragraphs(read_lines(path))


def count_text_units(units: Iterable[Unit]) -> int:
    """Return the number of units that are not blank."""
    return sum(not unit.blank for unit in units)


def first_units(units: Iterable[Unit], limit: int | None) -> Iterator[Unit]:
    """Yield units up to the `limit`-th that is not blank, or all units if `limit` is None."""
    text_unit_count = 0
    for unit in units:
        if limit is not None and text_unit_count >= limit:
            return
        text_unit_count += not unit.blank
        yield unit


def shards(units: Iterable[Unit]) -> Iterator[list[Unit]]:
    """Group units into shards of bounded size. The result depends only on the units."""
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
    """Yield the lines of a file."""
    with open_input(path) as stream:
        for number, line_bytes in enumerate(stream, 1):
            end = "\n" if line_bytes.endswith(b"\n") else ""
            try:
                text = line_bytes.decode()
            except UnicodeDecodeError as error:
                raise InputError(_decoding_error(path, number, line_bytes, error)) from error
            yield Unit(number, text.removesuffix("\n"), end)


def read_list(path: Path) -> list[str]:
    """Return the lines of a word list, each without a byte order mark. Raises the errors of `read_units`."""
    return [unit.text.removeprefix("\ufeff") for unit in read_lines(path)]


def paragraphs(lines: Iterable[Unit]) -> Iterator[Unit]:
    """Join each run of lines that are not blank into one unit. Blank lines remain units.

    Raises TooLargeError if the lines of a run have more than `SENTENCE_BYTES` characters.
    """
    lines_of_unit: list[Unit] = []
    character_count = 0
    for line in lines:
        if not line.blank:
            lines_of_unit.append(line)
            character_count += len(line.text)  # each of at least one byte
            check_sentence_size(lines_of_unit[0].line, character_count)
            continue
        if lines_of_unit:
            yield _join(lines_of_unit)
            lines_of_unit, character_count = [], 0
        yield line
    if lines_of_unit:
        yield _join(lines_of_unit)


def _join(lines: list[Unit]) -> Unit:
    return Unit(lines[0].line, "\n".join(line.text for line in lines), lines[-1].end)


def _decoding_error(path: Path, number: int, data: bytes, error: UnicodeDecodeError) -> Diagnostic:
    offset = len(data[: error.start].decode())
    source, span = line_excerpt(str(path), number, data.decode(errors="replace").rstrip("\n"), offset, offset + 1)
    byte = f"0x{data[error.start]:02X}"
    return diagnostic("FICT701", source, span, byte=byte, position=error.start + 1)
