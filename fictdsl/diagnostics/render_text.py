"""Diagnostics into the text that people read: header, place, excerpt with a caret, labels, hint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.diagnostics.display import said, shown, width
from fictdsl.source import Source, Span

_COLOURS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.HINT: "36"}
_BOLD, _BLUE = "1", "34"
_LONGEST = 160  # columns of an excerpt; of a longer line only the part around the place is shown
_AROUND = 60


def render(diagnostics: Sequence[Diagnostic], color: bool) -> str:
    """The diagnostics, one after the other with an empty line between; no newline at the end."""
    return "\n\n".join(_one(diagnostic, _Paint(color)) for diagnostic in diagnostics)


class _Paint:
    """Puts colour on text, if colour is wanted."""

    def __init__(self, on: bool) -> None:
        self.on = on

    def __call__(self, text: str, *codes: str) -> str:
        return f"\x1b[{';'.join(codes)}m{text}\x1b[0m" if self.on and text else text


def _one(diagnostic: Diagnostic, paint: _Paint) -> str:
    colour = _COLOURS[diagnostic.severity]
    head = paint(f"{diagnostic.severity.value}[{diagnostic.code}]", _BOLD, colour)
    lines = [f"{head}{paint(': ' + said(diagnostic.message), _BOLD)}"]
    marks = [_Mark(diagnostic.source, diagnostic.span, "^", "", (_BOLD, colour))]
    marks += [
        _Mark(label.source or diagnostic.source, label.span, "-", label.text, (_BLUE,)) for label in diagnostic.labels
    ]
    margin = max(len(str(mark.line)) for mark in marks)
    before: _Mark | None = None
    for mark in marks:
        lines += _excerpt(mark, before, margin, paint)
        before = mark
    if diagnostic.hint is not None:
        bar = paint(" " * margin + " =", _BLUE)
        lines.append(f"{bar} {paint('hint', _BOLD)}: {said(diagnostic.hint)}")
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class _Mark:
    """A place, the sign that is drawn under it and what it says."""

    source: Source | None
    span: Span | None
    sign: str
    text: str
    colour: tuple[str, ...]

    @property
    def line(self) -> int:
        return self.source.position(self.span.start)[0] if self.source and self.span else 0


def _excerpt(mark: _Mark, above: _Mark | None, margin: int, paint: _Paint) -> list[str]:
    """`--> file:line:column`, an empty bar, the line, and below it the marks with what they say.

    What the mark above has already shown is not shown again.
    """
    source, span = mark.source, mark.span
    if source is None:
        return []
    arrow = paint(" " * margin + "-->", _BLUE)
    if span is None:
        return [f"{arrow} {shown(source.name)}"]
    number, column = source.position(span.start)
    line = source.line_span(number)
    before, marked, after = _clipped(source, line, span)
    bar = paint(" " * margin + " |", _BLUE)
    signs = paint((mark.sign * max(1, width(marked)) + f" {said(mark.text)}").rstrip(), *mark.colour)
    rows = [
        f"{arrow} {shown(source.name)}:{number}:{column}",
        bar,
        f"{paint(f'{number:>{margin}} |', _BLUE)} {shown(before + marked + after)}".rstrip(),
        f"{bar} {' ' * width(before)}{signs}",
    ]
    if above is None or above.source is not source:
        return rows
    return rows[3:] if above.line == number and _is_short(source, line) else rows[2:]


def _is_short(source: Source, line: Span) -> bool:
    return line.end - line.start <= _LONGEST and width(source.text[line.start : line.end]) <= _LONGEST


def _clipped(source: Source, line: Span, span: Span) -> tuple[str, str, str]:
    """The parts of a line before, in and after a span, shortened to what stands around the mark if the line is long.

    The time does not depend on the length of the line: a file may have thousands of diagnostics on one line.
    """
    start = min(span.start, line.end)
    end = min(start + max(1, span.end - span.start), line.end)
    if _is_short(source, line):
        return source.text[line.start : start], source.text[start:end], source.text[end : line.end]
    first, middle, last = (max(start - _AROUND, line.start), min(start + _AROUND, end), min(end + _AROUND, line.end))
    before, marked, after = source.text[first:start], source.text[start:middle], source.text[end:last]
    return (
        before if first == line.start else "…" + before,
        marked if middle == end else marked + "…",
        after if last == line.end else after + "…",
    )
