"""Escape and style corpus text. Escaped text cannot move the cursor of a terminal, or colour or reorder other text."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable

import click

from fictdsl.draw.terminal import Line, Style
from fictdsl.draw.text import safe
from runner.cli.shared.messages import has_colours

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
