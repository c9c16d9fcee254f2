"""Change in accuracy between two conditions, with seeds and items both sampled.

The estimand is the mean change over the populations of seeds and of items (Clark 1973). Each component of the variance
is a mean square of a two-way layout without replication; degrees of freedom are Satterthwaite's (1946).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import stats

Floats = NDArray[np.float64]
Design = Literal["paired", "unpaired", "items"]
Verdict = Literal["held", "held, but not zero", "fell", "rose", "undecided"]
PAIRED_FROM = 4  # common seeds: with fewer, the variance of paired differences has too few degrees of freedom
_PAIRED_FLOOR = 0.1  # of the larger component
_UNPAIRED_FLOOR = 0.5


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
        """The unbiased estimate seeds + items − residual, which may be negative."""
        return self.seeds + self.items - self.residual


@dataclass(frozen=True, slots=True)
class Change:
    """mean(a) − mean(b) with an interval and a two-sided p-value; values are shares between −1 and 1.

    `design` is "paired" over common seeds, "unpaired" over the seeds of each side, or "items" for one seed.
    """

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
    """Estimate the change over paradigms, of which there may be one.

    `a[p]` and `b[p]` are decisions in 0–1, shape (seeds, items); NaN marks an item without a decision, which is left
    out on both sides. The rows of all `a[p]` are the same seeds, and so are those of all `b[p]`; if `paired`, row s of
    `a` and of `b` is one seed. The mean over paradigms is unweighted and taken per seed first; paradigms are fixed,
    items are nested in them. With at least 4 common seeds the differences are paired; with 2 or 3, or if not `paired`,
    each side has its own variance over seeds; with one seed on a side the interval is over items only. The interval
    lies within ±`bound`, which is infinite for values that are no decisions.

    Returns None if a paradigm has no common items, or has one item and cannot have a variance.
    """
    sides = [_common_items(first, second) for first, second in zip(a, b, strict=True)]
    if not sides or any(first.shape[1] < 2 for first, _ in sides):
        return None
    seeds = len(sides[0][0]), len(sides[0][1])
    parts = [(first[None], second[None]) for first, second in sides]
    design = design_of(seeds, paired=paired)
    estimate, se, df = estimated(parts, design)
    low, high, p = interval(estimate, se, df, confidence, bound)
    items = sum(first.shape[1] for first, _ in sides)
    return Change(
        float(estimate[0]), float(low[0]), float(high[0]), float(p[0]), float(se[0]), float(df[0]), design, seeds, items
    )


def design_of(seeds: tuple[int, int], *, paired: bool) -> Design:
    """Choose the design by the numbers of seeds alone, never by the decisions."""
    if min(seeds) < 2:
        return "items"
    return "paired" if paired and seeds[0] == seeds[1] >= PAIRED_FROM else "unpaired"


def estimated(parts: Sequence[tuple[Floats, Floats]], design: Design) -> tuple[Floats, Floats, Floats]:
    """Return estimate, standard error and degrees of freedom of many data sets at once, each of shape (n,).

    `parts` holds the two sides of each paradigm, shape (n, seeds, items).
    """
    estimate = np.mean([first.mean((-2, -1)) - second.mean((-2, -1)) for first, second in parts], axis=0)
    if design == "items":
        variance, df = _over_items(parts)
    elif design == "paired":
        variance, df = _with_floor(paired_components(parts), _PAIRED_FLOOR, 1.0)
    else:
        variance, df = _with_floor(unpaired_components(parts), _UNPAIRED_FLOOR, _UNPAIRED_FLOOR)
    return estimate, np.sqrt(variance), df


def interval(
    estimate: Floats, se: Floats, df: Floats, confidence: float = 0.95, bound: float = 1.0
) -> tuple[Floats, Floats, Floats]:
    """Return low, high and p; the interval is estimate ± t·se, cut to [−bound, bound], and agrees with p.

    Without any variance (every decision of a side is the same change) p is 1 for no change and 0 otherwise.
    """
    half = stats.t.ppf((1 + confidence) / 2, df) * se
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(se > 0, np.abs(estimate) / se, np.where(estimate == 0, 0.0, np.inf))
    return np.maximum(estimate - half, -bound), np.minimum(estimate + half, bound), 2 * stats.t.sf(t, df)


def paired_components(parts: Sequence[tuple[Floats, Floats]]) -> Components:
    """Components from the differences of equal seeds: with d̄ the mean difference per seed,

    V_seed = s²(d̄)/S over seeds, V_item = s²/I over items and V_residual = MS_residual/(S·I), summed over paradigms
    with weight 1/P².
    """
    differences = [first - second for first, second in parts]
    seeds = differences[0].shape[-2]
    per_seed = np.mean([each.mean(-1) for each in differences], axis=0)
    items, items_df = _pooled([(_over(each.mean(-2)), each.shape[-1] - 1) for each in differences])
    residual, residual_df = _pooled([_residual(each) for each in differences])
    return Components(_over(per_seed), items, residual, _full(per_seed, seeds - 1), items_df, residual_df)


def unpaired_components(parts: Sequence[tuple[Floats, Floats]]) -> Components:
    """Components from two independent sets of seeds: V_A + V_B over the seeds of each side, V_item of the paired
    differences between the items' means, and both residuals."""
    sides = [np.mean([side.mean(-1) for side in each], axis=0) for each in zip(*parts, strict=True)]
    over_seeds = [(_over(side), side.shape[-1] - 1) for side in sides]
    per_item = [first.mean(-2) - second.mean(-2) for first, second in parts]
    seeds, seeds_df = _pooled(over_seeds, weight=1.0)
    items, items_df = _pooled([(_over(each), each.shape[-1] - 1) for each in per_item])
    left = [[_residual(side) for side in pair] for pair in parts]
    residual, residual_df = _pooled([one for pair in left for one in pair], weight=1 / len(parts) ** 2)
    return Components(seeds, items, residual, seeds_df, items_df, residual_df)


