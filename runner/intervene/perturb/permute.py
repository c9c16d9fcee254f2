"""Permute the units of a row: words of a sentence, or tokens of an encoded one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from runner.corpus.rewriting.actions import permutation
from runner.corpus.rewriting.chance import Chance
from runner.intervene.perturb.kinds import Marked, Order

Unit = TypeVar("Unit")


@dataclass(frozen=True, slots=True)
class Place:
    """What chance depends on: the seed, and the source and number of the row in it."""

    seed: int
    source: str
    number: int

    def chance(self, purpose: str, place: int | None = None) -> int:
        """Return a number below 2**64."""
        return Chance(self.seed, "perturb", 0, self.source, self.number).of(purpose, place)


def reordered(row: Sequence[Unit], kind: Order, place: Place, window: int | None) -> list[Unit]:
    """Return the units of a row in another order.

    `shuffle` sorts positions by a keyed hash. The other shuffles permute the row, or each window of it, as a new
    generator of numpy with the seed shuffles a list of that length. `even-odd` has even positions, from 0, before odd
    ones.
    """
    match kind:
        case "shuffle":
            order = sorted(range(len(row)), key=lambda position: place.chance("shuffle", position))
            return [row[position] for position in order]
        case "shuffle-by-length":
            return _permuted(row, place.seed)
        case "shuffle-local":
            size = window or 1
            windows = (row[start : start + size] for start in range(0, len(row), size))
            return [unit for part in windows for unit in _permuted(part, place.seed)]
        case "even-odd":
            return [*row[::2], *row[1::2]]


def _permuted(row: Sequence[Unit], seed: int) -> list[Unit]:
    return [row[position] for position in permutation(len(row), seed)]


def reversed_row(row: Sequence[Unit], kind: Marked, place: Place, marker: Unit) -> list[Unit]:
    """Return a row with a marker at a place that is the same for all kinds, reversed, or reversed after the marker."""
    position = place.chance("marker") % (len(row) + 1)
    marked = [*row[:position], marker, *row[position:]]
    match kind:
        case "reverse":
            return marked[::-1]
        case "reverse-partial":
            return [*marked[: position + 1], *row[position:][::-1]]
        case "reverse-control":
            return marked
