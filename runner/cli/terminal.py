"""Corpus text to what a terminal may be sent: nothing in it can move the cursor, colour or reorder anything."""

from __future__ import annotations

import os
import sys
import unicodedata

import click

_JOINERS = "\u200c\u200d"  # they shape letters and do nothing else


def safe(text: str) -> str:
    """The text without control and formatting characters; tabs and line breaks become spaces."""
    if text.isprintable():
        return text
    spaced = (" " if char in "\t\n\r\u2028\u2029" else char for char in text)
    return "".join(char for char in spaced if char in _JOINERS or not unicodedata.category(char).startswith("C"))


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


def _colours() -> bool:
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ
