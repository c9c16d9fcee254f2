"""Styled text: a line is a tuple of pieces, each with one style. The renderer defines the appearance of each style."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from fictdsl.draw.text import display_width

Style = Literal["plain", "bound", "faint"]  # bound: a word that a match binds


@dataclass(frozen=True, slots=True)
class Piece:
    """A text without control characters, and its style."""

    text: str
    style: Style = "plain"


Line = tuple[Piece, ...]


def plain_text(lines: Sequence[Line]) -> str:
    """Return the lines as plain text."""
    return "\n".join("".join(piece.text for piece in line).rstrip() for line in lines)


def width(line: Sequence[Piece]) -> int:
    """Return the number of terminal columns of a line."""
    return sum(display_width(piece.text) for piece in line)
