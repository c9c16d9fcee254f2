"""The change in accuracy between two conditions, where both seeds and items are samples, and its variance.

The estimand is the mean change over the populations of seeds and of items (Clark 1973). Each component of the variance
is a mean square of a two-way layout without replication; degrees of freedom are Satterthwaite's (1946). The covariance
between the two sides of the same seed is shrunk towards zero (Schäfer and Strimmer 2005), by a share that does not
depend on the data. `benchmarks/coverage.py` simulates the coverage of the intervals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

import numpy as np
from scipy import special  # has the distributions of scipy.stats, which takes a second to load

from runner.score.inference import ROUNDING, Floats

Number = TypeVar("Number", float, Floats)
# Share by which the covariance between the two sides of the same seed is reduced: few seeds estimate it badly,
# especially near 0 and 100 %.
SHRINKAGE = 0.05
_SQUARES_ROUNDING = 1e-10  # residual sums of squares up to this share of the sum of squares are rounding errors
FLOOR = 0.5  # smallest variance, as a share of the larger of V_seed and V_item


@dataclass(frozen=True, slots=True)
class Components:
    """Variance components of the mean change, with degrees of freedom. `seeds` and `items` include the residual."""

    seeds: Floats
    items: Floats
    residual: Floats
    seeds_df: Floats
    items_df: Floats
    residual_df: Floats

    @property
    def sum(self) -> Floats:
        return self.seeds + self.items - self.residual


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary of n data sets, shape (n, seeds, items): the means by seed and by item, and the sum of squares."""

    by_seed: Floats
    by_item: Floats
    squares: Floats


@dataclass(frozen=True, slots=True)
class Paradigm:
    """The decisions of two conditions on the items of a paradigm; both sides have the same items.

    `differences` is None if the sides differ in their number of seeds. Equal numbers do not mean common seeds: the
    design decides whether the differences are used.
    """

    first: Summary
    second: Summary
    differences: Summary | None

    @property
    def sides(self) -> tuple[Summary, Summary]:
        return self.first, self.second


def summarize_paradigm(first: Floats, second: Floats) -> Paradigm:
    has_equal_shapes = first.shape == second.shape
    return Paradigm(_summary(first), _summary(second), _summary(first - second) if has_equal_shapes else None)


def paired_components(paradigms: Sequence[Paradigm]) -> Components:
    """Return the components of the differences by seed, over paradigms with weight 1/P².

    V_seed = s²(d̄)/S over mean differences d̄ of a seed; V_item = s²/I over items; V_residual = MS_residual/(S·I).
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

    V_seed is V_A + V_B, V_item is that of the differences between item means, and V_residual is the sum of both. With
    `common`, the variances per seed are those of both sides together, so that one side may have one seed.
    """
    first, second = (
        np.mean([summary.by_seed for summary in summaries], axis=0)
        for summaries in zip(*(paradigm.sides for paradigm in paradigms), strict=True)
    )
    seeds, seeds_df = unpaired_seeds(first, second, common=common)
    items, items_df = over_items(paradigms)
    if common:
        residuals = [
            _common([_residual(side) for side in paradigm.sides], [side.by_seed.shape[-1] for side in paradigm.sides])
            for paradigm in paradigms
        ]
    else:
        residuals = [_residual(side) for paradigm in paradigms for side in paradigm.sides]
    residual, residual_df = _pooled(residuals, weight=1 / len(paradigms) ** 2)
    return Components(seeds, items, residual, seeds_df, items_df, residual_df)


def unpaired_seeds(first: Floats, second: Floats, *, common: bool) -> tuple[Floats, Floats]:
    """Return V_seed of independent sides and its degrees of freedom; the values are means by seed."""
    terms = [(variance_of_mean(side), float(side.shape[-1] - 1)) for side in (first, second)]
    if not common:
        return _pooled(terms, weight=1.0)
    variance, df = _common(terms, (first.shape[-1], second.shape[-1]))
    return variance, _filled_like(variance, df)


