"""Draw decisions of a logistic model with crossed random effects of seeds and items, for `benchmarks.coverage`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

from runner.score.change import Paradigm, Summary

Singles = NDArray[np.float32]
ITEM_SD, INTERACTION_SD, SEED_ITEM_SD = 1.4, 0.25, 0.5  # logits; the interaction is of items and conditions
_SEED_SD_FACTOR = np.sqrt(0.5)  # half of the variance of seeds is general, half is specific to a paradigm
_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(81)


@dataclass(frozen=True, slots=True)
class Design:
    """The parameters on which the random numbers depend.

    `items` is the number per paradigm. `correlation` is between the effects of the same seed in the two conditions.
    """

    seeds: int
    items: int
    seed_sd: float
    correlation: float
    paradigms: int


@dataclass(frozen=True, slots=True)
class Side:
    """Random effects (`logit`) and logistic noise of a condition, (data sets, seeds, items) each.

    A decision is right if scale · logit + noise + intercept > 0.
    """

    logit: Singles
    noise: Singles

    def right(self, scale: float, intercept: float) -> Singles:
        """Return the decisions as 0 and 1; `scale` multiplies the standard deviations of all effects."""
        logit = self.logit * np.float32(scale)
        np.add(logit, self.noise, out=logit)
        return (logit > np.float32(-intercept)).view(np.uint8).astype(np.float32)


def draw_decisions(rng: np.random.Generator, design: Design, data_sets: int) -> list[tuple[Side, Side]]:
    """Draw the decisions of both conditions for each paradigm, for this number of data sets."""
    general = _correlated(rng, design, (data_sets, design.seeds, 1), design.seed_sd * _SEED_SD_FACTOR)
    return [_paradigm(rng, design, general) for _ in range(design.paradigms)]


def _paradigm(rng: np.random.Generator, design: Design, general: Sequence[Singles]) -> tuple[Side, Side]:
    data_sets = len(general[0])
    item = _normal(rng, (data_sets, 1, design.items), ITEM_SD)
    specific = _correlated(rng, design, (data_sets, design.seeds, 1), design.seed_sd * _SEED_SD_FACTOR)
    logits = _correlated(rng, design, (data_sets, design.seeds, design.items), SEED_ITEM_SD)
    for general_seed, specific_seed, logit in zip(general, specific, logits, strict=True):
        interaction = _normal(rng, (data_sets, 1, design.items), INTERACTION_SD)
        np.add(logit, general_seed + specific_seed + (item + interaction), out=logit)
    first, second = (Side(logit, _logistic(rng, logit.shape)) for logit in logits)
    return first, second


def _correlated(rng: np.random.Generator, design: Design, shape: tuple[int, ...], sd: float) -> tuple[Singles, Singles]:
    """Return correlated effects of the same seeds in the two conditions."""
    first, second = _normal(rng, shape, sd), _normal(rng, shape, sd)
    residual = np.sqrt(1 - design.correlation**2)
    return first, np.float32(design.correlation) * first + np.float32(residual) * second


def _normal(rng: np.random.Generator, shape: tuple[int, ...], sd: float) -> Singles:
    values = rng.standard_normal(shape, dtype=np.float32)
    values *= np.float32(sd)
    return values


def _logistic(rng: np.random.Generator, shape: tuple[int, ...]) -> Singles:
    uniform = rng.random(shape, dtype=np.float32)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(uniform / (1 - uniform)), dtype=np.float32)


def count_decisions(first: Singles, second: Singles) -> Paradigm:
    """Summarize a paradigm as `components.summarize_paradigm` does, but faster: the square of a decision is itself."""
    seeds, items = first.shape[-2:]
    by_seed = [np.asarray(side.sum(-1), dtype=np.float64) for side in (first, second)]
    by_item = [np.asarray(side.sum(-2), dtype=np.float64) for side in (first, second)]
    squares = [side.sum(-1) for side in by_seed]
    both = np.einsum("nsi,nsi->n", first, second).astype(np.float64)
    summaries = [
        Summary(seed_sums / items, item_sums / seeds, total)
        for seed_sums, item_sums, total in zip(by_seed, by_item, squares, strict=True)
    ]
    differing = squares[0] + squares[1] - 2 * both
    differences = Summary((by_seed[0] - by_seed[1]) / items, (by_item[0] - by_item[1]) / seeds, differing)
    return Paradigm(summaries[0], summaries[1], differences)


@cache
def intercept(accuracy: float, seed_sd: float, scale: float) -> float:
    """Return the intercept (a logit) at which the expected accuracy over all random effects is `accuracy`."""
    sd = scale * np.sqrt(ITEM_SD**2 + INTERACTION_SD**2 + SEED_ITEM_SD**2 + seed_sd**2)
    weights = _WEIGHTS / _WEIGHTS.sum()

    def accuracy_excess(mean: float) -> float:
        return float(weights @ (1 / (1 + np.exp(-(mean + sd * _NODES))))) - accuracy

    return float(optimize.brentq(accuracy_excess, -60, 60))
