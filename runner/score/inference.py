"""Compare means: t tests over seeds, bootstrap over seeds and items, and placebo tests; also correlations and slopes.

P-values are adjusted by Holm's or by Benjamini and Hochberg's method.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray


def scale_of(*values: NDArray[np.float64]) -> float:
    """Return the largest power of two not above the largest absolute value, or 1: dividing by it is exact."""
    largest = max((float(np.abs(array).max()) for array in values if len(array)), default=0.0)
    return math.ldexp(0.5, math.frexp(largest)[1]) if largest else 1.0


ROUNDING = 1e-12  # up to this share of the largest value, a difference is a rounding error

Scaled = TypeVar("Scaled", "Paired", "Difference")


def _scaled(statistic: Scaled, scale: float, fields: Sequence[str]) -> Scaled:
    """Return the statistic of the values multiplied by `scale`; `fields` have the unit of the values."""
    known = {field: value for field in fields if (value := getattr(statistic, field)) is not None}
    return replace(statistic, **{field: scale * value for field, value in known.items()})


@dataclass(frozen=True, slots=True)
class Paired:
    """mean(a) − mean(b) over n units that both sides have. Undefined values are None."""

    n: int
    mean_a: float
    mean_b: float
    difference: float
    se: float | None = None
    low: float | None = None
    high: float | None = None
    t: float | None = None
    df: int | None = None
    p: float | None = None
    d_z: float | None = None
    d_pooled: float | None = None
    detectable: float | None = None
    note: str = ""

    def times(self, scale: float) -> Paired:
        return _scaled(self, scale, ("mean_a", "mean_b", "difference", "se", "low", "high", "detectable"))


def paired_test(a: ArrayLike, b: ArrayLike, confidence: float = 0.95, alpha: float = 0.05) -> Paired:
    """Return the paired t test t = d̄ / (s_d/√n) with n − 1 degrees of freedom and two-sided p (Student 1908).

    Effect sizes are d_z = d̄/s_d (Cohen 1988, p. 48) and d_pooled = d̄/√((s²_a + s²_b)/2), which treats the sides as
    independent. `detectable` is the smallest |d̄| that a test at `alpha` detects with power 0.8. `note` gives the
    reason if there is no test. Raises ValueError if the sides are empty or differ in length.
    """
    first, second = (np.asarray(side, dtype=np.float64).reshape(-1) for side in (a, b))
    if len(first) != len(second) or not len(first):
        raise ValueError("a paired test needs the same units on both sides, at least one")
    scale = scale_of(first, second)
    first, second = first / scale, second / scale
    n, differences = len(first), first - second
    means = (n, float(first.mean()), float(second.mean()), float(differences.mean()))
    if n < 2:
        return Paired(*means, note="one unit: no test").times(scale)
    sd = float(differences.std(ddof=1))
    if sd <= _rounding_error(first, second):
        return Paired(*means, note="all differences are equal: no test").times(scale)
    se = sd / math.sqrt(n)
    low, high, p = student(means[3], se, n - 1, confidence)
    pooled = math.sqrt((float(first.var(ddof=1)) + float(second.var(ddof=1))) / 2)
    d_pooled = means[3] / pooled if pooled else None
    detectable = detectable_shift(n - 1, alpha) * se
    return Paired(*means, se, low, high, means[3] / se, n - 1, p, means[3] / sd, d_pooled, detectable).times(scale)


def student(difference: float, se: float, df: float, confidence: float) -> tuple[float, float, float]:
    """Return difference ± t_{df,(1+confidence)/2}·se (low, high) and the two-sided p (Student 1908)."""
    from scipy import special  # imported here, since cells that only score do not need it

    half_width = float(special.stdtrit(df, (1 + confidence) / 2)) * se
    return difference - half_width, difference + half_width, float(2 * special.stdtr(df, -abs(difference) / se))


@cache  # tables and figures need the same degrees of freedom repeatedly
def detectable_shift(df: float, alpha: float = 0.05, power: float = 0.8) -> float:
    """Solve P(|T| > t_{df,1−α/2}) = power for the noncentrality of t, in standard errors of the mean (Cohen 1988)."""
    from scipy import optimize, stats

    critical = float(stats.t.ppf(1 - alpha / 2, df))

    def excess_power(shift: float) -> float:
        opposite = float(stats.nct.cdf(-critical, df, shift))  # scipy returns NaN where the tail underflows
        return float(stats.nct.sf(critical, df, shift)) + (0.0 if math.isnan(opposite) else opposite) - power

    upper = critical
    while excess_power(upper) < 0:
        upper *= 2
    return float(optimize.brentq(excess_power, 1e-3, upper))


Floats = NDArray[np.float64]
BOOTSTRAP_SEED = 0xF1C7  # fixed, so that intervals are reproducible
RESAMPLES = 1000
MAX_CACHED_ITEMS = 1 << 14  # more items are not cached; a block has at most this number × RESAMPLES weights
MIN_CORRELATION_PAIRS = 4  # for a correlation


@dataclass(frozen=True, slots=True)
class Difference:
    """mean(a) − mean(b) in the unit of the values. The interval, se, df and p are None where they are undefined."""

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
    correlation: float | None = None  # between paired seeds, set by `paired`
    note: str = ""  # reason for a missing or degenerate interval
    method: str = ""  # of the interval, if there are several

    def times(self, scale: float) -> Difference:
        return _scaled(self, scale, ("delta", "mean_a", "mean_b", "se", "low", "high"))


def welch(a: ArrayLike, b: ArrayLike, confidence: float = 0.95) -> Difference:
    """Return the difference of two means over independent seeds, with Welch's t interval, if both sides have two seeds.

    δ = ā − b̄;  SE² = s²_a/n_a + s²_b/n_b (variances with n − 1);
    df = SE⁴ / (s⁴_a/(n²_a(n_a−1)) + s⁴_b/(n²_b(n_b−1)))   (Welch 1947, Satterthwaite 1946);
    interval δ ± t_{df,(1+confidence)/2}·SE; p two-sided. If the values of each side do not vary over the seeds, the
    interval has zero width, and p exists only for δ = 0 (p = 1). Raises ValueError if a side is empty.
    """
    first, second = _as_vector(a), _as_vector(b)
    n_a, n_b = len(first), len(second)
    if not n_a or not n_b:
        raise ValueError("a difference of means needs at least one value on each side")
    scale = scale_of(first, second)
    first, second = first / scale, second / scale
    mean_a, mean_b = float(first.mean()), float(second.mean())
    delta = _without_rounding_error(mean_a - mean_b, first, second)
    estimates = (delta, mean_a, mean_b, n_a, n_b)
    if n_a < 2 or n_b < 2:
        return Difference(*estimates, note="one seed: no interval over seeds").times(scale)
    part_a, part_b = _sample_variance(first) / n_a, _sample_variance(second) / n_b
    se = math.sqrt(part_a + part_b)
    if se == 0:
        p, note = 1.0 if delta == 0 else None, "no variance between seeds"
        return Difference(*estimates, 0.0, None, delta, delta, p, note=note).times(scale)
    df = (part_a + part_b) ** 2 / (part_a**2 / (n_a - 1) + part_b**2 / (n_b - 1))
    return Difference(*estimates, se, df, *student(delta, se, df, confidence)).times(scale)


def paired(a: Mapping[int, float], b: Mapping[int, float], confidence: float = 0.95) -> Difference | None:
    """Return the difference over shared seeds, or None: d_s = a_s − b_s, d̄ ± t_{n−1}·s_d/√n.

    It is narrower than that of `welch` only if models with the same seed are positively correlated, see `correlation`.
    """
    shared_seeds = sorted(set(a) & set(b))
    if not shared_seeds:
        return None
    first, second = (_as_vector([side[seed] for seed in shared_seeds]) for side in (a, b))
    scale, n = scale_of(first, second), len(shared_seeds)
    first, second = first / scale, second / scale
    delta = _without_rounding_error(float((first - second).mean()), first, second)
    estimates = (delta, float(first.mean()), float(second.mean()), n, n)
    if n < 2:
        return Difference(*estimates, note="one seed: no interval over seeds").times(scale)
    se = math.sqrt(_sample_variance(first - second, _rounding_error(first, second)) / n)
    correlation = pearson(first, second)
    if se == 0:
        p, note = 1.0 if delta == 0 else None, "no variance between pairs"
        return Difference(*estimates, 0.0, n - 1, delta, delta, p, correlation, note).times(scale)
    return Difference(*estimates, se, n - 1, *student(delta, se, n - 1, confidence), correlation).times(scale)


def bootstrap(a: Floats, b: Floats, confidence: float = 0.95, resamples: int = RESAMPLES) -> tuple[float, float] | None:
    """Return the percentile interval of mean(a) − mean(b) under resampling of seeds and items with replacement.

    `a`, `b`: decisions, shape (seeds, items), NaN for an item that is not applicable, excluded on both sides. Seeds are
    drawn for each side, items once for both (a crossed design). The variance of n resampled seeds is (n − 1)/n of the
    sample variance, so the interval is somewhat too narrow for two or three seeds.
    """
    applicable = ~(np.isnan(a).any(axis=0) | np.isnan(b).any(axis=0))
    items = int(applicable.sum())
    if not items or not len(a) or not len(b):
        return None
    first, second = a[:, applicable], b[:, applicable]
    seed_weights = [_seed_weights(side, number, resamples) for number, side in enumerate((first, second), 1)]
    blocks, begin = [], 0
    for item_weights in _item_weights(items, resamples):
        resampled = slice(begin, begin := begin + item_weights.shape[1])
        means = [
            _resampled_means(side, item_weights, side_weights[:, resampled])
            for side, side_weights in zip((first, second), seed_weights, strict=True)
        ]
        blocks.append(means[0] - means[1])
    values = np.concatenate(blocks)
    tail = (1 - confidence) / 2
    low, high = np.quantile(values, [tail, 1 - tail])
    return float(low), float(high)


def _seed_weights(decisions: Floats, side_number: int, resamples: int) -> NDArray[np.int64]:
    """Return how often each seed of a side is drawn in each resample, (seeds, resamples)."""
    seeds, items = decisions.shape
    rng = np.random.Generator(np.random.PCG64([BOOTSTRAP_SEED, side_number, seeds, items]))
    return np.asarray(rng.multinomial(seeds, np.full(seeds, 1 / seeds), size=resamples).T, dtype=np.int64)


def _resampled_means(decisions: Floats, item_weights: Floats, seed_weights: NDArray[np.int64]) -> Floats:
    """Return the mean of each resample. The weights have the shapes (items, resamples) and (seeds, resamples)."""
    seeds, items = decisions.shape
    per_seed = decisions @ item_weights / items  # (seeds, resamples)
    return np.asarray((per_seed * seed_weights).sum(axis=0) / seeds, dtype=np.float64)


def _item_weights(items: int, resamples: int) -> Iterator[Floats]:
    """Yield how often each item is drawn, (items, resamples), in blocks of resamples if there are many items."""
    if items <= MAX_CACHED_ITEMS:
        yield _cached_item_weights(items, resamples)
        return
    rng = _item_rng(items)
    block_size = max(1, MAX_CACHED_ITEMS * RESAMPLES // items)
    for begin in range(0, resamples, block_size):
        yield _drawn_item_weights(rng, items, min(block_size, resamples - begin))


@lru_cache(maxsize=8)
def _cached_item_weights(items: int, resamples: int) -> Floats:
    return _drawn_item_weights(_item_rng(items), items, resamples)


def _item_rng(items: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64([BOOTSTRAP_SEED, 0, items]))


def _drawn_item_weights(rng: np.random.Generator, items: int, resamples: int) -> Floats:
    draws = rng.multinomial(items, np.full(items, 1 / items), size=resamples)
    return np.ascontiguousarray(draws.T, dtype=np.float64)


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Return Holm's (1979) step-down adjusted p-values: max over j ≤ i of (m − j + 1)·p_(j), at most 1."""
    order = sorted((value, index) for index, value in enumerate(p_values) if value is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    running_max = 0.0
    for rank, (value, index) in enumerate(order):
        running_max = max(running_max, min(1.0, (len(order) - rank) * value))
        adjusted[index] = running_max
    return adjusted


def benjamini_hochberg(p_values: Sequence[float | None]) -> list[float | None]:
    """Return Benjamini and Hochberg's (1995) adjusted p-values: min over j ≥ i of m/j·p_(j), at most 1."""
    from scipy import stats  # imported here, since it takes a second to load

    adjusted = iter(stats.false_discovery_control([value for value in p_values if value is not None]).tolist())
    return [None if value is None else next(adjusted) for value in p_values]


def pooled_sd(groups: Sequence[ArrayLike]) -> float | None:
    """Return √(Σ(n_g − 1)s²_g / Σ(n_g − 1)) over groups of seeds, or None if no group has two values."""
    vectors = [vector for vector in map(_as_vector, groups) if len(vector) > 1]
    degrees_of_freedom = sum(len(vector) - 1 for vector in vectors)
    if not degrees_of_freedom:
        return None
    scale = scale_of(*vectors)
    return scale * math.sqrt(sum(_sample_variance(v / scale) * (len(v) - 1) for v in vectors) / degrees_of_freedom)


def pearson(x: ArrayLike, y: ArrayLike) -> float | None:
    """Return r where both values are finite; None for fewer than `MIN_CORRELATION_PAIRS`, or without variance."""
    first, second = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    finite = np.isfinite(first) & np.isfinite(second)
    first, second = first[finite], second[finite]
    if len(first) < MIN_CORRELATION_PAIRS:
        return None
    first, second = first / scale_of(first), second / scale_of(second)
    if not _sample_variance(first) or not _sample_variance(second):
        return None
    first, second = first - first.mean(), second - second.mean()
    norms = math.sqrt(float(first @ first) * float(second @ second))
    return max(-1.0, min(1.0, float(first @ second) / norms))


def _rounding_error(*values: Floats) -> float:
    """Return the largest difference that counts as rounding error: equal accuracies may differ in their last bits."""
    return ROUNDING * max((float(np.abs(array).max()) for array in values if len(array)), default=0.0)


def _without_rounding_error(delta: float, *values: Floats) -> float:
    return 0.0 if abs(delta) <= _rounding_error(*values) else delta


def _sample_variance(values: Floats, rounding_error: float | None = None) -> float:
    """Return the sample variance, exactly 0 if the values are equal up to rounding."""
    variance = float(values.var(ddof=1))
    return 0.0 if variance <= (_rounding_error(values) if rounding_error is None else rounding_error) ** 2 else variance


def _as_vector(values: ArrayLike) -> Floats:
    return np.asarray(values, dtype=np.float64).reshape(-1)


MIN_SLOPE_PAIRS = 3  # a line through two pairs has no residuals, and thus no standard error


def slope_values(x: Floats, y: Floats) -> Floats | None:
    """Return values, (pairs,), whose mean is the least-squares slope of `y` on `x`, NaN where `y` is, if it exists.

    They are β̂ + n (xᵢ − x̄) eᵢ / Σ (x − x̄)² with the residuals eᵢ: the variance of their mean is White's (1980).
    """
    known = ~np.isnan(y)
    if known.sum() < MIN_SLOPE_PAIRS:
        return None
    scale = scale_of(x[known])
    centred = x / scale - (x[known] / scale).mean()
    if np.abs(centred[known]).max() <= ROUNDING:
        return None
    sum_of_squares = float((centred[known] ** 2).sum())
    slope = float((centred[known] * y[known]).sum()) / sum_of_squares
    residuals = y - y[known].mean() - slope * centred
    return np.asarray((slope + known.sum() * centred * residuals / sum_of_squares) / scale, dtype=np.float64)


def placebo_p_value(effect: float, draws: Sequence[float]) -> float:
    """Return the one-sided p-value of a drop: p = (1 + number of draws at least as low) / (number of draws + 1).

    The effect counts as a draw, so p is never zero (Phipson and Smyth 2010). Raises ValueError without draws.
    """
    if not draws:
        raise ValueError("a placebo test needs at least one draw")
    return (1 + sum(draw <= effect + ROUNDING for draw in draws)) / (len(draws) + 1)


def smallest_p_value(draws: int) -> float:
    return 1 / (draws + 1)