def _common(terms: Sequence[tuple[Floats, float]], seeds: Sequence[int]) -> tuple[Floats, float]:
    df = sum(term_df for _, term_df in terms)
    squares = np.sum([variance * n * term_df for (variance, term_df), n in zip(terms, seeds, strict=True)], axis=0)
    return squares / df * sum(1 / n for n in seeds), df


def shrunk(paired: Number, unpaired: Number) -> Number:
    """Return (1 − λ)·paired + λ·unpaired: the covariance shrunk towards 0, by a fixed λ (Schäfer and Strimmer 2005)."""
    return (1 - SHRINKAGE) * paired + SHRINKAGE * unpaired


def over_items(paradigms: Sequence[Paradigm]) -> tuple[Floats, Floats]:
    differences = [paradigm.first.by_item - paradigm.second.by_item for paradigm in paradigms]
    return _pooled([(variance_of_mean(by_item), by_item.shape[-1] - 1) for by_item in differences])


def agreeing_items(paradigms: Sequence[Paradigm]) -> Floats:
    """Return the smallest number of items of a paradigm in which nothing varies, or infinity if there is none."""
    numbers = []
    for paradigm in paradigms:
        parts = [over_items([paradigm])[0]]
        parts += [part for side in paradigm.sides for part in (variance_of_mean(side.by_seed), _residual(side)[0])]
        numbers.append(np.where(np.any(np.array(parts) > 0, axis=0), np.inf, paradigm.first.by_item.shape[-1]))
    return np.asarray(np.min(numbers, axis=0), dtype=np.float64)


def with_floor(components: Components) -> tuple[Floats, Floats]:
    """Return the variance, at least `FLOOR` of `seeds` and `items` or else the residual, and its degrees of freedom."""
    larger = np.maximum(components.seeds, components.items)
    variance = np.maximum(components.sum, FLOOR * larger)
    variance = np.where((larger == 0) & (components.residual > 0), components.residual, variance)
    values = components.seeds, components.items, components.residual
    dfs = components.seeds_df, components.items_df, components.residual_df
    return variance, satterthwaite(variance, list(zip(values, dfs, strict=True)))


def _summary(values: Floats) -> Summary:
    return Summary(values.mean(-1), values.mean(-2), np.einsum("...si,...si->...", values, values))


def _residual(summary: Summary) -> tuple[Floats, float]:
    seeds, items = summary.by_seed.shape[-1], summary.by_item.shape[-1]
    mean = summary.by_seed.mean(-1)
    between_squares = items * _squares(summary.by_seed - mean[..., None]) + seeds * _squares(
        summary.by_item - mean[..., None]
    )
    df = (seeds - 1) * (items - 1)
    residual_squares = summary.squares - seeds * items * mean**2 - between_squares
    residual_squares = np.where(residual_squares > _SQUARES_ROUNDING * summary.squares, residual_squares, 0.0)
    return residual_squares / max(1, df) / (seeds * items), df


def _squares(values: Floats) -> Floats:
    return np.asarray(np.einsum("...i,...i->...", values, values), dtype=np.float64)


def variance_of_mean(values: Floats) -> Floats:
    """Return the variance of the mean over the last axis, 0 where the values are equal up to rounding, or for one."""
    if values.shape[-1] == 1:
        return np.zeros(values.shape[:-1])
    variance = values.var(-1, ddof=1)
    rounding_error = ROUNDING * np.abs(values).max(-1)
    return np.asarray(np.where(variance > rounding_error**2, variance, 0.0) / values.shape[-1], dtype=np.float64)


def _pooled(terms: Sequence[tuple[Floats, float]], weight: float | None = None) -> tuple[Floats, Floats]:
    """Return the sum of variances times `weight` (1/n²: that of a mean), and Satterthwaite's degrees of freedom."""
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