def over_phenomena(changes: Floats, phenomena: Sequence[str], confidence: float = 0.95) -> Change | None:
    """Generalise the unweighted mean over paradigms to other phenomena, of which there must be at least 8.

    `changes` has shape (paradigms,). Cluster-robust variance CR2 with Satterthwaite's degrees of freedom (Bell and
    McCaffrey 2002; Pustejovsky and Tipton 2018) of a regression on a constant, clustered by phenomenon. Returns None
    below 8 phenomena.
    """
    names = sorted(set(phenomena))
    if len(names) < 8:
        return None
    number = len(changes)
    member = np.array([[phenomenon == name for phenomenon in phenomena] for name in names], dtype=np.float64)
    weights = member / np.sqrt(1 - member.sum(1, keepdims=True) / number)
    loadings = (weights - weights.sum(1, keepdims=True) / number) / number  # (phenomena, paradigms)
    gram = loadings @ loadings.T
    se = float(np.sqrt(((loadings @ changes) ** 2).sum()))
    df = float(np.trace(gram) ** 2 / (gram**2).sum())
    estimate = float(changes.mean())
    low, high, p = interval(np.array(estimate), np.array(se), np.array(df), confidence)
    return Change(estimate, float(low), float(high), float(p), se, df, "items", (0, 0), number)


def verdict(
    low: float | None, high: float | None, margin: float | None, adjusted_p: float | None, alpha: float = 0.05
) -> Verdict:
    """Read a verdict off an interval: inside ±margin is held; outside zero, and Holm's p at most alpha, fell or rose.

    `margin` is a share, as the ends of the interval, or None if nothing can be held: an interval over seeds only says
    nothing about other items. Without an interval or an adjusted p-value the verdict is undecided.
    """
    if low is None or high is None:
        return "undecided"
    excludes_zero = low > 0 or high < 0
    if margin is not None and -margin < low and high < margin:
        return "held, but not zero" if excludes_zero else "held"
    if excludes_zero and adjusted_p is not None and adjusted_p <= alpha:
        return "fell" if high < 0 else "rose"
    return "undecided"


def _common_items(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    known = ~(np.isnan(first).any(axis=0) | np.isnan(second).any(axis=0))
    return first[:, known], second[:, known]


def _over_items(parts: Sequence[tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
    differences = [first.mean(-2) - second.mean(-2) for first, second in parts]
    return _pooled([(_over(each), each.shape[-1] - 1) for each in differences])


def _with_floor(components: Components, share: float, floor: float) -> tuple[Floats, Floats]:
    """The variance and its degrees of freedom; below `share` of the larger component it is `floor` times that."""
    larger = np.maximum(components.seeds, components.items)
    variance = np.where(components.sum < share * larger, floor * larger, components.sum)
    variance = np.where((larger == 0) & (components.residual > 0), components.residual, variance)
    pieces = [
        (components.seeds, components.seeds_df),
        (components.items, components.items_df),
        (components.residual, components.residual_df),
    ]
    return variance, _satterthwaite(variance, pieces)


def _residual(values: Floats) -> tuple[Floats, float]:
    """MS_residual/(S·I) of (n, seeds, items) and its degrees of freedom."""
    seeds, items = values.shape[-2:]
    rows, columns, mean = values.mean(-1), values.mean(-2), values.mean((-2, -1))
    total = np.einsum("...si,...si->...", values, values) - seeds * items * mean**2
    between = items * ((rows - mean[..., None]) ** 2).sum(-1) + seeds * ((columns - mean[..., None]) ** 2).sum(-1)
    freedom = (seeds - 1) * (items - 1)
    return np.maximum(total - between, 0.0) / freedom / (seeds * items), freedom


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
