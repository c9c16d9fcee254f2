"""Permute the units of a row: words of a sentence, or tokens of an encoded one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from runner.corpus.rewrite_actions import Chance, permutation
from runner.intervene.perturb.kinds import PermutationKind, ReversalKind

Unit = TypeVar("Unit")


@dataclass(frozen=True, slots=True)
class RowSeed:
    """The values that determine random choices in a row: the seed, the source, and the row's number in its source."""

    seed: int
    source: str
    number: int

    def random_number(self, purpose: str, position: int | None = None) -> int:
        """Return a pseudo-random number below 2**64."""
        return Chance(self.seed, "perturb", 0, self.source, self.number).of(purpose, position)


def reordered(row: Sequence[Unit], kind: PermutationKind, row_seed: RowSeed, window: int | None) -> list[Unit]:
    """Permute the units of a row.

    `shuffle` sorts positions by pseudo-random numbers. The other shuffles permute the row, or each part of `window`
    units, by the permutation that a new NumPy generator with the seed gives for this length. `even-odd` puts even
    positions, counted from 0, before odd ones.
    """
    match kind:
        case "shuffle":
            order = sorted(range(len(row)), key=lambda position: row_seed.random_number("shuffle", position))
            return [row[position] for position in order]
        case "shuffle-by-length":
            return _permuted(row, row_seed.seed)
        case "shuffle-local":
            size = window or 1
            windows = (row[start : start + size] for start in range(0, len(row), size))
            return [unit for window_units in windows for unit in _permuted(window_units, row_seed.seed)]
        case "even-odd":
            return [*row[::2], *row[1::2]]


def _permuted(row: Sequence[Unit], seed: int) -> list[Unit]:
    return [row[position] for position in permutation(len(row), seed)]


def reversed_row(row: Sequence[Unit], kind: ReversalKind, row_seed: RowSeed, marker: Unit) -> list[Unit]:
    """Insert a marker at a random position, and reverse the row, the part after the marker, or nothing.

    The position is the same for all kinds.
    """
    position = row_seed.random_number("marker") % (len(row) + 1)
    marked = [*row[:position], marker, *row[position:]]
    match kind:
        case "reverse":
            return marked[::-1]
        case "reverse-partial":
            return [*marked[: position + 1], *row[position:][::-1]]
        case "reverse-control":
            return marked
