"""Excerpts of large files as sources of diagnostics, with the line numbers of the file."""

from __future__ import annotations

from dataclasses import dataclass

from fictdsl.source import Source, Span


@dataclass(frozen=True)
class Excerpt(Source):
    """A part of a file that begins at the 1-based line `first_line`. Positions refer to the whole file."""

    first_line: int = 1

    def position(self, offset: int) -> tuple[int, int]:
        """Return the 1-based line in the file, and the column, of an offset into the excerpt."""
        line, column = super().position(offset)
        return line + self.first_line - 1, column

    def line_span(self, number: int) -> Span:
        """Return the span in the excerpt of a line of the file."""
        return super().line_span(number - self.first_line + 1)


def line_excerpt(name: str, number: int, text: str, start: int = 0, end: int | None = None) -> tuple[Excerpt, Span]:
    """Return one line of a file as a source, and the span from `start` to `end` (default: its end) in code points."""
    return Excerpt(name, text, None, number), Span(start, len(text) if end is None else end)
