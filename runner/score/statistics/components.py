"""Variance components of a mean change: seeds, items and the residual, each a mean square of a two-way layout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Number = TypeVar("Number", float, Floats)
# Share by which the covariance between the two sides of the same seed is reduced: few seeds estimate it badly,
# especially near 0 and 100 %.
SHRINKAGE = 0.05
_ROUNDING = 1e-10  # residual sums of squares up to this share of the sum of squares are rounding errors
_MEAN_ROUNDING = 1e-12  # deviations of means up to this share of the largest mean are rounding errors
FLOOR = 0.5  # smallest variance, as a share of the larger of V_seed and V_item


@dataclass(frozen=True, slots=True)
class Components:
    """Estimated variance components of the mean change and their degrees of freedom, as arrays of one shape.

    `seeds` and `items` include the residual once each, so `residual` is subtracted once.
    """

    seeds: Floats
    items: Floats
    residual: Floats
    seeds_df: Floats
    items_df: Floats
    residual_df: Floats

    @property
    def sum(self) -> Floats:
        """The estimate seeds + items − residual, which may be negative."""
        return self.seeds + self.items - self.residual


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary of n data sets, shape (n, seeds, items): the means by seed and by item, and the sum of squares."""

    by_seed: Floats
    by_item: Floats
    squares: Floats


@dataclass(frozen=True, slots=True)
class Paradigm:
    """Both sides of a paradigm, and the differences by seed, or None if the numbers of seeds differ."""

    first: Summary
    second: Summary
    differences: Summary | None


def summarize_paradigm(first: Floats, second: Floats) -> Paradigm:
    """Summarize two sides of shape (n, seeds, items)."""
    has_equal_shapes = first.shape == second.shape
    return Paradigm(_summary(first), _summary(second), _summary(first - second) if has_equal_shapes else None)


def paired_components(paradigms: Sequence[Paradigm]) -> Components:
    """Return the components of the differences by seed.

    V_seed = s²(d̄)/S over seeds, where d̄ is the mean difference of a seed; V_item = s²/I over items; and V_residual =
    MS_residual/(S·I). The last two are summed over paradigms with weight 1/P².
    """
    differences = [paradigm.differences for paradigm in paradigms if paradigm.differences is not None]
    by_seed = np.mean([summary.by_seed for summary in differences], axis=0)
    items, items_df = _pooled(
        [(variance_of_mean(summary.by_item), summary.by_item.shape[-1] - 1) for summary in differences]
    )
    residual, residual_df = _pooled([_residual(summary) for summary in differences])
    seeds_df = _filled_like(by_seed, by_seed.shape[-1] - 1)
    return Components(variance_of_mean(by_seed), items, residual, seeds_df, items_df, residual_df)


def unpaired_components(paradigms: Sequence[Paradigm], *, common: bool = False) -> Components:
    """Return the components for two independent sets of seeds.

    V_seed is V_A + V_B over the seeds of each side, V_item is that of the differences between item means, and
    V_residual is the sum of both residuals. With `common`, the variances per seed are those of both sides together, so
    that one side may have one seed.
    """
    seeds, seeds_df = unpaired_seeds(*means_by_seed(paradigms), common=common)
    items, items_df = over_items(paradigms)
    if common:
        residuals = [_common([_residual(side) for side in pair], _seed_counts(pair)) for pair in map(_sides, paradigms)]
    else:
        residuals = [_residual(side) for paradigm in paradigms for side in _sides(paradigm)]
    residual, residual_df = _pooled(residuals, weight=1 / len(paradigms) ** 2)
    return Components(seeds, items, residual, seeds_df, items_df, residual_df)


def means_by_seed(paradigms: Sequence[Paradigm]) -> tuple[Floats, Floats]:
    """Return the means over paradigms of both sides, (data sets, seeds) each."""
    first = np.mean([paradigm.first.by_seed for paradigm in paradigms], axis=0)
    return first, np.mean([paradigm.second.by_seed for paradigm in paradigms], axis=0)


def unpaired_seeds(first: Floats, second: Floats, *, common: bool) -> tuple[Floats, Floats]:
    """Return V_seed of independent sides and its degrees of freedom; the values are means by seed."""
    terms = [(variance_of_mean(side), float(side.shape[-1] - 1)) for side in (first, second)]
    if not common:
        return _pooled(terms, weight=1.0)
    variance, df = _common(terms, (first.shape[-1], second.shape[-1]))
    return variance, _filled_like(variance, df)


