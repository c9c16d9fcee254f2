"""Corpus text to what a terminal may be sent: nothing in it can move the cursor, colour or reorder anything."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable

import click

from fictdsl.draw.pieces import Line, Style
from fictdsl.draw.text import safe

__all__ = ["faint", "for_output", "highlighted", "safe", "styled", "terminal_width"]


def for_output(text: str) -> str:
    """The text as it is into a file or pipe, and made safe for a terminal."""
    return safe(text) if sys.stdout.isatty() else text


def highlighted(text: str) -> str:
    """Safe text that stands out: bold and coloured where standard output takes colours."""
    text = safe(text)
    return click.style(text, fg="cyan", bold=True) if _colours() else text


def faint(text: str) -> str:
    """Safe text that stands back."""
    text = safe(text)
    return click.style(text, dim=True) if _colours() else text


def styled(line: Line) -> str:
    """A drawn line with its bound words highlighted and what stands back faint, where colours are taken."""
    looks: dict[Style, Callable[[str], str]] = {"plain": str, "bound": highlighted, "faint": faint}
    return "".join(looks[piece.style](piece.text) for piece in line).rstrip()


def terminal_width() -> int | None:
    """How many columns a line may have: those of the terminal, None into a file or pipe."""
    return shutil.get_terminal_size((100, 24)).columns if sys.stdout.isatty() else None


def _colours() -> bool:
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ
