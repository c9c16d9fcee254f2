"""The kinds of perturbations."""

from __future__ import annotations

from typing import Literal, TypeAlias

Order: TypeAlias = Literal["shuffle", "shuffle-by-length", "shuffle-local", "even-odd"]
Marked: TypeAlias = Literal["reverse", "reverse-partial", "reverse-control"]
Kind: TypeAlias = Order | Marked | Literal["hop"]
KINDS: tuple[Kind, ...] = (
    "shuffle",
    "shuffle-by-length",
    "shuffle-local",
    "even-odd",
    "reverse",
    "reverse-partial",
    "reverse-control",
    "hop",
)
MARKED = ("reverse", "reverse-partial", "reverse-control")
UNSEEDED = ("even-odd", "hop")
DISTANCE = 4  # of `hop`, as published
