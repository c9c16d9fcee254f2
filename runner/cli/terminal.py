"""Corpus text, bytes and trees of dataclasses as output, with control characters escaped on a terminal."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

import click

from fictdsl.terminal_text import safe
from runner.cli.messages import has_colours

if TYPE_CHECKING:
    from fictdsl.draw.terminal import Line, Style

__all__ = ["block_for_output", "faint", "for_output", "highlighted", "safe", "styled", "terminal_width"]


def for_output(text: str) -> str:
    """Return one line of text, escaped if standard output is a terminal."""
    return safe(text) if sys.stdout.isatty() else text


def block_for_output(text: str) -> str:
    """Return lines of text, escaped except for tabs if standard output is a terminal."""
    if not sys.stdout.isatty():
        return text
    return "\n".join("\t".join(map(safe, line.split("\t"))) for line in text.split("\n"))


def highlighted(text: str) -> str:
    """Return escaped text, bold and coloured if standard output supports it."""
    text = safe(text)
    return click.style(text, fg="cyan", bold=True) if has_colours(sys.stdout) else text


def faint(text: str) -> str:
    """Return escaped text, dimmed if standard output supports it."""
    text = safe(text)
    return click.style(text, dim=True) if has_colours(sys.stdout) else text


def styled(line: Line) -> str:
    """Return a drawn line, its pieces styled if standard output supports it."""
    styles: dict[Style, Callable[[str], str]] = {"plain": str, "bound": highlighted, "faint": faint}
    return "".join(styles[piece.style](piece.text) for piece in line).rstrip()


def terminal_width() -> int | None:
    """Return the number of columns of the terminal, or None for a file or pipe."""
    return shutil.get_terminal_size((100, 24)).columns if sys.stdout.isatty() else None


@contextmanager
def open_output(path: Path | None = None) -> Iterator[IO[bytes]]:
    """Open a file that is published when it is complete or, without a path, standard output.

    On a terminal, control characters are escaped; each write must then consist of complete lines.
    """
    if path is not None:
        from runner.workspace import atomic_write

        with atomic_write(path) as temp, temp.open("wb") as file:
            yield file
    elif sys.stdout.isatty():
        yield cast("IO[bytes]", _Terminal())
    else:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()


def write_output(text: str, path: Path | None) -> None:
    """Write a text to a file that is published when it is complete or, without a path, print it."""
    if path is None:
        click.echo(text, nl=False)
    else:
        from runner.workspace import write_text

        write_text(path, text)


class _Terminal:
    """A binary file that prints lines of text with control characters escaped."""

    def write(self, data: bytes | memoryview) -> int:
        if text := bytes(data).decode():
            click.echo(block_for_output(text.removesuffix("\n")))
        return len(data)

    def writelines(self, lines: Iterable[bytes | memoryview]) -> None:
        for line in lines:
            self.write(line)


_WIDTH = 100  # characters of a line, without its indentation


def dump(value: object) -> str:
    """Return the tree without spans, one field per line; a value that fits is on one line."""
    return "\n".join(_lines(value))


def _lines(value: object) -> Iterator[str]:
    one_line = _one_line(value)
    if len(one_line) <= _WIDTH or not (is_dataclass(value) or isinstance(value, tuple)):
        yield one_line
        return
    if isinstance(value, tuple):
        for item in value:
            lines = iter(_lines(item))
            yield f"- {next(lines)}"
            yield from (f"  {line}" for line in lines)
        return
    yield type(value).__name__
    for name, field_value in _fields_without_span(value):
        one_line = _one_line(field_value)
        if len(one_line) + len(name) <= _WIDTH:
            yield f"  {name}: {one_line}"
        else:
            yield f"  {name}:"
            yield from (f"    {line}" for line in _lines(field_value))


def _fields_without_span(value: object) -> list[tuple[str, object]]:
    names = [field.name for field in fields(value) if field.name != "span"]  # type: ignore[arg-type]
    return [(name, getattr(value, name)) for name in names]


def _one_line(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(_one_line(item) for item in value)}]"
    if is_dataclass(value):
        arguments = (f"{name}={_one_line(field_value)}" for name, field_value in _fields_without_span(value))
        return f"{type(value).__name__}({', '.join(arguments)})"
    return repr(value)
