"""The paired t test, with effect sizes and the smallest detectable difference."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from runner.score.statistics.scaling import scale_of


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
        """Return the test of the values multiplied by `scale`."""
        names = ("mean_a", "mean_b", "difference", "se", "low", "high", "detectable")
        known = {name: value for name in names if (value := getattr(self, name)) is not None}
        return replace(self, **{name: scale * value for name, value in known.items()})


def paired_test(a: ArrayLike, b: ArrayLike, confidence: float = 0.95, alpha: float = 0.05) -> Paired:
    """Return the paired t test t = d̄ / (s_d/√n) with n − 1 degrees of freedom and two-sided p (Student 1908).

    d = a − b for each unit. The interval is d̄ ± t_{n−1,(1+confidence)/2}·s_d/√n. There are two effect sizes: d_z =
    d̄/s_d for a paired test (Cohen 1988, p. 48) and d_pooled = d̄/√((s²_a + s²_b)/2), which treats the sides as
    independent (Cohen's d in the notebook of Patil et al. 2024). `detectable` is the smallest |d̄| that a test at
    `alpha` with this s_d detects with power 0.8. With fewer than two units, or if all differences are equal, there is
    no test, and `note` gives the reason. Raises ValueError if the sides are empty or differ in length.
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
    rounding_error = 1e-12 * max(float(np.abs(first).max()), float(np.abs(second).max()))
    if sd <= rounding_error:
        return Paired(*means, note="all differences are equal: no test").times(scale)
    se = sd / math.sqrt(n)
    low, high, p = student(means[3], se, n - 1, confidence)
    pooled = math.sqrt((float(first.var(ddof=1)) + float(second.var(ddof=1))) / 2)
    return Paired(
        *means,
        se,
        low,
        high,
        means[3] / se,
        n - 1,
        p,
        means[3] / sd,
        means[3] / pooled if pooled else None,
        detectable_shift(n - 1, alpha) * se,
    ).times(scale)


def student(difference: float, se: float, df: float, confidence: float) -> tuple[float, float, float]:
    """Return difference ± t_{df,(1+confidence)/2}·se (low, high) and the two-sided p (Student 1908)."""
    from scipy import special  # imported here, since cells that only score do not need it

    half_width = float(special.stdtrit(df, (1 + confidence) / 2)) * se
    return difference - half_width, difference + half_width, float(2 * special.stdtr(df, -abs(difference) / se))


@cache  # tables and figures need the same degrees of freedom repeatedly
def detectable_shift(df: float, alpha: float = 0.05, power: float = 0.8) -> float:
    """Return the noncentrality at which a two-sided t test with `df` degrees of freedom has this power.

    Solves P(|T| > t_{df,1−α/2}) = power for noncentral t (Cohen 1988), in standard errors of the mean.
    """
    from scipy import optimize, stats

    critical = float(stats.t.ppf(1 - alpha / 2, df))

    def excess_power(shift: float) -> float:
        opposite = float(stats.nct.cdf(-critical, df, shift))  # scipy returns NaN where the tail underflows
        return float(stats.nct.sf(critical, df, shift)) + (0.0 if math.isnan(opposite) else opposite) - power

    upper = critical
    while excess_power(upper) < 0:
        upper *= 2
    return float(optimize.brentq(excess_power, 1e-3, upper))