Design = Literal["paired", "unpaired", "common variance", "items"]
Verdict = Literal["fell", "fell within margin", "rose", "rose within margin", "held", "undecided", "not tested"]
MIN_AGREEING_SEEDS = 5  # with fewer, equal decisions of all seeds do not show that an accuracy held
MIN_PAIRED_SEEDS = 4  # common seeds: with fewer, the variance of paired differences has too few degrees of freedom


@dataclass(frozen=True, slots=True)
class Change:
    """mean(a) − mean(b) with an interval and a two-sided p-value; values are shares between −1 and 1."""

    estimate: float
    low: float
    high: float
    p: float
    se: float
    df: float
    design: Design
    seeds: tuple[int, int]
    items: int


def change(
    a: Sequence[Floats], b: Sequence[Floats], *, paired: bool, confidence: float = 0.95, bound: float = 1.0
) -> Change | None:
    """Estimate the mean change over one or more paradigms, or None if a paradigm has fewer than two common items.

    `a[p]` and `b[p]` are decisions in 0–1, shape (seeds, items); rows have the same seeds if `paired`. An item that is
    NaN in any row is left out on both sides. The unweighted mean over paradigms is computed for each seed first.
    Paradigms are fixed; items are nested in them. With at least 4 common seeds, the differences are paired; else each
    side has its own variance over seeds, or both a common one if one side has fewer than 4 seeds and the other more.
    With one seed on both sides, the interval is over items only. It lies within ±`bound`, which callers set to infinity
    for values other than decisions.
    """
    sides = []
    for first, second in zip(a, b, strict=True):
        known = ~(np.isnan(first).any(axis=0) | np.isnan(second).any(axis=0))
        sides.append((first[:, known], second[:, known]))
    if not sides or any(first.shape[1] < 2 for first, _ in sides):
        return None
    seeds = len(sides[0][0]), len(sides[0][1])
    paradigms = [summarize_paradigm(first[None], second[None]) for first, second in sides]
    design = design_of(seeds, paired=paired)
    estimate, se, df = estimate_changes(paradigms, design)
    items = sum(first.shape[1] for first, _ in sides)
    agreeing = agreeing_items(paradigms) if np.isfinite(bound) else np.inf
    low, high, p = interval(estimate, se, df, confidence, bound, agreeing, len(paradigms))
    return Change(
        float(estimate[0]), float(low[0]), float(high[0]), float(p[0]), float(se[0]), float(df[0]), design, seeds, items
    )


def design_of(seeds: tuple[int, int], *, paired: bool) -> Design:
    """Choose the design by the numbers of seeds only, so that it does not depend on the decisions."""
    if max(seeds) < 2:
        return "items"
    if seeds[0] != seeds[1] and min(seeds) < MIN_PAIRED_SEEDS:
        return "common variance"
    return "paired" if paired and seeds[0] == seeds[1] >= MIN_PAIRED_SEEDS else "unpaired"


def estimate_changes(paradigms: Sequence[Paradigm], design: Design) -> tuple[Floats, Floats, Floats]:
    """Return the estimates, standard errors and degrees of freedom of n data sets, (n,) each."""
    estimate = np.mean(
        [paradigm.first.by_seed.mean(-1) - paradigm.second.by_seed.mean(-1) for paradigm in paradigms], axis=0
    )
    if design == "items":
        variance, df = over_items(paradigms)
    elif design == "paired":
        paired, unpaired = paired_components(paradigms), unpaired_components(paradigms)
        seeds, residual = shrunk(paired.seeds, unpaired.seeds), shrunk(paired.residual, unpaired.residual)
        variance, df = with_floor(replace(paired, seeds=seeds, residual=residual))
    else:
        variance, df = with_floor(unpaired_components(paradigms, common=design == "common variance"))
    return estimate, np.sqrt(variance), df


def variance_over_seeds(first: Floats, second: Floats, *, paired: bool) -> tuple[Floats, Floats]:
    """Return V_seed, 0 with one seed on both sides, and its degrees of freedom, of means by seed, (n, seeds)."""
    design = design_of((first.shape[-1], second.shape[-1]), paired=paired)
    if design == "items":
        return np.zeros(len(first)), np.ones(len(first))
    if design == "paired":
        variance = shrunk(variance_of_mean(first - second), unpaired_seeds(first, second, common=False)[0])
        return variance, _filled_like(variance, first.shape[-1] - 1)
    return unpaired_seeds(first, second, common=design == "common variance")