def paired_seeds(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """Return `shrunk` V_seed of sides with equal seeds, and its degrees of freedom."""
    variance = shrunk(variance_of_mean(first - second), unpaired_seeds(first, second, common=False)[0])
    return variance, _filled_like(variance, first.shape[-1] - 1)


def _common(terms: Sequence[tuple[Floats, float]], seeds: Sequence[int]) -> tuple[Floats, float]:
    """Return the sum of the variances of two means if a seed of either side has the same variance."""
    df = sum(term_df for _, term_df in terms)
    squares = np.sum([variance * n * term_df for (variance, term_df), n in zip(terms, seeds, strict=True)], axis=0)
    return squares / df * sum(1 / n for n in seeds), df


def _sides(paradigm: Paradigm) -> tuple[Summary, Summary]:
    return paradigm.first, paradigm.second


def _seed_counts(sides: Sequence[Summary]) -> tuple[int, ...]:
    return tuple(side.by_seed.shape[-1] for side in sides)


def shrunk_components(paradigms: Sequence[Paradigm]) -> Components:
    """Return the components of paired differences, with `shrunk` V_seed and V_residual.

    V_item does not depend on pairing. Degrees of freedom are those of the paired differences.
    """
    paired, unpaired = paired_components(paradigms), unpaired_components(paradigms)
    seeds, residual = shrunk(paired.seeds, unpaired.seeds), shrunk(paired.residual, unpaired.residual)
    return replace(paired, seeds=seeds, residual=residual)


def shrunk(paired: Number, unpaired: Number) -> Number:
    """Return (1 − λ)·paired + λ·unpaired with λ = `SHRINKAGE`.

    As V_paired = V_A + V_B − 2·cov, this is V_A + V_B − 2·(1 − λ)·cov: the covariance is shrunk towards zero, as in
    Schäfer and Strimmer (2005), but by a fixed share.
    """
    return (1 - SHRINKAGE) * paired + SHRINKAGE * unpaired


def over_items(paradigms: Sequence[Paradigm]) -> tuple[Floats, Floats]:
    """Return the variance of the change over items only, and its degrees of freedom."""
    differences = [paradigm.first.by_item - paradigm.second.by_item for paradigm in paradigms]
    return _pooled([(variance_of_mean(by_item), by_item.shape[-1] - 1) for by_item in differences])


def agreeing_items(paradigms: Sequence[Paradigm]) -> Floats:
    """Return the smallest number of items of a paradigm in which nothing varies, or infinity if there is none."""
    numbers = []
    for paradigm in paradigms:
        parts = [over_items([paradigm])[0]]
        parts += [part for side in _sides(paradigm) for part in (variance_of_mean(side.by_seed), _residual(side)[0])]
        numbers.append(np.where(np.any(np.array(parts) > 0, axis=0), np.inf, paradigm.first.by_item.shape[-1]))
    return np.asarray(np.min(numbers, axis=0), dtype=np.float64)


def with_floor(components: Components) -> tuple[Floats, Floats]:
    """Return the variance and its degrees of freedom.

    The variance is at least `FLOOR` times the larger of `seeds` and `items`. If both are zero, it is the residual.
    """
    larger = np.maximum(components.seeds, components.items)
    variance = np.maximum(components.sum, FLOOR * larger)
    variance = np.where((larger == 0) & (components.residual > 0), components.residual, variance)
    terms = [
        (components.seeds, components.seeds_df),
        (components.items, components.items_df),
        (components.residual, components.residual_df),
    ]
    return variance, satterthwaite(variance, terms)


def _summary(values: Floats) -> Summary:
    return Summary(values.mean(-1), values.mean(-2), np.einsum("...si,...si->...", values, values))


def _residual(summary: Summary) -> tuple[Floats, float]:
    """Return MS_residual/(S·I) and its degrees of freedom."""
    seeds, items = summary.by_seed.shape[-1], summary.by_item.shape[-1]
    mean = summary.by_seed.mean(-1)
    between_squares = items * _squares(summary.by_seed - mean[..., None]) + seeds * _squares(
        summary.by_item - mean[..., None]
    )
    df = (seeds - 1) * (items - 1)
    residual_squares = summary.squares - seeds * items * mean**2 - between_squares
    residual_squares = np.where(residual_squares > _ROUNDING * summary.squares, residual_squares, 0.0)
    return residual_squares / max(1, df) / (seeds * items), df


def _squares(values: Floats) -> Floats:
    return np.asarray(np.einsum("...i,...i->...", values, values), dtype=np.float64)


def variance_of_mean(values: Floats) -> Floats:
    """Return the variance of the mean over the last axis, 0 where the values are equal up to rounding, or for one."""
    if values.shape[-1] == 1:
        return np.zeros(values.shape[:-1])
    variance = values.var(-1, ddof=1)
    rounding_error = _MEAN_ROUNDING * np.abs(values).max(-1)
    return np.asarray(np.where(variance > rounding_error**2, variance, 0.0) / values.shape[-1], dtype=np.float64)


def _pooled(terms: Sequence[tuple[Floats, float]], weight: float | None = None) -> tuple[Floats, Floats]:
    """Return the sum of the variances times `weight`, and Satterthwaite's degrees of freedom.

    The default weight, 1/n², gives the variance of the unweighted mean of n independent values.
    """
    weight = 1 / len(terms) ** 2 if weight is None else weight
    scaled_terms = [(weight * variance, _filled_like(variance, df)) for variance, df in terms]
    total = np.sum([variance for variance, _ in scaled_terms], axis=0)
    return total, satterthwaite(total, scaled_terms)


def satterthwaite(total: Floats, terms: Sequence[tuple[Floats, Floats]]) -> Floats:
    """Return total²/Σ(v²/df), which is at least 1, or the largest df where nothing varies."""
    denominator = np.sum([variance**2 / df for variance, df in terms], axis=0)
    largest_df = np.max([df for _, df in terms], axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        result = np.where(denominator > 0, total**2 / denominator, largest_df)
    return np.asarray(np.clip(result, 1.0, None), dtype=np.float64)


def _filled_like(array: Floats, value: float) -> Floats:
    return np.full(array.shape[:1], float(value))
