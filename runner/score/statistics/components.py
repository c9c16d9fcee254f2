"""Variance components of a mean change: seeds, items and the residual, each a mean square of a two-way layout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Number = TypeVar("Number", float, Floats)
SHRINKAGE = 0.05  # of the covariance of equal seeds, which few seeds estimate badly, most of all near 0 and 100 %
_FLOOR = 0.5  # of the variance, as a share of the larger component


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
    """A summary of values of shape (n, seeds, items): the means by seed and by item, and the sum of squares."""

    by_seed: Floats
    by_item: Floats
    squares: Floats


@dataclass(frozen=True, slots=True)
class Paradigm:
    """Both sides of a paradigm, and the differences of equal seeds, or None if the numbers of seeds differ."""

    first: Summary
    second: Summary
    differences: Summary | None


def paradigm(first: Floats, second: Floats) -> Paradigm:
    """Summarize two sides of shape (n, seeds, items)."""
    has_equal_shapes = first.shape == second.shape
    return Paradigm(_summary(first), _summary(second), _summary(first - second) if has_equal_shapes else None)


def paired_components(parts: Sequence[Paradigm]) -> Components:
    """Return the components of the differences of equal seeds.

    V_seed = s²(d̄)/S over seeds, where d̄ is the mean difference of a seed; V_item = s²/I over items; and V_residual =
    MS_residual/(S·I). The last two are summed over paradigms with weight 1/P².
    """
    differences = [part.differences for part in parts if part.differences is not None]
    by_seed = np.mean([summary.by_seed for summary in differences], axis=0)
    items, items_df = _pooled([(_variance_of_mean(part.by_item), part.by_item.shape[-1] - 1) for part in differences])
    residual, residual_df = _pooled([_residual(summary) for summary in differences])
    seeds_df = _full(by_seed, by_seed.shape[-1] - 1)
    return Components(_variance_of_mean(by_seed), items, residual, seeds_df, items_df, residual_df)


def unpaired_components(parts: Sequence[Paradigm]) -> Components:
    """Return the components for two independent sets of seeds.

    V_seed is V_A + V_B over the seeds of each side, V_item is that of the differences between item means, and
    V_residual is the sum of both residuals.
    """
    sides = [np.mean([part.first.by_seed for part in parts], axis=0)]
    sides.append(np.mean([part.second.by_seed for part in parts], axis=0))
    seeds, seeds_df = _pooled([(_variance_of_mean(side), side.shape[-1] - 1) for side in sides], weight=1.0)
    items, items_df = over_items(parts)
    residuals = [_residual(side) for part in parts for side in (part.first, part.second)]
    residual, residual_df = _pooled(residuals, weight=1 / len(parts) ** 2)
    return Components(seeds, items, residual, seeds_df, items_df, residual_df)


def shrunk_components(parts: Sequence[Paradigm]) -> Components:
    """Return the components of paired differences, with `shrunk` V_seed and V_residual.

    V_item does not depend on pairing. Degrees of freedom are those of the paired differences.
    """
    paired, unpaired = paired_components(parts), unpaired_components(parts)
    seeds, residual = shrunk(paired.seeds, unpaired.seeds), shrunk(paired.residual, unpaired.residual)
    return replace(paired, seeds=seeds, residual=residual)


def shrunk(paired: Number, unpaired: Number) -> Number:
    """Return (1 − λ)·paired + λ·unpaired with λ = `SHRINKAGE`.

    As V_paired = V_A + V_B − 2·cov, this is V_A + V_B − 2·(1 − λ)·cov: the covariance is shrunk towards zero, as by
    Schäfer and Strimmer (2005), but by a fixed share.
    """
    return (1 - SHRINKAGE) * paired + SHRINKAGE * unpaired


def over_items(parts: Sequence[Paradigm]) -> tuple[Floats, Floats]:
    """Return the variance of the change over items only, and its degrees of freedom."""
    differences = [part.first.by_item - part.second.by_item for part in parts]
    return _pooled([(_variance_of_mean(by_item), by_item.shape[-1] - 1) for by_item in differences])


def with_floor(components: Components) -> tuple[Floats, Floats]:
    """Return the variance, which is at least `_FLOOR` of the larger component, and its degrees of freedom."""
    larger = np.maximum(components.seeds, components.items)
    variance = np.maximum(components.sum, _FLOOR * larger)
    variance = np.where((larger == 0) & (components.residual > 0), components.residual, variance)
    pieces = [
        (components.seeds, components.seeds_df),
        (components.items, components.items_df),
        (components.residual, components.residual_df),
    ]
    return variance, _satterthwaite(variance, pieces)


def _summary(values: Floats) -> Summary:
    return Summary(values.mean(-1), values.mean(-2), np.einsum("...si,...si->...", values, values))


def _residual(summary: Summary) -> tuple[Floats, float]:
    """Return MS_residual/(S·I) and its degrees of freedom."""
    seeds, items = summary.by_seed.shape[-1], summary.by_item.shape[-1]
    mean = summary.by_seed.mean(-1)
    between = items * _squares(summary.by_seed - mean[..., None]) + seeds * _squares(summary.by_item - mean[..., None])
    freedom = (seeds - 1) * (items - 1)
    residual_squares = summary.squares - seeds * items * mean**2 - between
    return np.maximum(residual_squares, 0.0) / freedom / (seeds * items), freedom


def _squares(values: Floats) -> Floats:
    return np.asarray(np.einsum("...i,...i->...", values, values), dtype=np.float64)


def _variance_of_mean(values: Floats) -> Floats:
    """Return the variance of the mean over the last axis."""
    return np.asarray(values.var(-1, ddof=1) / values.shape[-1], dtype=np.float64)


def _pooled(pieces: Sequence[tuple[Floats, float]], weight: float | None = None) -> tuple[Floats, Floats]:
    """Return the variance of an unweighted mean of independent values, and Satterthwaite's degrees of freedom."""
    weight = 1 / len(pieces) ** 2 if weight is None else weight
    scaled = [(weight * variance, _full(variance, df)) for variance, df in pieces]
    total = np.sum([variance for variance, _ in scaled], axis=0)
    return total, _satterthwaite(total, scaled)


def _satterthwaite(total: Floats, pieces: Sequence[tuple[Floats, Floats]]) -> Floats:
    """Return total²/Σ(v²/df), which is at least 1, or the largest df where nothing varies."""
    denominator = np.sum([variance**2 / df for variance, df in pieces], axis=0)
    largest_df = np.max([df for _, df in pieces], axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        result = np.where(denominator > 0, total**2 / denominator, largest_df)
    return np.asarray(np.clip(result, 1.0, None), dtype=np.float64)


def _full(like: Floats, value: float) -> Floats:
    return np.full(like.shape[:1], float(value))
