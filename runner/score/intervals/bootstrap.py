"""The bootstrap over seeds and items."""

from __future__ import annotations

import math

from runner.score import inference
from runner.score.inference import Difference
from runner.score.intervals import Method, Sides

METHOD = Method(
    "bootstrap",
    "bootstrap, seeds × items",
    "Efron and Tibshirani 1993",
    "Percentile interval of 1,000 resamples with a fixed random seed. Seeds and pairs are drawn with replacement; both "
    "sides share the pairs. With two or three seeds it is somewhat too narrow.",
)


def interval(sides: Sides) -> Difference | None:
    """Return the change with its percentile interval, or None unless there is one paradigm with applicable items."""
    if len(sides.decisions) != 1:
        return None
    ends = inference.bootstrap(*sides.decisions[0], sides.confidence)
    if ends is None:
        return None
    mean_a, mean_b = (math.fsum(side.values()) / len(side) for side in (sides.a, sides.b))
    n_a, n_b = len(sides.a), len(sides.b)
    return Difference(mean_a - mean_b, mean_a, mean_b, n_a, n_b, low=ends[0], high=ends[1])
