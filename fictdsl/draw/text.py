"""Sanitize and measure text of corpora for display, so that it cannot control the terminal or reorder text."""

from __future__ import annotations

import unicodedata

from rich.cells import cell_len, set_cell_size

_JOINERS = "\u200c\u200d"  # harmless: they only affect the shape of letters
_NARROW = frozenset("iljtfrI.,:;!|'\"`()[]{}-/\\ ")
_WIDE = frozenset("mwMWQ@%&—…")


def safe(text: str) -> str:
    """Return the text without control, format, private-use and unassigned characters, except joiners.

    Tabs and line breaks become spaces.
    """
    if text.isprintable():
        return text
    spaced = (" " if char in "\t\n\r\u2028\u2029" else char for char in text)
    return "".join(char for char in spaced if char in _JOINERS or not unicodedata.category(char).startswith("C"))


def display_width(text: str) -> int:
    """Return the number of terminal columns of safe text."""
    return cell_len(text)


def cut(text: str, max_columns: int) -> str:
    """Return safe text truncated to `max_columns` columns, with an ellipsis if it is too long."""
    if display_width(text) <= max_columns:
        return text
    return set_cell_size(text, max_columns - 1).rstrip() + "…" if max_columns > 0 else ""


def ems(text: str) -> float:
    """Estimate the width of a text in a proportional font, in em. Tends to overestimate."""
    return sum(_em(char) for char in text)


def _em(char: str) -> float:
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0.0
    if unicodedata.east_asian_width(char) in "WF":
        return 1.0
    if char in _NARROW:
        return 0.4
    return 0.98 if char in _WIDE else 0.72 if char.isupper() else 0.63


def right_to_left(text: str) -> bool:
    """Return whether most letters of the text belong to right-to-left scripts."""
    directions = [unicodedata.bidirectional(char) for char in text]
    return sum(direction in ("R", "AL") for direction in directions) > directions.count("L")
