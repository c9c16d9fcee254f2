"""Values per seed to differences with intervals, corrected p-values, and what could have been detected at all."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from runner.score.statistics.paired import detectable_shift, student
from runner.score.statistics.scaling import scale_of

Floats = NDArray[np.float64]
BOOTSTRAP_SEED = 0xF1C7  # fixed: the same results give the same bytes
RESAMPLES = 1000


@dataclass(frozen=True, slots=True)
class Difference:
    """mean(a) − mean(b) in the unit of the values; interval, df and p are None where they are not defined."""

    delta: float
    mean_a: float
    mean_b: float
    n_a: int
    n_b: int
    se: float | None = None
    df: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    correlation: float | None = None  # of the pairs, in `paired`
    note: str = ""  # why there is no interval, or why it is degenerate

    def times(self, unit: float) -> Difference:
        """The same difference, of values that are `unit` times as large."""
        names = ("delta", "mean_a", "mean_b", "se", "low", "high")
        known = {name: value for name in names if (value := getattr(self, name)) is not None}
        return replace(self, **{name: unit * value for name, value in known.items()})


def welch(a: ArrayLike, b: ArrayLike, confidence: float = 0.95) -> Difference:
    """Difference of two means over independent seeds.

    δ = ā − b̄;  SE² = s²_a/n_a + s²_b/n_b (variances with n − 1);
    df = SE⁴ / (s⁴_a/(n²_a(n_a−1)) + s⁴_b/(n²_b(n_b−1)))   (Welch 1947, Satterthwaite 1946);
    interval δ ± t_{df,(1+confidence)/2}·SE; p two-sided. In FiCT's accuracy delta the subtracted mean of the full
    models has an error of its own, which is in SE. With fewer than two seeds on a side there is no interval; where
    no seed differs from another on either side the interval has no width, and p only exists for δ = 0 (p = 1).
    """
    first, second = _vector(a), _vector(b)
    n_a, n_b = len(first), len(second)
    if not n_a or not n_b:
        raise ValueError("a difference of means needs at least one value on each side")
    unit = scale_of(first, second)
    first, second = first / unit, second / unit
    mean_a, mean_b = float(first.mean()), float(second.mean())
    delta = _unrounded(mean_a - mean_b, first, second)
    if n_a < 2 or n_b < 2:
        return Difference(delta, mean_a, mean_b, n_a, n_b, note="one seed: no interval over seeds").times(unit)
    part_a, part_b = _variance(first) / n_a, _variance(second) / n_b
    se = math.sqrt(part_a + part_b)
    if se == 0:
        p = 1.0 if delta == 0 else None
        note = "no variance between seeds"
        return Difference(delta, mean_a, mean_b, n_a, n_b, 0.0, None, delta, delta, p, note=note).times(unit)
    df = (part_a + part_b) ** 2 / (part_a**2 / (n_a - 1) + part_b**2 / (n_b - 1))
    return Difference(delta, mean_a, mean_b, n_a, n_b, se, df, *student(delta, se, df, confidence)).times(unit)


def paired(a: Mapping[int, float], b: Mapping[int, float], confidence: float = 0.95) -> Difference | None:
    """Difference over the seeds that both sides have: d_s = a_s − b_s, d̄ ± t_{n−1}·s_d/√n.

    Narrower than `welch` only if equal seeds make equal models (same initialisation and order), which the
    correlation of the pairs shows; with n seeds it has n − 1 degrees of freedom against up to 2(n − 1). None if no
    seed is shared.
    """
    shared = sorted(set(a) & set(b))
    if not shared:
        return None
    first, second = _vector([a[s] for s in shared]), _vector([b[s] for s in shared])
    unit, n = scale_of(first, second), len(shared)
    first, second = first / unit, second / unit
    base = (_unrounded(float((first - second).mean()), first, second), float(first.mean()), float(second.mean()), n, n)
    if n < 2:
        return Difference(*base, note="one seed: no interval over seeds").times(unit)
    se = math.sqrt(_variance(first - second, _dust(first, second)) / n)
    correlation = pearson(first, second) if n > 2 else None
    if se == 0:
        p = 1.0 if base[0] == 0 else None
        note = "no variance between pairs"
        return Difference(*base, 0.0, n - 1, base[0], base[0], p, correlation, note).times(unit)
    return Difference(*base, se, n - 1, *student(base[0], se, n - 1, confidence), correlation).times(unit)


def bootstrap(a: Floats, b: Floats, confidence: float = 0.95, resamples: int = RESAMPLES) -> tuple[float, float] | None:
    """Percentile interval of mean(a) − mean(b) under resampling of seeds and of items, both with replacement.

    `a`, `b`: decisions, shape (seeds, items), NaN where a pair is not applicable; such items are left out on both
    sides. Seeds are drawn per side, items once for both, because all models judge the same items (crossed design;
    the hierarchical bootstrap over seed × item). With n seeds the resampled seed variance is (n − 1)/n of the
    sample's, so with two or three seeds the interval is somewhat too narrow; with one seed it holds items alone.
    None if no item is applicable.
    """
    keep = ~(np.isnan(a).any(axis=0) | np.isnan(b).any(axis=0))
    items = int(keep.sum())
    if not items or not len(a) or not len(b):
        return None
    weights = _item_weights(items, resamples)
    values = _resampled(a[:, keep], weights, 1) - _resampled(b[:, keep], weights, 2)
    tail = (1 - confidence) / 2
    low, high = np.quantile(values, [tail, 1 - tail])
    return float(low), float(high)


def _resampled(decisions: Floats, weights: Floats, side: int) -> Floats:
    """The mean of each resample: item weights (items, resamples) and fresh seed weights (resamples, seeds)."""
    seeds, items = decisions.shape
    rng = np.random.Generator(np.random.PCG64([BOOTSTRAP_SEED, side, seeds, items]))
    draws = rng.multinomial(seeds, np.full(seeds, 1 / seeds), size=weights.shape[1])
    per_seed = decisions @ weights / items  # (seeds, resamples)
    return np.asarray((per_seed * draws.T).sum(axis=0) / seeds, dtype=np.float64)


@lru_cache(maxsize=8)
def _item_weights(items: int, resamples: int) -> Floats:
    rng = np.random.Generator(np.random.PCG64([BOOTSTRAP_SEED, 0, items]))
    draws = rng.multinomial(items, np.full(items, 1 / items), size=resamples)
    return np.ascontiguousarray(draws.T, dtype=np.float64)


def holm(p: Sequence[float | None]) -> list[float | None]:
    """Holm's (1979) step-down adjusted p-values: max over j ≤ i of (m − j + 1)·p_(j), at most 1. None stays None.

    An adjusted value ≤ α controls the family-wise error at α. m counts the p-values that exist.
    """
    order = _order(p)
    adjusted: list[float | None] = [None] * len(p)
    running = 0.0
    for rank, (value, index) in enumerate(order):
        running = max(running, min(1.0, (len(order) - rank) * value))
        adjusted[index] = running
    return adjusted


def benjamini_hochberg(p: Sequence[float | None]) -> list[float | None]:
    """Benjamini and Hochberg's (1995) adjusted p-values: min over j ≥ i of m/j·p_(j), at most 1. None stays None.

    An adjusted value ≤ q controls the false discovery rate at q for independent or positively dependent tests.
    """
    order = _order(p)
    adjusted: list[float | None] = [None] * len(p)
    running = 1.0
    for rank in range(len(order), 0, -1):
        value, index = order[rank - 1]
        running = min(running, len(order) / rank * value)
        adjusted[index] = running
    return adjusted


def _order(p: Sequence[float | None]) -> list[tuple[float, int]]:
    return sorted((value, index) for index, value in enumerate(p) if value is not None)


def pooled_sd(groups: Sequence[ArrayLike]) -> float | None:
    """√(Σ(n_g − 1)s²_g / Σ(n_g − 1)) over groups of seeds; None if no group has two values."""
    vectors = [vector for vector in map(_vector, groups) if len(vector) > 1]
    freedom = sum(len(vector) - 1 for vector in vectors)
    if not freedom:
        return None
    unit = scale_of(*vectors)
    return unit * math.sqrt(sum(_variance(v / unit) * (len(v) - 1) for v in vectors) / freedom)


def minimum_detectable(sd: float, n_a: int, n_b: int, alpha: float = 0.05, power: float = 0.8) -> float | None:
    """The smallest |difference of means| that a two-sided t test at `alpha` finds with probability `power`.

    Solves P(|T| > t_{df,1−α/2}) = power for T noncentral t with df = n_a + n_b − 2 and noncentrality
    δ / (sd·√(1/n_a + 1/n_b)) (Cohen 1988). In the unit of `sd`; None with fewer than two seeds on a side.
    """
    if n_a < 2 or n_b < 2:
        return None
    return detectable_shift(n_a + n_b - 2, alpha, power) * sd * math.sqrt(1 / n_a + 1 / n_b)


def pearson(x: ArrayLike, y: ArrayLike) -> float | None:
    """Pearson's r over the positions where both are finite; None below three of them or without variance."""
    first, second = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    keep = np.isfinite(first) & np.isfinite(second)
    first, second = first[keep], second[keep]
    if len(first) < 3:
        return None
    first, second = first / scale_of(first), second / scale_of(second)
    if not _variance(first) or not _variance(second):
        return None
    first, second = first - first.mean(), second - second.mean()
    scale = math.sqrt(float(first @ first) * float(second @ second))
    return max(-1.0, min(1.0, float(first @ second) / scale))


def _dust(*values: Floats) -> float:
    """Differences up to this are rounding: equal accuracies may differ in their last bits."""
    return 1e-12 * max((float(np.abs(one).max()) for one in values if len(one)), default=0.0)


def _unrounded(delta: float, *values: Floats) -> float:
    return 0.0 if abs(delta) <= _dust(*values) else delta


def _variance(values: Floats, dust: float | None = None) -> float:
    """With n − 1; exactly 0 where the values are equal up to rounding, which would else look like certainty."""
    found = float(values.var(ddof=1))
    return 0.0 if found <= (_dust(values) if dust is None else dust) ** 2 else found


def _vector(values: ArrayLike) -> Floats:
    return np.asarray(values, dtype=np.float64).reshape(-1)
