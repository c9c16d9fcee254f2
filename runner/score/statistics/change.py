"""The change in accuracy between two conditions, where both seeds and items are samples.

The estimand is the mean change over the populations of seeds and of items (Clark 1973). Each component of the variance
is a mean square of a two-way layout without replication; degrees of freedom are Satterthwaite's (1946). The covariance
between the two sides of the same seed is shrunk towards zero (Schäfer and Strimmer 2005), by a share that does not
depend on the data. `benchmarks/coverage.py` simulates the coverage of the intervals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import special  # has the distributions of scipy.stats, which takes a second to load

from runner.score.statistics.components import (
    Floats,
    Paradigm,
    agreeing_items,
    over_items,
    paired_seeds,
    satterthwaite,
    shrunk_components,
    summarize_paradigm,
    unpaired_components,
    unpaired_seeds,
    with_floor,
)

Design = Literal["paired", "unpaired", "common variance", "items"]
Verdict = Literal["fell", "fell within margin", "rose", "rose within margin", "held", "undecided", "not tested"]
MIN_AGREEING_SEEDS = 5  # with fewer, equal decisions of all seeds do not show that an accuracy held
MIN_PAIRED_SEEDS = 4  # common seeds: with fewer, the variance of paired differences has too few degrees of freedom


@dataclass(frozen=True, slots=True)
class Change:
    """mean(a) − mean(b) with an interval and a two-sided p-value; values are shares between −1 and 1.

    `design` is "paired" over common seeds, "unpaired" over the seeds of each side, "common variance" over those of both
    sides, or "items" for one seed on both sides.
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
    """Estimate the mean change over one or more paradigms.

    `a[p]` and `b[p]` are decisions in 0–1, shape (seeds, items). An item that is NaN in any row is left out on both
    sides. All `a[p]` have the same seeds, and so do all `b[p]`; if `paired`, row s of `a` and row s of `b` have the
    same seed. The mean over paradigms is unweighted and computed for each seed first. Paradigms are fixed; items are
    nested in them. With at least 4 common seeds, the differences are paired. With 2 or 3, or if not `paired`, each side
    has its own variance over seeds. If one side has fewer than 4 seeds and the other side more than it, a seed has the
    same variance on both sides. With one seed on both sides, the interval is over items only. The interval lies within
    ±`bound`, which callers set to infinity for values other than decisions.

    Returns None without paradigms, or if a paradigm has fewer than two common items.
    """
    sides = [_common_items(first, second) for first, second in zip(a, b, strict=True)]
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
        variance, df = with_floor(shrunk_components(paradigms))
    else:
        variance, df = with_floor(unpaired_components(paradigms, common=design == "common variance"))
    return estimate, np.sqrt(variance), df


def variance_over_seeds(first: Floats, second: Floats, *, paired: bool) -> tuple[Floats, Floats]:
    """Return V_seed of the mean changes of n data sets and its degrees of freedom.

    `first` and `second` are means by seed, (n, seeds). With one seed on both sides, V_seed is unknown and counts as 0.
    """
    design = design_of((first.shape[-1], second.shape[-1]), paired=paired)
    if design == "items":
        return np.zeros(len(first)), np.ones(len(first))
    if design == "paired":
        return paired_seeds(first, second)
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
    share, divided by the number of paradigms, is the half-width if nothing else varies; else its square is added to
    that of t·se. Without such a paradigm, an interval without variance has no width, and p is 1 for no change and 0
    otherwise.
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
    """Generalise the unweighted mean over paradigms to other phenomena and seeds.

    `changes` has shape (paradigms,). The variance is the sum of two. One is CR2, the cluster-robust variance of a
    regression on a constant, clustered by phenomenon, with Satterthwaite's degrees of freedom (Bell and McCaffrey 2002;
    Pustejovsky and Tipton 2018). `over_seeds` is the other, with its degrees of freedom: `variance_over_seeds` of the
    mean over paradigms, since a seed can change all phenomena alike. In the result, `items` is the number of paradigms,
    and `seeds` is (0, 0). Returns None for fewer than 8 phenomena.
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
    """Return the verdict of an interval: fell or rose if it excludes zero and Holm's p is ≤ alpha.

    The accuracy fell or rose within the margin if the interval lies within ±margin. Any other interval within ±margin
    shows that the accuracy held. In all other cases, the verdict is "undecided". `margin` is a share, like the ends of
    the interval. It is None for an interval over seeds only, which does not generalise to other items and thus cannot
    show how large a change is.
    """
    if low is None or high is None:
        return "undecided"
    is_within = margin is not None and -margin < low and high < margin
    if (low > 0 or high < 0) and adjusted_p is not None and adjusted_p <= alpha:
        if high < 0:
            return "fell within margin" if is_within else "fell"
        return "rose within margin" if is_within else "rose"
    return "held" if is_within else "undecided"


def _common_items(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    known = ~(np.isnan(first).any(axis=0) | np.isnan(second).any(axis=0))
    return first[:, known], second[:, known]
