"""Pairs of values to Pearson's r with its interval, and two correlations with the same values to their comparison."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from runner.score.statistics.inference import pearson


@dataclass(frozen=True, slots=True)
class Correlation:
    """Pearson's r over n pairs; interval and p are None below four pairs."""

    r: float
    n: int
    low: float | None = None
    high: float | None = None
    p: float | None = None


def correlation(x: ArrayLike, y: ArrayLike, confidence: float = 0.95) -> Correlation | None:
    """r over the positions where both are finite, None below three of them or without variance.

    The interval is tanh(atanh r ± z/√(n − 3)) (Fisher 1921); p is two-sided from t = r√((n − 2)/(1 − r²)) with n − 2
    degrees of freedom.
    """
    first, second = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    r, n = pearson(first, second), int((np.isfinite(first) & np.isfinite(second)).sum())
    if r is None:
        return None
    if n < 4:
        return Correlation(r, n)
    if abs(r) >= 1:
        return Correlation(r, n, r, r, 0.0)
    z, half = math.atanh(r), float(stats.norm.ppf((1 + confidence) / 2)) / math.sqrt(n - 3)
    p = float(2 * stats.t.sf(abs(r) * math.sqrt((n - 2) / (1 - r * r)), n - 2))
    return Correlation(r, n, math.tanh(z - half), math.tanh(z + half), p)


@dataclass(frozen=True, slots=True)
class Williams:
    """A test whether two correlations with the same variable differ; `p_greater` is for r12 > r13."""

    t: float
    df: int
    p: float
    p_greater: float


def williams(r12: float, r13: float, r23: float, n: int) -> Williams | None:
    """Williams' test (1959; Steiger 1980, eq. 7): is r12 another than r13, when 2 and 3 correlate with r23?

    t = (r12 − r13)·√((n − 1)(1 + r23) / (2·(n − 1)/(n − 3)·|R| + r̄²(1 − r23)³)), df = n − 3,
    with r̄ = (r12 + r13)/2 and |R| = 1 − r12² − r13² − r23² + 2·r12·r13·r23. None below four pairs, where the three
    correlations cannot stand together (|R| < 0), or where variables 2 and 3 are the same.
    """
    determinant = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    if n < 4 or determinant < -1e-12:
        return None
    below = 2 * (n - 1) / (n - 3) * max(determinant, 0.0) + ((r12 + r13) / 2) ** 2 * (1 - r23) ** 3
    if below <= 0:
        return None
    t = (r12 - r13) * math.sqrt((n - 1) * (1 + r23) / below)
    return Williams(t, n - 3, float(2 * stats.t.sf(abs(t), n - 3)), float(stats.t.sf(t, n - 3)))
