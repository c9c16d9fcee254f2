"""Differences, intervals and corrections against numbers worked by hand or known from the literature."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runner.score import inference
from runner.score.inference import (
    benjamini_hochberg,
    bootstrap,
    detectable_shift,
    holm,
    paired,
    pearson,
    pooled_sd,
    welch,
)


def test_welch_by_hand() -> None:
    # a: mean 0.6, s² = 0.01; b: mean 0.8, s² = 0.0004; SE² = 0.0104/3
    found = welch([0.5, 0.6, 0.7], [0.78, 0.80, 0.82])
    assert found.delta == pytest.approx(-0.2)
    assert found.se == pytest.approx(math.sqrt(0.0104 / 3))
    # df = (0.0104/3)² / ((0.01/3)²/2 + (0.0004/3)²/2) = 0.0104² · 2 / (0.01² + 0.0004²)
    assert found.df == pytest.approx(2 * 0.0104**2 / (0.01**2 + 0.0004**2))
    # t_{0.975, 2.1599} = 4.0124 (between 4.3027 at 2 and 3.1824 at 3)
    assert found.low == pytest.approx(-0.2 - 4.0124 * found.se, abs=1e-4)
    assert found.high == pytest.approx(-0.2 + 4.0124 * found.se, abs=1e-4)


def test_welch_agrees_with_scipy() -> None:
    from scipy import stats

    a, b = [0.61, 0.58, 0.66, 0.63], [0.70, 0.64, 0.71]
    theirs = stats.ttest_ind(a, b, equal_var=False)
    ours = welch(a, b)
    low, high = theirs.confidence_interval(0.95)
    assert ours.p == pytest.approx(theirs.pvalue)
    assert (ours.low, ours.high) == (pytest.approx(low), pytest.approx(high))


@pytest.mark.parametrize("unit", [1e-200, 1e-100, 1e90, 1e200, 1e300])
def test_values_of_any_size_have_their_statistics(unit: float) -> None:
    """Squares of such values do not fit a float."""
    a, b = np.array([5.0, 6.0, 7.5, 6.2]), np.array([7.8, 8.0, 8.2, 9.0])
    first, second = (dict(enumerate(side)) for side in (a, b))
    large, larger = (dict(enumerate(side * unit)) for side in (a, b))
    whole, usual = paired(large, larger), paired(first, second)
    assert whole is not None and usual is not None
    assert whole.correlation == pytest.approx(usual.correlation, rel=1e-12)
    for found, known in ((welch(a * unit, b * unit), welch(a, b)), (whole, usual)):
        for name in ("delta", "mean_a", "mean_b", "se", "low", "high"):
            assert getattr(found, name) == pytest.approx(unit * getattr(known, name), rel=1e-12, abs=0), name
        assert (found.df, found.p) == (pytest.approx(known.df, rel=1e-12), pytest.approx(known.p, rel=1e-12))
    assert pearson(a * unit, b) == pytest.approx(np.corrcoef(a, b)[0, 1], rel=1e-12)
    assert pooled_sd([a * unit, b * unit]) == pytest.approx(unit * pooled_sd([a, b]), rel=1e-12, abs=0)
    flat = welch([unit, unit], [2 * unit, 2 * unit])
    assert (flat.delta, flat.low, flat.se, flat.note) == (-unit, -unit, 0.0, "no variance between seeds")


def test_one_seed_has_no_interval_and_says_so() -> None:
    found = welch([0.5], [0.7, 0.8])
    assert found.delta == pytest.approx(-0.25)
    assert (found.low, found.high, found.p, found.se) == (None, None, None, None)
    assert "one seed" in found.note
    with pytest.raises(ValueError, match="at least one"):
        welch([], [1.0])


def test_no_variance_is_degenerate_not_certain() -> None:
    same = welch([1.0, 1.0], [1.0, 1.0])
    assert (same.low, same.high, same.p) == (0.0, 0.0, 1.0)
    lower = welch([0.5, 0.5], [1.0, 1.0])
    assert (lower.low, lower.high, lower.p) == (-0.5, -0.5, None)
    assert "no variance" in lower.note


def test_paired_by_hand() -> None:
    # differences −0.1, −0.2, −0.3: mean −0.2, sd 0.1, SE 0.1/√3, t_{0.975,2} = 4.3027
    found = paired({1: 0.5, 2: 0.6, 3: 0.4, 9: 0.0}, {1: 0.6, 2: 0.8, 3: 0.7})
    assert found is not None
    assert found.delta == pytest.approx(-0.2)
    assert found.high == pytest.approx(-0.2 + 4.302653 * 0.1 / math.sqrt(3), abs=1e-6)
    assert found.correlation is None  # three seeds
    assert paired({1: 0.5}, {2: 0.5}) is None
    four = paired({1: 1.0, 2: 2.0, 3: 3.0, 4: 4.0}, {1: 1.0, 2: 3.0, 3: 2.0, 4: 4.0})
    assert four is not None and four.correlation == pytest.approx(0.8)
    assert paired({1: 0.5}, {1: 0.7}).low is None


def test_holm_and_benjamini_hochberg_by_hand() -> None:
    p = [0.01, 0.04, 0.03, None, 0.005]
    # sorted .005 .01 .03 .04 × 4 3 2 1 = .02 .03 .06 .04→.06
    assert holm(p) == [pytest.approx(0.03), pytest.approx(0.06), pytest.approx(0.06), None, pytest.approx(0.02)]
    # × 4/1 4/2 4/3 4/4 = .02 .02 .04 .04
    assert benjamini_hochberg(p) == [
        pytest.approx(0.02),
        pytest.approx(0.04),
        pytest.approx(0.04),
        None,
        pytest.approx(0.02),
    ]
    assert holm([]) == []
    assert holm([0.9, 0.8]) == [1.0, 1.0]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_corrections_order_and_dominate(p: list[float]) -> None:
    step_down, fdr = holm(p), benjamini_hochberg(p)
    for raw, strict, loose in zip(p, step_down, fdr, strict=True):
        assert raw <= loose + 1e-12 <= strict + 2e-12 <= 1 + 3e-12
    by_p = [step_down[i] for i in sorted(range(len(p)), key=p.__getitem__)]
    assert by_p == sorted(by_p)


def test_detectable_shift_known_values() -> None:
    # Cohen's table: n = 17 a side finds d = 1.0 with power .80 (two-sided .05); 5 a side needs d = 2.02
    assert detectable_shift(32, 0.05, 0.8) * math.sqrt(2 / 17) == pytest.approx(0.991, abs=0.005)
    assert detectable_shift(8, 0.05, 0.8) * math.sqrt(2 / 5) == pytest.approx(2.024, abs=0.01)


def test_detectable_shift_by_simulation() -> None:
    from scipy import stats

    shift = detectable_shift(4, 0.05, 0.8) * math.sqrt(2 / 3)
    rng = np.random.default_rng(5)
    a, b = rng.normal(shift, 1, (20_000, 3)), rng.normal(0, 1, (20_000, 3))
    assert (stats.ttest_ind(a, b, axis=1).pvalue < 0.05).mean() == pytest.approx(0.8, abs=0.01)


def test_pooled_sd_by_hand() -> None:
    assert pooled_sd([[0.0, 2.0], [1.0, 1.0, 1.0], [5.0]]) == pytest.approx(math.sqrt(2 / 3))
    assert pooled_sd([[1.0], []]) is None


def test_pearson() -> None:
    assert pearson([1, 2, 3, 4, float("nan")], [2, 4, 6, 8, 0]) == pytest.approx(1.0)
    assert pearson([1, 2, 3, 4], [1, 3, 2, 4]) == pytest.approx(0.8)
    assert pearson([1, 2, 3, float("nan")], [2, 4, 6, 0]) is None
    assert pearson([1, 1, 1, 1], [1, 2, 3, 4]) is None


def test_bootstrap_is_repeatable_and_about_as_wide_as_theory_says() -> None:
    rng = np.random.default_rng(3)
    a = (rng.random((5, 400)) < 0.6).astype(float)
    b = (rng.random((5, 400)) < 0.7).astype(float)
    low, high = bootstrap(a, b)
    assert (low, high) == bootstrap(a.copy(), b.copy())
    assert low < a.mean() - b.mean() < high
    assert low == pytest.approx(-0.1, abs=0.08)
    assert 0.02 < high - low < 0.12


def test_bootstrap_one_seed_holds_items_alone() -> None:
    # one seed: a binomial over n items; the interval of a mean of n coin flips is ±1.96·√(p(1−p)/n)
    a = np.tile([0.0, 1.0], 200)[None, :]
    low, high = bootstrap(a, np.zeros((1, 400)))
    assert high - low == pytest.approx(2 * 1.96 * 0.5 / 20, rel=0.12)


def test_bootstrap_items_are_shared_and_missing_items_left_out() -> None:
    # the same decisions on both sides differ by nothing whatever items are drawn
    a = np.array([[0.0, 1.0, 1.0, np.nan, 0.5]] * 3)
    assert bootstrap(a, a) == (0.0, 0.0)
    assert bootstrap(np.full((2, 3), np.nan), np.ones((2, 3))) is None


def test_bootstrap_in_blocks_gives_the_same_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    a = (np.random.default_rng(8).random((3, 50)) < 0.6).astype(float)
    expected = bootstrap(a, 1 - a)
    monkeypatch.setattr(inference, "MAX_CACHED_ITEMS", 20)
    sizes = [weights.shape[1] for weights in inference._item_weights(50, 1000)]
    assert sizes == [400, 400, 200]
    assert bootstrap(a, 1 - a) == expected


def test_equal_up_to_rounding_is_no_variance() -> None:
    # 1/3 − 1, 0 − 2/3, 1/3 − 1 differ in their last bits; without care p would be 1e-33
    found = paired({1: 1 / 3, 2: 0.0, 3: 1 / 3}, {1: 1.0, 2: 2 / 3, 3: 1.0})
    assert found is not None
    assert (found.p, found.se) == (None, 0.0)
    assert welch([0.1 + 0.2, 0.3], [0.3, 0.1 + 0.2]).note == "no variance between seeds"
    # means of the same three values in another order: no difference, not one of 1e-17
    values = [0.1, 0.2, 0.7]
    assert welch(values, values[::-1]).delta == 0.0
    assert paired({1: 0.1 + 0.2, 2: 0.5}, {1: 0.3, 2: 0.5}).p == 1.0
    assert pearson([0.3, 0.1 + 0.2, 0.3, 0.3], [1, 2, 3, 4]) is None
