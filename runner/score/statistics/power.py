"""The power of designs: what they can detect and prove, given variance components from a pilot or assumptions.

The variance of a mean change over S seeds and I items is σ²_seed/S + σ²_item/I + σ²_residual/(S·I), the expectation of
the variance that `runner.score.statistics.change` estimates. As in that module, the covariance between the two sides of
the same seed is shrunk.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special  # has the distributions of scipy.stats, which takes a second to load

from runner.score.statistics.change import MIN_PAIRED_SEEDS
from runner.score.statistics.components import paired_components, shrunk, summarize_paradigm, unpaired_components
from runner.score.statistics.inference import Floats
from runner.score.statistics.method import Sides
from runner.score.statistics.paired import detectable_shift

POWER = 0.8
ASSUMED_ACCURACY = 0.75
_ASSUMED_SD = {
    "seed": 0.2,
    "item": 1.4,
    "interaction": 0.25,
    "seed × item": 0.5,
}  # logits, as in benchmarks/coverage.py
_ASSUMED_SEEDS, _ASSUMED_ITEMS = 60, 2000  # simulated to compute the assumed components


@dataclass(frozen=True, slots=True)
class Components:
    """Variance components of the change of one decision: between seeds, between items, and residual."""

    seed: float
    item: float
    residual: float


@dataclass(frozen=True, slots=True)
class Variances:
    """The components of a pilot: of differences paired by seed, and of two independent sets of seeds."""

    paired: Components
    unpaired: Components

    def se(self, seeds: int, items: int) -> tuple[float, float]:
        """Return the standard error of a change with `seeds` seeds on each side, and its degrees of freedom.

        Seeds are paired if there are at least `MIN_PAIRED_SEEDS`. With one seed, the standard error is over items only.
        """
        components = self.paired if seeds >= MIN_PAIRED_SEEDS else self.unpaired
        over_items = components.item / items + components.residual / (seeds * items)
        if seeds < 2:
            return float(np.sqrt(over_items)), items - 1
        independent_sides = 1 if seeds >= MIN_PAIRED_SEEDS else 2
        seed, residual_component = self._between_seeds(seeds)
        residual = residual_component / (seeds * items)
        over_seeds = seed / seeds + residual
        variance = over_seeds + over_items - residual
        degrees_of_freedom = (independent_sides * (seeds - 1), items - 1, independent_sides * (seeds - 1) * (items - 1))
        terms = zip((over_seeds, over_items, residual), degrees_of_freedom, strict=True)
        denominator = sum(term**2 / df for term, df in terms)
        return float(np.sqrt(variance)), max(1.0, variance**2 / denominator) if denominator else float(items - 1)

    def _between_seeds(self, seeds: int) -> tuple[float, float]:
        """Return the seed and the residual component of the variance over seeds."""
        if seeds < MIN_PAIRED_SEEDS:
            return self.unpaired.seed, self.unpaired.residual
        return shrunk(self.paired.seed, self.unpaired.seed), shrunk(self.paired.residual, self.unpaired.residual)


def variances(sides: Sides) -> Variances | None:
    """Return the variance components of a paradigm, or None if its data are insufficient.

    They require one paradigm, two seeds on each side and two items. With fewer than two common seeds, the unpaired
    components are used for both.
    """
    if len(sides.decisions) != 1 or min(len(sides.a), len(sides.b)) < 2 or sides.decisions[0][0].shape[1] < 2:
        return None
    first, second = sides.decisions[0]
    unpaired = _unpaired(first, second)
    common = sides.common_seeds if sides.seeds_paired else ()
    if len(common) < 2:
        return Variances(unpaired, unpaired)
    common_decisions = sides.of_seeds(common, common)
    return Variances(_paired(common_decisions[0][0], common_decisions[1][0]), unpaired)


def _paired(first: Floats, second: Floats) -> Components:
    seeds, items = first.shape
    components = paired_components([summarize_paradigm(first[None], second[None])])
    residual = float(components.residual[0])
    return Components(
        max(0.0, float(components.seeds[0]) - residual) * seeds,
        max(0.0, float(components.items[0]) - residual) * items,
        residual * seeds * items,
    )


def _unpaired(first: Floats, second: Floats) -> Components:
    """Return the sums of the seed and residual components of both sides, and the item component of their difference."""
    sides = [_paired(side, np.zeros_like(side)) for side in (first, second)]
    components = unpaired_components([summarize_paradigm(first[None], second[None])])
    items = first.shape[1]
    item = max(0.0, float(components.items[0]) - float(components.residual[0])) * items
    return Components(sum(side.seed for side in sides), item, sum(side.residual for side in sides))


def power_limits(se: float, df: float, confidence: float = 0.95) -> tuple[float, float]:
    """Return the smallest detectable change and the smallest provable margin (without a change), each with power 0.8.

    Both follow from the standard error of the interval. The change is the noncentrality of `detectable_shift` (Cohen
    1988), and the margin is t_{df,(1+confidence)/2} + t_{df,0.9} standard errors (two one-sided tests; Schuirmann
    1987).
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

    Decisions are logistic with the standard deviations of a typical run. The effects of a seed on the two sides are
    independent.
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
