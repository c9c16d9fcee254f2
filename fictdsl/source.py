"""Source texts and spans in them: the conversion of offsets to lines, columns and excerpts; keys of JSON texts."""

from __future__ import annotations

import json
import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from fictdsl.terminal_text import quotation

_NON_BMP = re.compile("[\U00010000-\U0010ffff]")
_UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of character offsets, `start` ≤ `end`, in the NFC text of a source."""

    start: int
    end: int

    def to(self, other: Span) -> Span:
        return Span(min(self.start, other.start), max(self.end, other.end))


@dataclass(frozen=True)
class Source:
    """A named text. `name` is shown in messages; `path` is the file it was read from, or None."""

    name: str
    text: str = field(repr=False)
    path: Path | None = field(default=None, compare=False)

    @classmethod
    def of(cls, text: str, name: str = "<text>", path: Path | None = None) -> Source:
        """Create a source from `text`, normalized to NFC as the language requires."""
        return cls(name, unicodedata.normalize("NFC", text), path)

    @cached_property
    def _line_starts(self) -> list[int]:
        starts = [0]
        starts += [i + 1 for i, char in enumerate(self.text) if char == "\n"]
        return starts

    def position(self, offset: int) -> tuple[int, int]:
        """Return the 1-based line and column (in code points) of an offset."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    @cached_property
    def _non_bmp_offsets(self) -> list[int]:
        return [match.start() for match in _NON_BMP.finditer(self.text)]

    def position_utf16(self, offset: int) -> tuple[int, int]:
        """Return the 1-based line and column of an offset, counting UTF-16 code units as editors and SARIF do."""
        line, column = self.position(offset)
        offsets = self._non_bmp_offsets
        return line, column + bisect_left(offsets, offset) - bisect_left(offsets, offset - column + 1)

    def line_span(self, number: int) -> Span:
        start = self._line_starts[number - 1]
        end = self._line_starts[number] - 1 if number < len(self._line_starts) else len(self.text)
        while end > start and self.text[end - 1] == "\r":
            end -= 1
        return Span(start, end)

    def line(self, number: int) -> str:
        span = self.line_span(number)
        return self.text[span.start : span.end]


def looks_like_utf16(data: bytes) -> bool:
    if data.startswith(_UTF16_BOMS):
        return True
    sample = data[:200]
    is_nul_even, is_nul_odd = (half.count(0) * 2 > 0.9 * (len(sample) - 1) for half in (sample[::2], sample[1::2]))
    return len(sample) >= 4 and is_nul_even != is_nul_odd  # both in a file of NULs


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object as `object_pairs_hook`. Raises JSONDecodeError if it has a key twice."""
    content = dict(pairs)
    if len(content) < len(pairs):
        repeated, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise json.JSONDecodeError(f"an object has the key `{quotation(repeated)}` twice", "", 0)
    return content
