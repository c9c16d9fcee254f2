"""Render diagnostics as text: with excerpts of the source for people, or as one line each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.source import Source, Span
from fictdsl.terminal_text import display_width, printable, printable_message

_COLOURS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.HINT: "36"}
_BOLD, _BLUE = "1", "34"
_MAX_COLUMNS = 160  # columns of an excerpt; longer lines are clipped around the span
_CONTEXT = 60  # characters before and after the span in a clipped line


def render_text(diagnostics: Sequence[Diagnostic], use_colours: bool) -> str:
    """Return the diagnostics, separated by an empty line, without a final newline."""
    return "\n\n".join(_text(diagnostic, _Paint(use_colours)) for diagnostic in diagnostics)


class _Paint:
    def __init__(self, enabled: bool) -> None:
        self.enabled = enabled

    def __call__(self, text: str, *codes: str) -> str:
        return f"\x1b[{';'.join(codes)}m{text}\x1b[0m" if self.enabled and text else text


def _text(diagnostic: Diagnostic, paint: _Paint) -> str:
    colour = _COLOURS[diagnostic.severity]
    header = paint(f"{diagnostic.severity.value}[{diagnostic.code}]", _BOLD, colour)
    lines = [f"{header}{paint(': ' + printable_message(diagnostic.message), _BOLD)}"]
    marks = [_Mark(diagnostic.source, diagnostic.span, "^", "", (_BOLD, colour))]
    marks += [
        _Mark(label.source or diagnostic.source, label.span, "-", label.text, (_BLUE,)) for label in diagnostic.labels
    ]
    margin = max(len(str(mark.line)) for mark in marks)
    previous_mark: _Mark | None = None
    for mark in marks:
        lines += _excerpt(mark, previous_mark, margin, paint)
        previous_mark = mark
    if diagnostic.hint is not None:
        bar = paint(" " * margin + " =", _BLUE)
        lines.append(f"{bar} {paint('hint', _BOLD)}: {printable_message(diagnostic.hint)}")
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class _Mark:
    """A span, the sign that underlines it, and its text."""

    source: Source | None
    span: Span | None
    sign: str
    text: str
    codes: tuple[str, ...]

    @property
    def line(self) -> int:
        return self.source.position(self.span.start)[0] if self.source and self.span else 0


def _excerpt(mark: _Mark, previous_mark: _Mark | None, margin: int, paint: _Paint) -> list[str]:
    """Return the lines of a mark: `--> file:line:column`, an empty bar, the source line, and signs with their text.

    Lines that repeat those of the previous mark are omitted.
    """
    source, span = mark.source, mark.span
    if source is None:
        return []
    arrow = paint(" " * margin + "-->", _BLUE)
    if span is None:
        return [f"{arrow} {printable(source.name)}"]
    line_number, column = source.position(span.start)
    line = source.line_span(line_number)
    prefix, marked_text, suffix = _clipped(source, line, span)
    bar = paint(" " * margin + " |", _BLUE)
    signs = paint(
        (mark.sign * max(1, _columns(marked_text)) + f" {printable_message(mark.text)}").rstrip(),
        *mark.codes,
    )
    rows = [
        f"{arrow} {printable(source.name)}:{line_number}:{column}",
        bar,
        f"{paint(f'{line_number:>{margin}} |', _BLUE)} {printable(prefix + marked_text + suffix)}".rstrip(),
        f"{bar} {' ' * _columns(prefix)}{signs}",
    ]
    if previous_mark is None or previous_mark.source is not source:
        return rows
    return rows[3:] if previous_mark.line == line_number and _is_short(source, line) else rows[2:]


def _is_short(source: Source, line: Span) -> bool:
    return line.end - line.start <= _MAX_COLUMNS and _columns(source.text[line.start : line.end]) <= _MAX_COLUMNS


def _clipped(source: Source, line: Span, span: Span) -> tuple[str, str, str]:
    """Return the text of a line before, in and after a span, clipped around the span if the line is long.

    The run time does not depend on the length of the line, since a file may have thousands of diagnostics on one line.
    """
    start = min(span.start, line.end)
    end = min(start + max(1, span.end - span.start), line.end)
    if _is_short(source, line):
        return source.text[line.start : start], source.text[start:end], source.text[end : line.end]
    clip_start, clip_end = max(start - _CONTEXT, line.start), min(end + _CONTEXT, line.end)
    marked_end = min(start + _CONTEXT, end)
    prefix, marked, suffix = source.text[clip_start:start], source.text[start:marked_end], source.text[end:clip_end]
    return (
        prefix if clip_start == line.start else "…" + prefix,
        marked if marked_end == end else marked + "…",
        suffix if clip_end == line.end else suffix + "…",
    )


def render_concise(diagnostics: Sequence[Diagnostic]) -> str:
    """Return lines such as `file:line:column: error[FICT110] message (hint)`, without a final newline."""
    return "\n".join(_concise(diagnostic) for diagnostic in diagnostics)


def _concise(diagnostic: Diagnostic) -> str:
    position = ""
    if diagnostic.source is not None:
        position = printable(diagnostic.source.name) + ":"
        if diagnostic.span is not None:
            line, column = diagnostic.source.position(diagnostic.span.start)
            position += f"{line}:{column}:"
        position += " "
    hint = f" ({printable_message(diagnostic.hint)})" if diagnostic.hint else ""
    severity = diagnostic.severity.value
    return f"{position}{severity}[{diagnostic.code}] {printable_message(diagnostic.message)}{hint}"


def _columns(text: str) -> int:
    return display_width(printable(text))
