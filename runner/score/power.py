"""The power of designs: what they can detect and prove, given variance components from a pilot.

The variance of a mean change over S seeds and I items is σ²_seed/S + σ²_item/I + σ²_residual/(S·I), the expectation of
the variance that `runner.score.change` estimates. As in that module, the covariance between the two sides of
the same seed is shrunk.

A pilot of few seeds hardly knows the variance between seeds. Planning therefore uses its upper 80 % limit (Browne
1995), or 90 % for fewer than five paradigms, and one variance between seeds for all paradigms of a model, in logits.
`benchmarks/pilots.py` simulates in how many pilots the promised power is reached.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import special  # has the distributions of scipy.stats, which takes a second to load

from runner.score.change import (
    FLOOR,
    MIN_PAIRED_SEEDS,
    paired_components,
    shrunk,
    summarize_paradigm,
    unpaired_components,
)
from runner.score.inference import Floats, detectable_shift
from runner.score.intervals import Sides

POWER = 0.8
LIMIT_CONFIDENCE = 0.8  # one-sided, of the upper limit of a pilot's variance
SINGLE_CONFIDENCE = 0.9  # that of fewer than MIN_POOLED paradigms, whose accuracies are skewed where seeds differ much
MIN_POOLED = 5
MIN_PILOT_SEEDS = 5  # fewer leave the variance between seeds nearly unknown
ASSUMED_ACCURACY = 0.75
# in logits, as in benchmarks/decisions.py (seed: benchmarks/coverage.py)
_ASSUMED_SD = {"seed": 0.2, "item": 1.4, "interaction": 0.25, "seed × item": 0.5}
_ASSUMED_SEEDS, _ASSUMED_ITEMS = 60, 2000  # simulated to compute the assumed components


@dataclass(frozen=True, slots=True)
class Components:
    """Unbiased, hence possibly negative, variance components of the change of one decision."""

    seed: float
    item: float
    residual: float


@dataclass(frozen=True, slots=True)
class Unpaired:
    """The components of two sets of seeds; those of items are of differences between item means."""

    first: Components
    second: Components
    item: float

    @property
    def sides(self) -> tuple[Components, Components]:
        return self.first, self.second

    @property
    def as_paired(self) -> Components:
        return Components(self.first.seed + self.second.seed, self.item, self.first.residual + self.second.residual)


@dataclass(frozen=True, slots=True)
class Limits:
    """The smallest detectable change and the smallest provable margin, each with power 0.8."""

    detectable: float
    provable: float


@dataclass(frozen=True, slots=True)
class Variances:
    """The components of a pilot of so many seeds and items, paired by seed and as two independent sets of seeds."""

    paired: Components
    unpaired: Unpaired
    seeds: int
    items: int
    accuracies: tuple[float, float]
    confidence: float = SINGLE_CONFIDENCE

    def se(self, seeds: int, items: int) -> tuple[float, float]:
        """Return the standard error of a change with `seeds` seeds on each side, and its degrees of freedom.

        Seeds are paired if there are at least `MIN_PAIRED_SEEDS`. At the pilot's design, both are as in its interval.
        """
        sides, differences = self._design(paired=seeds >= MIN_PAIRED_SEEDS)
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

    def upper_se(self, seeds: int, items: int) -> tuple[float, float]:
        """Return the upper limit of `se`, and the degrees of freedom of seeds alone (Graybill and Wang 1980)."""
        sides, differences = self._design(paired=min(seeds, self.seeds) >= MIN_PAIRED_SEEDS)
        over_items = max(0.0, differences.item + differences.residual / self.seeds) / items
        excesses = [self._excess(self.items - 1) * over_items]
        over_seeds = [max(0.0, side.seed + side.residual / self.items) / seeds for side in sides]
        if seeds > 1 and any(over_seeds):
            df = (self.seeds - 1) * sum(over_seeds) ** 2 / sum(value**2 for value in over_seeds)
            excesses.append(self._excess(df) * sum(over_seeds))
        df = items - 1 if seeds < 2 else seeds - 1 if seeds >= MIN_PAIRED_SEEDS else 2 * (seeds - 1)
        return float(np.sqrt(self.se(seeds, items)[0] ** 2 + np.linalg.norm(excesses))), df

    def limits(self, seeds: int, items: int, confidence: float = 0.95) -> tuple[Limits, Limits] | None:
        """Return the limits of a design at the estimated variance and at its upper limit, or None without variance.

        A change towards an accuracy of 50 % increases the variance of its side, so the detectable change allows for it.
        """
        if not self.se(seeds, items)[0]:
            return None
        both = (power_limits(*values, confidence) for values in (self.se(seeds, items), self.upper_se(seeds, items)))
        estimate, upper = (Limits(self._with_its_variance(change), margin) for change, margin in both)
        return estimate, Limits(max(estimate.detectable, upper.detectable), max(estimate.provable, upper.provable))

    def _excess(self, df: float) -> float:
        return float(df / special.chdtri(df, self.confidence)) - 1

    def _with_its_variance(self, change: float) -> float:
        accuracy = min(self.accuracies, key=lambda value: abs(value - 0.5))
        changed, variance = change, accuracy * (1 - accuracy)
        for _ in range(5):  # converges to a tenth of a point
            distance = max(0.0, abs(accuracy - 0.5) - changed)
            ratio = (0.25 - distance**2) / variance if variance else 1.0
            changed = change * float(np.sqrt((1 + ratio**2) / 2))
        return changed

    def _design(self, *, paired: bool) -> tuple[tuple[Components, ...], Components]:
        """Return the components of each side, or of both with shrunk covariance, and those of differences."""
        independent = self.unpaired.as_paired
        if not paired:
            return self.unpaired.sides, independent
        seed, residual = shrunk(self.paired.seed, independent.seed), shrunk(self.paired.residual, independent.residual)
        return (replace(self.paired, seed=seed, residual=residual),), self.paired


def variances(sides: Sides) -> Variances | None:
    """Return the components of a paradigm with two seeds a side and two items; few seeds count as unpaired."""
    if len(sides.decisions) != 1 or min(len(sides.a), len(sides.b)) < 2 or sides.decisions[0][0].shape[1] < 2:
        return None
    first, second = sides.decisions[0]
    unpaired = _unpaired(first, second)
    common = sides.common_seeds if sides.seeds_paired else ()
    accuracies = float(first.mean()), float(second.mean())
    if len(common) < MIN_PAIRED_SEEDS:
        return Variances(unpaired.as_paired, unpaired, min(len(first), len(second)), first.shape[1], accuracies)
    common_decisions = sides.of_seeds(common, common)
    paired = _paired(common_decisions[0][0], common_decisions[1][0])
    return Variances(paired, unpaired, len(common), first.shape[1], accuracies)


def pooled(pilots: Sequence[Variances]) -> list[Variances]:
    """Give all paradigms of a model the same variance between seeds in logits: (p·(1 − p))² in shares."""
    weights = [[(p * (1 - p)) ** 2 for p in pilot.accuracies] for pilot in pilots]
    total_weights = [sum(column) for column in zip(*weights, strict=True)]
    if not all(total_weights):
        return list(pilots)
    first, second = (
        max(0.0, sum(pilot.unpaired.sides[i].seed for pilot in pilots)) / total_weights[i] for i in range(2)
    )
    paired = max(0.0, sum(pilot.paired.seed for pilot in pilots)) / sum(total_weights)
    confidence = LIMIT_CONFIDENCE if len(pilots) >= MIN_POOLED else SINGLE_CONFIDENCE
    result = []
    for pilot, weight in zip(pilots, weights, strict=True):
        first_side = replace(pilot.unpaired.first, seed=first * weight[0])
        second_side = replace(pilot.unpaired.second, seed=second * weight[1])
        unpaired = replace(pilot.unpaired, first=first_side, second=second_side)
        seed = paired * sum(weight)
        result.append(replace(pilot, confidence=confidence, paired=replace(pilot.paired, seed=seed), unpaired=unpaired))
    return result


def _paired(first: Floats, second: Floats) -> Components:
    seeds, items = first.shape
    components = paired_components([summarize_paradigm(first[None], second[None])])
    over_seeds, over_items, residual = (
        float(values[0]) for values in (components.seeds, components.items, components.residual)
    )
    return Components((over_seeds - residual) * seeds, (over_items - residual) * items, residual * seeds * items)


def _unpaired(first: Floats, second: Floats) -> Unpaired:
    first_side, second_side = (_paired(side, np.zeros_like(side)) for side in (first, second))
    components = unpaired_components([summarize_paradigm(first[None], second[None])])
    item = (float(components.items[0]) - float(components.residual[0])) * first.shape[1]
    return Unpaired(first_side, second_side, item)


def power_limits(se: float, df: float, confidence: float = 0.95) -> tuple[float, float]:
    """Return the smallest detectable change (`detectable_shift`) and provable margin, each with power 0.8.

    The margin is t_{df,(1+confidence)/2} + t_{df,0.9} standard errors (two one-sided tests; Schuirmann 1987).
    """
    margin = special.stdtrit(df, (1 + confidence) / 2) + special.stdtrit(df, (1 + POWER) / 2)
    return detectable_shift(df, 1 - confidence, POWER) * se, float(margin) * se


def held_probability(se: float, df: float, margin: float, confidence: float = 0.95) -> float:
    """Return the probability that the interval lies within ±`margin`, for a true change of 0 and a known error `se`."""
    shift = margin / se - float(special.stdtrit(df, (1 + confidence) / 2)) if se else np.inf
    return float(max(0.0, 2 * special.ndtr(shift) - 1))


def assumed_variances(accuracy: float = ASSUMED_ACCURACY) -> Variances:
    """Return components of two equal conditions for planning without a pilot, simulated with a fixed seed."""
    rng = np.random.default_rng(0)
    item = _ASSUMED_SD["item"] * rng.standard_normal(_ASSUMED_ITEMS)
    sides = [_simulated_decisions(rng, item, accuracy) for _ in range(2)]
    return Variances(_paired(*sides), _unpaired(*sides), _ASSUMED_SEEDS, _ASSUMED_ITEMS, (accuracy, accuracy))


def _simulated_decisions(rng: np.random.Generator, item: Floats, accuracy: float) -> Floats:
    shape = (_ASSUMED_SEEDS, _ASSUMED_ITEMS)
    logits = item + _ASSUMED_SD["interaction"] * rng.standard_normal(_ASSUMED_ITEMS)
    logits = logits + _ASSUMED_SD["seed"] * rng.standard_normal((_ASSUMED_SEEDS, 1))
    logits = logits + _ASSUMED_SD["seed × item"] * rng.standard_normal(shape)
    return np.asarray(rng.random(shape) < 1 / (1 + np.exp(-logits - _intercept(logits, accuracy))), dtype=np.float64)


def _intercept(logits: Floats, accuracy: float) -> float:
    low, high = -30.0, 30.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if float((1 / (1 + np.exp(-logits - middle))).mean()) < accuracy else (low, middle)
    return low
