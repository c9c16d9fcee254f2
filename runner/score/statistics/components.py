"""Components of the variance of a mean change: seeds, items and the rest, each a mean square of a two-way layout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Number = TypeVar("Number", float, Floats)
SHRINKAGE = 0.05  # of the covariance of equal seeds: a few seeds estimate it badly, the more so near 0 and 100 %
_FLOOR = 0.5  # of the larger component


@dataclass(frozen=True, slots=True)
class Components:
    """Estimated variances of the mean change, each with its degrees of freedom; arrays of one shape.

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
class Table:
    """What components read of values of shape (n, seeds, items): their means by seed and by item, and Σ values²."""

    by_seed: Floats
    by_item: Floats
    squares: Floats


@dataclass(frozen=True, slots=True)
class Paradigm:
    """Both sides of a paradigm, and differences of equal seeds; None where the sides have other numbers of seeds."""

    first: Table
    second: Table
    differences: Table | None


def paradigm(first: Floats, second: Floats) -> Paradigm:
    """Read two sides of shape (n, seeds, items)."""
    together = first.shape == second.shape
    return Paradigm(_table(first), _table(second), _table(first - second) if together else None)


def paired_components(parts: Sequence[Paradigm]) -> Components:
    """Components from the differences of equal seeds: with d̄ the mean difference per seed,

    V_seed = s²(d̄)/S over seeds, V_item = s²/I over items and V_residual = MS_residual/(S·I), summed over paradigms
    with weight 1/P².
    """
    differences = [part.differences for part in parts if part.differences is not None]
    per_seed = np.mean([each.by_seed for each in differences], axis=0)
    items, items_df = _pooled([(_over(each.by_item), each.by_item.shape[-1] - 1) for each in differences])
    residual, residual_df = _pooled([_residual(each) for each in differences])
    return Components(_over(per_seed), items, residual, _full(per_seed, per_seed.shape[-1] - 1), items_df, residual_df)


def unpaired_components(parts: Sequence[Paradigm]) -> Components:
    """Components from two independent sets of seeds: V_A + V_B over the seeds of each side, V_item of the paired
    differences between the items' means, and both residuals."""
    sides = [np.mean([part.first.by_seed for part in parts], axis=0)]
    sides.append(np.mean([part.second.by_seed for part in parts], axis=0))
    seeds, seeds_df = _pooled([(_over(side), side.shape[-1] - 1) for side in sides], weight=1.0)
    items, items_df = over_items(parts)
    left = [_residual(side) for part in parts for side in (part.first, part.second)]
    residual, residual_df = _pooled(left, weight=1 / len(parts) ** 2)
    return Components(seeds, items, residual, seeds_df, items_df, residual_df)


def shrunk_components(parts: Sequence[Paradigm]) -> Components:
    """Components of paired differences, with `shrunk` V_seed and V_residual; V_item is the same with and without pairs.

    Degrees of freedom are those of the paired differences.
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
    """The variance of the change over items alone, and its degrees of freedom."""
    differences = [part.first.by_item - part.second.by_item for part in parts]
    return _pooled([(_over(each), each.shape[-1] - 1) for each in differences])


def with_floor(components: Components) -> tuple[Floats, Floats]:
    """The variance, at least `_FLOOR` of the larger component, and its degrees of freedom."""
    larger = np.maximum(components.seeds, components.items)
    variance = np.maximum(components.sum, _FLOOR * larger)
    variance = np.where((larger == 0) & (components.residual > 0), components.residual, variance)
    pieces = [
        (components.seeds, components.seeds_df),
        (components.items, components.items_df),
        (components.residual, components.residual_df),
    ]
    return variance, _satterthwaite(variance, pieces)


def _table(values: Floats) -> Table:
    return Table(values.mean(-1), values.mean(-2), np.einsum("...si,...si->...", values, values))


def _residual(table: Table) -> tuple[Floats, float]:
    """MS_residual/(S·I) and its degrees of freedom."""
    seeds, items = table.by_seed.shape[-1], table.by_item.shape[-1]
    mean = table.by_seed.mean(-1)
    between = items * _squares(table.by_seed - mean[..., None]) + seeds * _squares(table.by_item - mean[..., None])
    freedom = (seeds - 1) * (items - 1)
    left = table.squares - seeds * items * mean**2 - between
    return np.maximum(left, 0.0) / freedom / (seeds * items), freedom


def _squares(values: Floats) -> Floats:
    return np.asarray(np.einsum("...i,...i->...", values, values), dtype=np.float64)


def _over(values: Floats) -> Floats:
    """The variance of a mean over the last axis."""
    return np.asarray(values.var(-1, ddof=1) / values.shape[-1], dtype=np.float64)


def _pooled(pieces: Sequence[tuple[Floats, float]], weight: float | None = None) -> tuple[Floats, Floats]:
    """The variance of an unweighted mean of independent parts, with Satterthwaite's degrees of freedom."""
    weight = 1 / len(pieces) ** 2 if weight is None else weight
    scaled = [(weight * variance, _full(variance, df)) for variance, df in pieces]
    total = np.sum([variance for variance, _ in scaled], axis=0)
    return total, _satterthwaite(total, scaled)


def _satterthwaite(total: Floats, pieces: Sequence[tuple[Floats, Floats]]) -> Floats:
    """total²/Σ(v²/df), at least 1; the largest df where nothing varies."""
    below = np.sum([variance**2 / df for variance, df in pieces], axis=0)
    most = np.max([df for _, df in pieces], axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.where(below > 0, total**2 / below, most)
    return np.asarray(np.clip(found, 1.0, None), dtype=np.float64)


def _full(like: Floats, value: float) -> Floats:
    return np.full(like.shape[:1], float(value))
