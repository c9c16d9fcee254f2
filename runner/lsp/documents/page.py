"""Lines and code units of the text in an editor, to and from offsets into the NFC text that the compiler reads."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate

_LINE_END = re.compile("\r\n|\n|\r")
_BOM = "\ufeff"
_BLOCK = 256  # characters whose units are counted together

# What a client counts characters in; UTF-16 where nothing else was agreed.
UNITS: dict[str, Callable[[str], int]] = {
    "utf-8": lambda text: len(text.encode("utf-8", "surrogatepass")),
    "utf-16": lambda text: len(text) + sum(char > "\uffff" for char in text),
    "utf-32": len,
}


@dataclass(frozen=True)
class Page:
    """A text as the editor has it. Places in it are (line, character), from 0, in the units of `encoding`.

    `text` is what the compiler reads: without a byte order mark, in NFC. Offsets are into that.
    """

    written: str = field(repr=False)
    encoding: str = "utf-16"

    @cached_property
    def text(self) -> str:
        """The text as the compiler reads it."""
        return unicodedata.normalize("NFC", self.written.removeprefix(_BOM))

    def position(self, offset: int) -> tuple[int, int]:
        """Line and character of an offset."""
        at = self._to_written(max(0, min(offset, len(self.text))))
        line = bisect_right(self._starts, at) - 1
        return line, self._units_before(at) - self._units_before(self._starts[line])

    def offset(self, line: int, character: int) -> int:
        """The offset of a place; one past the end of its line, or of the text, counts as that end."""
        return self._to_text(self._written_offset(line, character))

    def replaced(self, start: tuple[int, int], end: tuple[int, int], text: str) -> Page:
        """The page with a text in the place of what stands between two places, in whichever order they come."""
        first, last = sorted((self._written_offset(*start), self._written_offset(*end)))
        return Page(self.written[:first] + text + self.written[last:], self.encoding)

    def _written_offset(self, line: int, character: int) -> int:
        if line >= len(self._starts):
            return len(self.written)
        start, end = self._starts[max(line, 0)], self._ends[max(line, 0)]
        units = UNITS[self.encoding]
        at, left = start, character
        while at < end and left >= (size := units(self.written[at])):
            at, left = at + 1, left - size
        return at

    def _units_before(self, at: int) -> int:
        """How many units stand before an offset of the written text."""
        steps = self._unit_steps
        block, rest = divmod(at, _BLOCK)
        return steps[block] + UNITS[self.encoding](self.written[block * _BLOCK : block * _BLOCK + rest])

    @cached_property
    def _unit_steps(self) -> list[int]:
        """How many units stand before each block of characters, so that no long line is counted again and again."""
        units = UNITS[self.encoding]
        blocks = (self.written[start : start + _BLOCK] for start in range(0, len(self.written) + 1, _BLOCK))
        return [0, *accumulate(units(block) for block in blocks)]

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in _LINE_END.finditer(self.written))]

    @cached_property
    def _ends(self) -> list[int]:
        return [*(match.start() for match in _LINE_END.finditer(self.written)), len(self.written)]

    @cached_property
    def _same(self) -> bool:
        return self.text == self.written

    @cached_property
    def _text_starts(self) -> list[int]:
        """Where the written lines begin in the NFC text: normalising never crosses the end of a line."""
        starts = [0]
        for start, following in zip(self._starts, self._starts[1:], strict=False):
            starts.append(starts[-1] + self._length(start, following))
        return starts

    def _length(self, start: int, end: int) -> int:
        """How much of the NFC text a stretch of the written text becomes."""
        piece = self.written[start:end]
        return len(unicodedata.normalize("NFC", piece if start else piece.removeprefix(_BOM)))

    def _to_text(self, at: int) -> int:
        if self._same:
            return at
        line = bisect_right(self._starts, at) - 1
        return self._text_starts[line] + self._length(self._starts[line], at)

    def _to_written(self, offset: int) -> int:
        if self._same:
            return offset
        line = bisect_right(self._text_starts, offset) - 1
        start, end = self._starts[line], self._ends[line]
        wanted = offset - self._text_starts[line]
        places = range(end - start + 1)
        return start + bisect_right(places, wanted, key=lambda place: self._length(start, start + place)) - 1
