"""Correlations against scipy, and Williams' test against numbers worked by hand and published ones."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from runner.score.measures import correlation, williams


def test_agrees_with_scipy() -> None:
    rng = np.random.default_rng(5)
    x = rng.normal(size=16)
    y = 0.6 * x + rng.normal(size=16)
    ours, theirs = correlation(x, y), stats.pearsonr(x, y)
    low, high = theirs.confidence_interval(0.95)
    assert ours is not None
    assert (ours.r, ours.p) == (pytest.approx(theirs.statistic), pytest.approx(theirs.pvalue))
    assert (ours.low, ours.high, ours.n) == (pytest.approx(low), pytest.approx(high), 16)


def test_three_pairs_have_no_correlation_and_missing_ones_do_not_count() -> None:
    assert correlation([1, 2, 3, math.nan], [1, 3, 2, 5]) is None
    found = correlation([1, 2, 3, 4, math.nan], [1, 3, 2, 4, 5])
    assert found is not None and (found.r, found.n) == (pytest.approx(0.8), 4)
    assert correlation([1, 1, 1, 1], [1, 2, 3, 4]) is None
    perfect = correlation([1, 2, 3, 4], [2, 4, 6, 8])
    assert perfect is not None and perfect.r == 1 and perfect.p == 0


def test_williams_by_hand() -> None:
    # n = 103, r12 = .4, r13 = .5, r23 = .1 (Steiger 1980's correlations):
    # |R| = 1 − .16 − .25 − .01 + 2·.4·.5·.1 = .62; below: 2·(102/100)·.62 + .45²·.9³ = 1.2648 + .1476225 = 1.4124225
    # t = −.1·√(102·1.1/1.4124225) = −.1·√79.4379
    found = williams(0.4, 0.5, 0.1, 103)
    assert found is not None
    assert found.t == pytest.approx(-0.1 * math.sqrt(102 * 1.1 / 1.4124225))
    assert found.t == pytest.approx(-0.89, abs=0.005)  # and as R's psych::r.test prints it: t −0.89, p 0.37
    assert found.p == pytest.approx(0.37, abs=0.006)
    assert found.df == 100
    assert found.p_greater == pytest.approx(1 - found.p / 2)


def test_williams_has_its_size_where_nothing_differs() -> None:
    """Of 2,000 draws with ρ12 = ρ13 some 5 % are significant at 5 %."""
    rng = np.random.default_rng(11)
    covariance = [[1, 0.5, 0.5], [0.5, 1, 0.7], [0.5, 0.7, 1]]
    rejected = 0
    for _ in range(2000):
        r = np.corrcoef(rng.multivariate_normal([0, 0, 0], covariance, 60).T)
        found = williams(r[0, 1], r[0, 2], r[1, 2], 60)
        assert found is not None
        rejected += found.p < 0.05
    assert 0.035 < rejected / 2000 < 0.065


@given(st.floats(-0.9, 0.9), st.floats(-0.9, 0.9), st.floats(-0.9, 0.9), st.integers(4, 500))
def test_williams_is_antisymmetric(r12: float, r13: float, r23: float, n: int) -> None:
    one, other = williams(r12, r13, r23, n), williams(r13, r12, r23, n)
    assert (one is None) == (other is None)
    if one is not None and other is not None:
        assert one.t == pytest.approx(-other.t)
        assert one.p == pytest.approx(other.p)
    determinant = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    assert (one is None) == (determinant < -1e-12)


def test_williams_asks_for_four_pairs() -> None:
    assert williams(0.3, 0.2, 0.1, 3) is None
    assert williams(0.5, 0.5, 1.0, 30) is None
