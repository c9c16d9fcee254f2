"""The kinds of perturbations."""

from __future__ import annotations

from typing import Literal, TypeAlias

PermutationKind: TypeAlias = Literal["shuffle", "shuffle-by-length", "shuffle-local", "even-odd"]
ReversalKind: TypeAlias = Literal["reverse", "reverse-partial", "reverse-control"]
Kind: TypeAlias = PermutationKind | ReversalKind | Literal["hop"]
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
REVERSALS = ("reverse", "reverse-partial", "reverse-control")
UNSEEDED = ("even-odd", "hop")
HOP_DISTANCE = 4  # number of words or tokens by which `hop` moves a marker, as in Kallini et al. 2024
