"""The power of designs: what they can detect and prove, given variance components from a pilot or assumptions.

The variance of a mean change over S seeds and I items is σ²_seed/S + σ²_item/I + σ²_residual/(S·I), the expectation of
the variance that `runner.score.statistics.change` estimates. As in that module, the covariance between the two sides of
the same seed is shrunk.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy import special  # has the distributions of scipy.stats, which takes a second to load

from runner.score.statistics.change import MIN_PAIRED_SEEDS
from runner.score.statistics.components import FLOOR, paired_components, shrunk, summarize_paradigm, unpaired_components
from runner.score.statistics.inference import Floats
from runner.score.statistics.method import Sides
from runner.score.statistics.paired import detectable_shift

POWER = 0.8
ASSUMED_ACCURACY = 0.75
# in logits, as in benchmarks/decisions.py (seed: benchmarks/coverage.py)
_ASSUMED_SD = {"seed": 0.2, "item": 1.4, "interaction": 0.25, "seed × item": 0.5}
_ASSUMED_SEEDS, _ASSUMED_ITEMS = 60, 2000  # simulated to compute the assumed components


@dataclass(frozen=True, slots=True)
class Components:
    """Variance components of the change of one decision: between seeds, between items, and residual.

    The estimates are unbiased, so those of seeds and items may be negative.
    """

    seed: float
    item: float
    residual: float


@dataclass(frozen=True, slots=True)
class Unpaired:
    """The components of two independent sets of seeds.

    Each side has its own components of seeds and residual; that of items is of the differences between item means.
    """

    first: Components
    second: Components
    item: float

    @property
    def sides(self) -> tuple[Components, Components]:
        """Both sides, whose `item` is not used."""
        return self.first, self.second

    @property
    def as_paired(self) -> Components:
        """The components of differences between independent sides."""
        return Components(self.first.seed + self.second.seed, self.item, self.first.residual + self.second.residual)


@dataclass(frozen=True, slots=True)
class Variances:
    """The components of a pilot: of differences paired by seed, and of two independent sets of seeds."""

    paired: Components
    unpaired: Unpaired

    def se(self, seeds: int, items: int) -> tuple[float, float]:
        """Return the standard error of a change with `seeds` seeds on each side, and its degrees of freedom.

        Seeds are paired if there are at least `MIN_PAIRED_SEEDS`. With one seed, the standard error is over items only.
        At the pilot's own numbers of seeds and items, both are those of its interval.
        """
        is_paired = seeds >= MIN_PAIRED_SEEDS
        sides = (self._shrunk(),) if is_paired else self.unpaired.sides
        differences = self.paired if is_paired else self.unpaired.as_paired
        over_items = max(0.0, differences.item / items + differences.residual / (seeds * items))
        if seeds < 2:
            return float(np.sqrt(over_items)), items - 1
        residuals = [side.residual / (seeds * items) for side in sides]
        over_seeds = [max(0.0, side.seed / seeds + residual) for side, residual in zip(sides, residuals, strict=True)]
        larger = max(sum(over_seeds), over_items)
        variance = max(sum(over_seeds) + over_items - sum(residuals), FLOOR * larger) if larger else sum(residuals)
        terms = [
            (over_items, items - 1),
            *((value, seeds - 1) for value in over_seeds),
            *((value, (seeds - 1) * (items - 1)) for value in residuals),
        ]
        denominator = sum(value**2 / df for value, df in terms)
        return float(np.sqrt(variance)), max(1.0, variance**2 / denominator) if denominator else float(items - 1)

    def _shrunk(self) -> Components:
        """Return the paired components, with the covariance between the sides of equal seeds shrunk."""
        independent = self.unpaired.as_paired
        return replace(
            self.paired,
            seed=shrunk(self.paired.seed, independent.seed),
            residual=shrunk(self.paired.residual, independent.residual),
        )


def variances(sides: Sides) -> Variances | None:
    """Return the variance components of a paradigm, or None if its data are insufficient.

    Exactly one paradigm is required, with at least two seeds on each side and two items. With fewer than two common
    seeds, the unpaired components are used for both.
    """
    if len(sides.decisions) != 1 or min(len(sides.a), len(sides.b)) < 2 or sides.decisions[0][0].shape[1] < 2:
        return None
    first, second = sides.decisions[0]
    unpaired = _unpaired(first, second)
    common = sides.common_seeds if sides.seeds_paired else ()
    if len(common) < 2:
        return Variances(unpaired.as_paired, unpaired)
    common_decisions = sides.of_seeds(common, common)
    return Variances(_paired(common_decisions[0][0], common_decisions[1][0]), unpaired)


def _paired(first: Floats, second: Floats) -> Components:
    seeds, items = first.shape
    components = paired_components([summarize_paradigm(first[None], second[None])])
    residual = float(components.residual[0])
    return Components(
        (float(components.seeds[0]) - residual) * seeds,
        (float(components.items[0]) - residual) * items,
        residual * seeds * items,
    )


def _unpaired(first: Floats, second: Floats) -> Unpaired:
    first_side, second_side = (_paired(side, np.zeros_like(side)) for side in (first, second))
    components = unpaired_components([summarize_paradigm(first[None], second[None])])
    item = (float(components.items[0]) - float(components.residual[0])) * first.shape[1]
    return Unpaired(first_side, second_side, item)


def power_limits(se: float, df: float, confidence: float = 0.95) -> tuple[float, float]:
    """Return the smallest detectable change and the smallest provable margin (without a change), each with power 0.8.

    Both are multiples of the standard error of the interval: `detectable_shift` for the change (Cohen 1988), and
    t_{df,(1+confidence)/2} + t_{df,0.9} for the margin (two one-sided tests; Schuirmann 1987).
    """
    margin = special.stdtrit(df, (1 + confidence) / 2) + special.stdtrit(df, (1 + POWER) / 2)
    return detectable_shift(df, 1 - confidence, POWER) * se, float(margin) * se


def held_probability(se: float, df: float, margin: float, confidence: float = 0.95) -> float:
    """Return the probability that the interval of a change lies within ±`margin`, if the true change is zero.

    The standard error `se` is treated as known.
    """
    shift = margin / se - float(special.stdtrit(df, (1 + confidence) / 2)) if se else np.inf
    return float(max(0.0, 2 * special.ndtr(shift) - 1))


def assumed_variances(accuracy: float = ASSUMED_ACCURACY) -> Variances:
    """Return components for planning without a pilot, simulated with a fixed seed for two equal conditions.

    Decisions follow a logistic model with the standard deviations of a typical run. The effects of a seed on the two
    sides are independent.
    """
    rng = np.random.default_rng(0)
    item = _ASSUMED_SD["item"] * rng.standard_normal(_ASSUMED_ITEMS)
    sides = [_simulated_decisions(rng, item, accuracy) for _ in range(2)]
    return Variances(_paired(*sides), _unpaired(*sides))


def _simulated_decisions(rng: np.random.Generator, item: Floats, accuracy: float) -> Floats:
    shape = (_ASSUMED_SEEDS, _ASSUMED_ITEMS)
    logits = item + _ASSUMED_SD["interaction"] * rng.standard_normal(_ASSUMED_ITEMS)
    logits = logits + _ASSUMED_SD["seed"] * rng.standard_normal((_ASSUMED_SEEDS, 1))
    logits = logits + _ASSUMED_SD["seed × item"] * rng.standard_normal(shape)
    return np.asarray(rng.random(shape) < 1 / (1 + np.exp(-logits - _intercept(logits, accuracy))), dtype=np.float64)


def _intercept(logits: Floats, accuracy: float) -> float:
    """Return the shift of the logits for which the mean probability is `accuracy`, found by bisection."""
    low, high = -30.0, 30.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if float((1 / (1 + np.exp(-logits - middle))).mean()) < accuracy else (low, middle)
    return low
