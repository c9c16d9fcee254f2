"""Two values a unit to a paired t test with its effect sizes and what it could have detected at all."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike
from scipy import optimize, stats

from runner.score.statistics.scaling import scale_of


@dataclass(frozen=True, slots=True)
class Paired:
    """mean(a) − mean(b) over n units that both sides have; None where a value is not defined."""

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

    def times(self, unit: float) -> Paired:
        """The same test, of values that are `unit` times as large."""
        names = ("mean_a", "mean_b", "difference", "se", "low", "high", "detectable")
        known = {name: value for name in names if (value := getattr(self, name)) is not None}
        return replace(self, **{name: unit * value for name, value in known.items()})


def paired_test(a: ArrayLike, b: ArrayLike, confidence: float = 0.95, alpha: float = 0.05) -> Paired:
    """t = d̄ / (s_d/√n) with n − 1 degrees of freedom, d = a − b a unit; two-sided p (Student 1908).

    Interval d̄ ± t_{n−1,(1+confidence)/2}·s_d/√n. Two effect sizes: d_z = d̄/s_d, which belongs to a paired test
    (Cohen 1988, p. 48), and d_pooled = d̄/√((s²_a + s²_b)/2), as if the sides were independent (Cohen's d as the FiCT
    notebook has it). `detectable` is the smallest |d̄| that a test at `alpha` with this s_d finds four times in five.
    Below two units, or where all differences are equal, there is no test, and `note` says so.
    """
    first, second = (np.asarray(side, dtype=np.float64).reshape(-1) for side in (a, b))
    if len(first) != len(second) or not len(first):
        raise ValueError("a paired test needs the same units on both sides, at least one")
    unit = scale_of(first, second)
    first, second = first / unit, second / unit
    n, each = len(first), first - second
    base = (n, float(first.mean()), float(second.mean()), float(each.mean()))
    if n < 2:
        return Paired(*base, note="one unit: no test").times(unit)
    spread = float(each.std(ddof=1))
    dust = 1e-12 * max(float(np.abs(first).max()), float(np.abs(second).max()))
    if spread <= dust:
        return Paired(*base, note="all differences are equal: no test").times(unit)
    se = spread / math.sqrt(n)
    low, high, p = student(base[3], se, n - 1, confidence)
    pooled = math.sqrt((float(first.var(ddof=1)) + float(second.var(ddof=1))) / 2)
    return Paired(
        *base,
        se,
        low,
        high,
        base[3] / se,
        n - 1,
        p,
        base[3] / spread,
        base[3] / pooled if pooled else None,
        detectable_shift(n - 1, alpha) * se,
    ).times(unit)


def student(difference: float, se: float, df: float, confidence: float) -> tuple[float, float, float]:
    """The interval difference ± t_{df,(1+confidence)/2}·se, low and high, and the two-sided p (Student 1908)."""
    half = float(stats.t.ppf((1 + confidence) / 2, df)) * se
    return difference - half, difference + half, float(2 * stats.t.sf(abs(difference) / se, df))


def detectable_shift(df: int, alpha: float = 0.05, power: float = 0.8) -> float:
    """The noncentrality at which a two-sided t test with `df` degrees of freedom has this power.

    Solves P(|T| > t_{df,1−α/2}) = power for T noncentral t (Cohen 1988); in standard errors of the mean.
    """
    critical = float(stats.t.ppf(1 - alpha / 2, df))

    def missing(shift: float) -> float:
        opposite = float(stats.nct.cdf(-critical, df, shift))  # scipy underflows to NaN where it is negligible
        return float(stats.nct.sf(critical, df, shift)) + (0.0 if math.isnan(opposite) else opposite) - power

    upper = critical
    while missing(upper) < 0:
        upper *= 2
    return float(optimize.brentq(missing, 1e-3, upper))
