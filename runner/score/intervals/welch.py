"""Welch's interval over seeds."""

from __future__ import annotations

from runner.score import inference
from runner.score.inference import Difference
from runner.score.intervals import Method, Sides, within_reach

METHOD = Method(
    "welch",
    "Welch t over seeds",
    "Welch 1947; Satterthwaite 1946",
    "SE² is the sum of s²/n over both sides. It treats seeds as independent and items as fixed: it says how much the "
    "delta would vary with other seeds, for these items. A side with one seed has no interval.",
)


def interval(sides: Sides) -> Difference | None:
    """Return the difference of means over seeds."""
    return within_reach(inference.welch(list(sides.a.values()), list(sides.b.values()), sides.confidence))