def interval(
    estimate: Floats,
    se: Floats,
    df: Floats,
    confidence: float = 0.95,
    bound: float = 1.0,
    agreeing: Floats | float = np.inf,
    paradigms: int = 1,
) -> tuple[Floats, Floats, Floats]:
    """Return low, high and p. The interval is estimate ± t·se, clipped to [−bound, bound], and agrees with p.

    `agreeing` is the smallest number n of items of a paradigm in which nothing varies. With a share of items above
    1 − (α/2)^(1/n) that differ, a sample would lack them with a probability below α/2 (Clopper and Pearson 1934). This
    share, divided by the number of paradigms, is the half-width if nothing else varies; else its square is added.
    """
    unseen = (1 - ((1 - confidence) / 2) ** (1 / agreeing)) / paradigms
    size, t = np.abs(estimate), special.stdtrit(df, (1 + confidence) / 2)
    whole = np.hypot(se, unseen / t)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * special.stdtr(df, -np.where(whole > 0, size / whole, np.where(size == 0, 0.0, np.inf)))
        exact = np.minimum(1.0, 2 * np.maximum(0.0, 1 - paradigms * size) ** agreeing)
    p = np.where((se == 0) & np.isfinite(agreeing), exact, p)
    half_width = t * whole
    return np.maximum(estimate - half_width, -bound), np.minimum(estimate + half_width, bound), p


def over_phenomena(
    changes: Floats, phenomena: Sequence[str], confidence: float = 0.95, over_seeds: tuple[float, float] = (0.0, 1.0)
) -> Change | None:
    """Generalise the unweighted mean over paradigms, (paradigms,), to 8 or more phenomena and to seeds.

    The variance is CR2, clustered by phenomenon, with Satterthwaite's degrees of freedom (Bell and McCaffrey 2002;
    Pustejovsky and Tipton 2018), plus `over_seeds`, that of the mean, since a seed can change all phenomena alike.
    """
    names = sorted(set(phenomena))
    if len(names) < 8:
        return None
    paradigm_count = len(changes)
    membership = np.array([[phenomenon == name for phenomenon in phenomena] for name in names], dtype=np.float64)
    weights = membership / np.sqrt(1 - membership.sum(1, keepdims=True) / paradigm_count)
    loadings = (weights - weights.sum(1, keepdims=True) / paradigm_count) / paradigm_count  # (phenomena, paradigms)
    gram = loadings @ loadings.T
    robust, robust_df = float(((loadings @ changes) ** 2).sum()), float(np.trace(gram) ** 2 / (gram**2).sum())
    terms = [(np.array(variance), np.array(df)) for variance, df in ((robust, robust_df), over_seeds)]
    se = float(np.sqrt(robust + over_seeds[0]))
    df = float(satterthwaite(np.array(se**2), terms))
    estimate = float(changes.mean())
    low, high, p = interval(np.array(estimate), np.array(se), np.array(df), confidence)
    return Change(estimate, float(low), float(high), float(p), se, df, "items", (0, 0), paradigm_count)


def verdict(
    low: float | None, high: float | None, margin: float | None, adjusted_p: float | None, alpha: float = 0.05
) -> Verdict:
    """Return the verdict of an interval: fell or rose if it excludes zero and Holm's p is ≤ alpha, held within ±margin.

    `margin` is None for an interval over seeds only, which does not generalise to other items.
    """
    if low is None or high is None:
        return "undecided"
    is_within = margin is not None and -margin < low and high < margin
    if (low > 0 or high < 0) and adjusted_p is not None and adjusted_p <= alpha:
        if high < 0:
            return "fell within margin" if is_within else "fell"
        return "rose within margin" if is_within else "rose"
    return "held" if is_within else "undecided"
