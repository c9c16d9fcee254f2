"""Styled text: lines of pieces with a style. The printer decides how styles look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from fictdsl.draw.text import cells

Style = Literal["plain", "bound", "faint"]


@dataclass(frozen=True, slots=True)
class Piece:
    """Safe text and its style."""

    text: str
    style: Style = "plain"


Line = tuple[Piece, ...]


def plain(lines: Sequence[Line]) -> str:
    """Return the lines as plain text."""
    return "\n".join("".join(piece.text for piece in line).rstrip() for line in lines)


def width(line: Sequence[Piece]) -> int:
    """Return the number of terminal columns of a line."""
    return sum(cells(piece.text) for piece in line)
