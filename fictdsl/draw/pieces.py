"""A line of text in pieces that each say how they stand out; who prints it decides what that looks like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from fictdsl.draw.text import cells

Style = Literal["plain", "bound", "faint"]


@dataclass(frozen=True, slots=True)
class Piece:
    """Safe text, and whether it stands out (a bound word), stands back, or neither."""

    text: str
    style: Style = "plain"


Line = tuple[Piece, ...]


def plain(lines: Sequence[Line]) -> str:
    """The lines as text without any style."""
    return "\n".join("".join(piece.text for piece in line).rstrip() for line in lines)


def width(line: Sequence[Piece]) -> int:
    """How many columns a line takes."""
    return sum(cells(piece.text) for piece in line)
