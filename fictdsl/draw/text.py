"""Corpus text to what may be shown, and how wide it is: nothing in it can move a cursor, colour or reorder anything."""

from __future__ import annotations

import unicodedata

from rich.cells import cell_len, set_cell_size

_JOINERS = "\u200c\u200d"  # they shape letters and do nothing else
_NARROW = frozenset("iljtfrI.,:;!|'\"`()[]{}-/\\ ")
_BROAD = frozenset("mwMWQ@%&—…")


def safe(text: str) -> str:
    """The text without control and formatting characters; tabs and line breaks become spaces."""
    if text.isprintable():
        return text
    spaced = (" " if char in "\t\n\r\u2028\u2029" else char for char in text)
    return "".join(char for char in spaced if char in _JOINERS or not unicodedata.category(char).startswith("C"))


def cells(text: str) -> int:
    """How many columns of a terminal safe text takes."""
    return cell_len(text)


def cut(text: str, room: int) -> str:
    """Safe text cut to `room` columns, with an ellipsis where something is missing."""
    if cells(text) <= room:
        return text
    return set_cell_size(text, room - 1).rstrip() + "…" if room > 0 else ""


def ems(text: str) -> float:
    """About how wide the text is in a proportional font, in units of its size; rather too wide than too narrow."""
    return sum(_em(char) for char in text)


def _em(char: str) -> float:
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0.0
    if unicodedata.east_asian_width(char) in "WF":
        return 1.0
    if char in _NARROW:
        return 0.4
    return 0.98 if char in _BROAD else 0.72 if char.isupper() else 0.63


def right_to_left(text: str) -> bool:
    """Whether most letters of the text belong to a script that is written from right to left."""
    directions = [unicodedata.bidirectional(char) for char in text]
    return sum(one in ("R", "AL") for one in directions) > directions.count("L")
