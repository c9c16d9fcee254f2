"""Convert between editor positions (line, code unit) and offsets in the NFC text that the compiler reads."""

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
_BLOCK = 256  # characters per precomputed unit count

# The units in which a client counts characters; UTF-16 unless negotiated otherwise.
UNITS: dict[str, Callable[[str], int]] = {
    "utf-8": lambda text: len(text.encode("utf-8", "surrogatepass")),
    "utf-16": lambda text: len(text) + sum(char > "\uffff" for char in text),
    "utf-32": len,
}


@dataclass(frozen=True)
class TextDocument:
    """A document as the editor shows it. Positions are (line, character) from 0, in the units of `encoding`.

    `written` is the text in the editor. `text` is the text that the compiler reads: without byte order mark, in NFC.
    Offsets refer to `text`.
    """

    written: str = field(repr=False)
    encoding: str = "utf-16"

    @cached_property
    def text(self) -> str:
        return unicodedata.normalize("NFC", self.written.removeprefix(_BOM))

    def position(self, offset: int) -> tuple[int, int]:
        index = self._to_written(max(0, min(offset, len(self.text))))
        line = bisect_right(self._starts, index) - 1
        return line, self._units_before(index) - self._units_before(self._starts[line])

    def offset(self, line: int, character: int) -> int:
        """Return the offset of a position. A position past the end of a line or of the text is clamped to that end."""
        return self._to_text(self._written_offset(line, character))

    def replaced(self, start: tuple[int, int], end: tuple[int, int], text: str) -> TextDocument:
        first, last = sorted((self._written_offset(*start), self._written_offset(*end)))
        return TextDocument(self.written[:first] + text + self.written[last:], self.encoding)

    def _written_offset(self, line: int, character: int) -> int:
        if line >= len(self._starts):
            return len(self.written)
        start, end = self._starts[max(line, 0)], self._ends[max(line, 0)]
        units = UNITS[self.encoding]
        index, remaining = start, character
        while index < end and remaining >= (size := units(self.written[index])):
            index, remaining = index + 1, remaining - size
        return index

    def _units_before(self, index: int) -> int:
        block, remainder = divmod(index, _BLOCK)
        return self._units_before_block[block] + UNITS[self.encoding](
            self.written[block * _BLOCK : block * _BLOCK + remainder]
        )

    @cached_property
    def _units_before_block(self) -> list[int]:
        """The number of units before each block of characters, so that long lines are not counted repeatedly."""
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
    def _is_unchanged(self) -> bool:
        return self.text == self.written

    @cached_property
    def _text_starts(self) -> list[int]:
        """The starts of the written lines in the NFC text. Normalisation never crosses the end of a line."""
        starts = [0]
        for start, next_start in zip(self._starts, self._starts[1:], strict=False):
            starts.append(starts[-1] + self._nfc_length(start, next_start))
        return starts

    def _nfc_length(self, start: int, end: int) -> int:
        piece = self.written[start:end]
        return len(unicodedata.normalize("NFC", piece if start else piece.removeprefix(_BOM)))

    def _to_text(self, index: int) -> int:
        if self._is_unchanged:
            return index
        line = bisect_right(self._starts, index) - 1
        return self._text_starts[line] + self._nfc_length(self._starts[line], index)

    def _to_written(self, offset: int) -> int:
        if self._is_unchanged:
            return offset
        line = bisect_right(self._text_starts, offset) - 1
        start, end = self._starts[line], self._ends[line]
        target = offset - self._text_starts[line]
        lengths = range(end - start + 1)
        return start + bisect_right(lengths, target, key=lambda length: self._nfc_length(start, start + length)) - 1
