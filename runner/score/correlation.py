"""Pearson correlations with confidence intervals, and Williams' test of two dependent correlations."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special  # has the distributions of scipy.stats, which takes a second to load

from runner.score.inference import pearson


@dataclass(frozen=True, slots=True)
class Correlation:
    """Pearson's r over n pairs of values, with its interval and p-value, or without them for dependent pairs."""

    r: float
    n: int
    low: float | None = None
    high: float | None = None
    p: float | None = None


def correlation(x: ArrayLike, y: ArrayLike, confidence: float = 0.95) -> Correlation | None:
    """Return Pearson's r over the positions where both values are finite.

    The interval is tanh(z ± q/√(n − 3)) with z = atanh r and the normal quantile q (Fisher 1921). p is two-sided, from
    t = r√((n − 2)/(1 − r²)) with n − 2 degrees of freedom. Returns None as `pearson` does.
    """
    first, second = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    r, n = pearson(first, second), int((np.isfinite(first) & np.isfinite(second)).sum())
    if r is None:
        return None
    if abs(r) >= 1:
        return Correlation(r, n, r, r, 0.0)
    z, half_width = math.atanh(r), float(special.ndtri((1 + confidence) / 2)) / math.sqrt(n - 3)
    p = float(2 * special.stdtr(n - 2, -abs(r) * math.sqrt((n - 2) / (1 - r * r))))
    return Correlation(r, n, math.tanh(z - half_width), math.tanh(z + half_width), p)


@dataclass(frozen=True, slots=True)
class Williams:
    """A test of the difference of two correlations that share a variable. `p_greater` is one-sided, for r12 > r13."""

    t: float
    df: int
    p: float
    p_greater: float


def williams(r12: float, r13: float, r23: float, n: int) -> Williams | None:
    """Test whether r12 differs from r13, given the correlation r23 (Williams 1959; Steiger 1980, eq. 7).

    t = (r12 − r13)·√((n − 1)(1 + r23) / (2·(n − 1)/(n − 3)·|R| + r̄²(1 − r23)³)), df = n − 3,
    with r̄ = (r12 + r13)/2 and |R| = 1 − r12² − r13² − r23² + 2·r12·r13·r23. Returns None for fewer than four pairs,
    for inconsistent correlations (|R| < 0), and if the denominator is zero, for example because r23 is 1.
    """
    determinant = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    if n < 4 or determinant < -1e-12:
        return None
    denominator = 2 * (n - 1) / (n - 3) * max(determinant, 0.0) + ((r12 + r13) / 2) ** 2 * (1 - r23) ** 3
    if denominator <= 0:
        return None
    t = (r12 - r13) * math.sqrt((n - 1) * (1 + r23) / denominator)
    return Williams(t, n - 3, float(2 * special.stdtr(n - 3, -abs(t))), float(special.stdtr(n - 3, -t)))
