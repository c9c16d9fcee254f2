"""Paired tests against scipy, statsmodels and numbers worked by hand."""

import math

import numpy as np
import pytest
from scipy import stats

from runner.score.inference import detectable_shift, paired_test


def test_by_hand() -> None:
    # differences 1, 2, 3, 2: mean 2, s² = (1 + 0 + 1 + 0)/3 = 2/3, SE = √(2/3)/2
    found = paired_test([3, 5, 7, 9], [2, 3, 4, 7])
    assert found.difference == pytest.approx(2)
    assert found.se == pytest.approx(math.sqrt(2 / 3) / 2)
    assert found.t == pytest.approx(2 / (math.sqrt(2 / 3) / 2))
    assert found.d_z == pytest.approx(2 / math.sqrt(2 / 3))
    # s²_a of 3, 5, 7, 9 is 20/3; s²_b of 2, 3, 4, 7 is 14/3; pooled √(17/3)
    assert found.d_pooled == pytest.approx(2 / math.sqrt(17 / 3))
    # t_{0.975, 3} = 3.18245
    assert found.low == pytest.approx(2 - 3.18245 * found.se, abs=1e-5)


def test_agrees_with_scipy() -> None:
    rng = np.random.default_rng(3)
    a, b = rng.normal(0.7, 0.1, 16), rng.normal(0.68, 0.1, 16)
    ours, theirs = paired_test(a, b), stats.ttest_rel(a, b)
    low, high = theirs.confidence_interval(0.95)
    assert (ours.t, ours.p, ours.df) == (pytest.approx(theirs.statistic), pytest.approx(theirs.pvalue), 15)
    assert (ours.low, ours.high) == (pytest.approx(low), pytest.approx(high))


@pytest.mark.parametrize("unit", [1e-200, 1e200, 1e300])
def test_values_of_any_size_are_tested(unit: float) -> None:
    a, b = np.array([3.0, 5.0, 7.0, 9.0]), np.array([2.0, 3.0, 4.0, 7.0])
    ours, usual = paired_test(a * unit, b * unit), paired_test(a, b)
    for name in ("mean_a", "mean_b", "difference", "se", "low", "high", "detectable"):
        assert getattr(ours, name) == pytest.approx(unit * getattr(usual, name), rel=1e-12, abs=0), name
    for name in ("n", "t", "df", "p", "d_z", "d_pooled"):
        assert getattr(ours, name) == pytest.approx(getattr(usual, name), rel=1e-12), name


@pytest.mark.parametrize("n", [3, 16, 67])
def test_power_agrees_with_statsmodels(n: int) -> None:
    power = pytest.importorskip("statsmodels.stats.power", reason="statsmodels is not installed")
    effect = power.TTestPower().solve_power(nobs=n, alpha=0.05, power=0.8)
    assert detectable_shift(n - 1) / math.sqrt(n) == pytest.approx(effect, rel=1e-5)
    rng = np.random.default_rng(n)
    a, b = rng.normal(0, 1, n), rng.normal(0, 1, n)
    assert paired_test(a, b).detectable == pytest.approx(effect * (a - b).std(ddof=1), rel=1e-5)


def test_what_cannot_be_tested_says_so() -> None:
    assert paired_test([1.0], [0.5]).note == "one unit: no test"
    same = paired_test([0.5, 0.6, 0.7], [0.4, 0.5, 0.6])
    assert same.p is None and same.difference == pytest.approx(0.1)
    assert same.note == "all differences are equal: no test"
    with pytest.raises(ValueError, match="same units"):
        paired_test([1.0, 2.0], [1.0])
