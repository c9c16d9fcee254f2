"""Intervals of a change in accuracy, by four methods: over seeds, or over seeds and items."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from runner.score import inference
from runner.score.change import MIN_AGREEING_SEEDS, MIN_PAIRED_SEEDS, SHRINKAGE, Design, change
from runner.score.inference import Difference, Floats


@dataclass(frozen=True, slots=True)
class Method:
    """A statistical method: its key in CSV and JSON, and its name, citation and description in the report."""

    key: str
    name: str
    citation: str
    description: str


@dataclass(frozen=True, slots=True)
class Sides:
    """Both sides of a change, `a` minus `b`: accuracies (0–1) by seed and, if the items are known, decisions.

    `decisions` has a pair of matrices without NaN for each paradigm, (seeds, items), whose rows follow the seeds of `a`
    and `b`. `items` has the ascending indices of the columns among all items of each paradigm.
    """

    a: Mapping[int, float]
    b: Mapping[int, float]
    decisions: tuple[tuple[Floats, Floats], ...] = ()
    seeds_paired: bool = False
    confidence: float = 0.95
    items: tuple[NDArray[np.intp], ...] = ()

    @property
    def common_seeds(self) -> tuple[int, ...]:
        return tuple(seed for seed in self.a if seed in self.b)

    def of_seeds(self, a: Sequence[int], b: Sequence[int]) -> tuple[tuple[Floats, ...], tuple[Floats, ...]]:
        rows_a, rows_b = _rows(self.a, a), _rows(self.b, b)
        return tuple(first[rows_a] for first, _ in self.decisions), tuple(
            second[rows_b] for _, second in self.decisions
        )


def _rows(side: Mapping[int, float], seeds: Sequence[int]) -> list[int] | slice:
    """Return the row indices of seeds or, if they are all seeds in order, a slice, which avoids a copy."""
    if tuple(side) == tuple(seeds):
        return slice(None)
    return [list(side).index(seed) for seed in seeds]


BOOTSTRAP = Method(
    "bootstrap",
    "bootstrap, seeds × items",
    "Efron and Tibshirani 1993",
    "Percentile interval of 1,000 resamples with a fixed random seed. Seeds and pairs are drawn with replacement; both "
    "sides share the pairs. With two or three seeds it is somewhat too narrow.",
)


def bootstrap(sides: Sides) -> Difference | None:
    if len(sides.decisions) != 1:
        return None
    ends = inference.bootstrap(*sides.decisions[0], sides.confidence)
    if ends is None:
        return None
    mean_a, mean_b = (math.fsum(side.values()) / len(side) for side in (sides.a, sides.b))
    return Difference(mean_a - mean_b, mean_a, mean_b, len(sides.a), len(sides.b), low=ends[0], high=ends[1])


CROSSED = Method(
    "crossed",
    "t over seeds × items",
    "Clark 1973; Satterthwaite 1946; Schäfer and Strimmer 2005",
    "It generalises to other seeds and other items. Its variance is V_seed + V_item − V_residual of the differences, "
    f"but at least half of the larger of V_seed and V_item. With at least {MIN_PAIRED_SEEDS} common seeds of one run, "
    "the differences are paired by seed, and the covariance of the two sides over seeds is multiplied by "
    f"{1 - SHRINKAGE}; otherwise each side has its own variance over seeds or, if one side has fewer than "
    f"{MIN_PAIRED_SEEDS} seeds and the other more than it, the variance of both sides together. With one seed on both "
    "sides it is over items only. It lies within ±100 points. If all decisions of a paradigm agree, the width of the "
    "Clopper–Pearson interval for 0 successes in as many items, divided by the number of paradigms, is another source. "
    "If nothing else varies, the interval is over items only, and fewer than "
    f"{MIN_AGREEING_SEEDS} seeds do not show that the accuracy held.",
)
AGREEING = "items only, as all seeds agree"
DESIGNS: dict[Design, str] = {
    "paired": "seeds × items, seeds paired",
    "unpaired": "seeds × items, seeds unpaired",
    "common variance": "seeds × items, seeds unpaired with a common variance",
    "items": "one seed, over items only",
}


def crossed(sides: Sides) -> Difference | None:
    if not sides.decisions or not sides.a or not sides.b:
        return None
    common = sides.common_seeds
    paired = sides.seeds_paired and len(common) >= MIN_PAIRED_SEEDS
    first, second = sides.of_seeds(common, common) if paired else sides.of_seeds(tuple(sides.a), tuple(sides.b))
    result = change(first, second, paired=paired, confidence=sides.confidence)
    if result is None:
        return None
    mean_a, mean_b = (float(np.mean([decisions.mean() for decisions in side])) for side in (first, second))
    statistics = {name: getattr(result, name) for name in ("se", "df", "low", "high", "p")}
    note = DESIGNS["items"] if result.design == "items" else ""
    method = AGREEING if result.se == 0 and result.design != "items" else DESIGNS[result.design]
    return Difference(result.estimate, mean_a, mean_b, *result.seeds, **statistics, note=note, method=method)


PAIRED = Method(
    "paired",
    "paired t over seeds",
    "Student 1908",
    "Differences between models with the same seed, for fixed items. Pairing helps only if models with the same seed "
    "are correlated, which the seed correlation shows.",
)


def paired_by_seed(sides: Sides) -> Difference | None:
    difference = inference.paired(sides.a, sides.b, sides.confidence)
    return None if difference is None else _within_reach(difference)


WELCH = Method(
    "welch",
    "Welch t over seeds",
    "Welch 1947; Satterthwaite 1946",
    "SE² is the sum of s²/n over both sides. It treats seeds as independent and items as fixed: it says how much the "
    "delta would vary with other seeds, for these items. A side with one seed has no interval.",
)


def welch(sides: Sides) -> Difference | None:
    return _within_reach(inference.welch(list(sides.a.values()), list(sides.b.values()), sides.confidence))


def _within_reach(difference: Difference) -> Difference:
    if difference.low is None or difference.high is None:
        return difference
    return replace(difference, low=max(difference.low, -1.0), high=min(difference.high, 1.0))


Interval: TypeAlias = Callable[[Sides], Difference | None]
INTERVALS: tuple[tuple[Method, Interval], ...] = (
    (BOOTSTRAP, bootstrap),
    (CROSSED, crossed),
    (PAIRED, paired_by_seed),
    (WELCH, welch),
)
METHODS = {method.key: method for method, _ in INTERVALS}


def intervals(sides: Sides) -> dict[str, Difference]:
    differences = ((method.key, interval(sides)) for method, interval in INTERVALS)
    return {key: difference for key, difference in differences if difference is not None}
