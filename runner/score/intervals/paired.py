"""The paired t interval over common seeds."""

from __future__ import annotations

from runner.score import inference
from runner.score.inference import Difference
from runner.score.intervals import Method, Sides, within_reach

METHOD = Method(
    "paired",
    "paired t over seeds",
    "Student 1908",
    "Differences between models with the same seed, for fixed items. Pairing helps only if models with the same seed "
    "are correlated, which the seed correlation shows.",
)


def interval(sides: Sides) -> Difference | None:
    """Return the mean difference over common seeds with its t interval, or None if no seed is shared."""
    difference = inference.paired(sides.a, sides.b, sides.confidence)
    return None if difference is None else within_reach(difference)
