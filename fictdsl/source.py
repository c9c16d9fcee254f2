"""A text with a name, and places in it: offsets become lines, columns and excerpts here and nowhere else."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

_BEYOND_16_BITS = re.compile("[\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of character offsets, `start` ≤ `end`, into the NFC text of one source."""

    start: int
    end: int

    def to(self, other: Span) -> Span:
        """The smallest span that covers both."""
        return Span(min(self.start, other.start), max(self.end, other.end))


@dataclass(frozen=True)
class Source:
    """A named text. `name` is what people see; `path` is where it was read from, if it was."""

    name: str
    text: str = field(repr=False)
    path: Path | None = field(default=None, compare=False)

    @classmethod
    def of(cls, text: str, name: str = "<text>", path: Path | None = None) -> Source:
        """Normalise `text` to NFC, as the language asks, and name it."""
        return cls(name, unicodedata.normalize("NFC", text), path)

    @cached_property
    def _line_starts(self) -> list[int]:
        starts = [0]
        starts += [i + 1 for i, char in enumerate(self.text) if char == "\n"]
        return starts

    def position(self, offset: int) -> tuple[int, int]:
        """1-based line and column (in code points) of an offset."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    @cached_property
    def _beyond_16_bits(self) -> list[int]:
        """The offsets of the characters that are two code units of UTF-16."""
        return [match.start() for match in _BEYOND_16_BITS.finditer(self.text)]

    def position_utf16(self, offset: int) -> tuple[int, int]:
        """1-based line and column of an offset, the column in UTF-16 code units, as editors and SARIF count."""
        line, column = self.position(offset)
        pairs = self._beyond_16_bits
        return line, column + bisect_left(pairs, offset) - bisect_left(pairs, offset - column + 1)

    def line_span(self, number: int) -> Span:
        """Where a 1-based line stands, without its newline."""
        start = self._line_starts[number - 1]
        end = self._line_starts[number] - 1 if number < len(self._line_starts) else len(self.text)
        while end > start and self.text[end - 1] == "\r":
            end -= 1
        return Span(start, end)

    def line(self, number: int) -> str:
        """The text of a 1-based line, without its newline."""
        span = self.line_span(number)
        return self.text[span.start : span.end]
