"""Intervals over seeds and items: their limits are the classical tests, and they cover what they should."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from benchmarks.coverage import Cell, cells, simulate
from runner.score.change import (
    change,
    design_of,
    interval,
    over_items,
    over_phenomena,
    summarize_paradigm,
    unpaired_components,
    variance_over_seeds,
    verdict,
)


def decisions(rng: np.random.Generator, seeds: int, items: int, accuracy: float = 0.7) -> np.ndarray:
    return (rng.random((seeds, items)) < accuracy).astype(float)


def residual(values: np.ndarray) -> float:
    """MS_residual/(S·I), from the deviations themselves."""
    seeds, items = values.shape
    left = values - values.mean(1, keepdims=True) - values.mean(0, keepdims=True) + values.mean()
    return float((left**2).sum() / ((seeds - 1) * (items - 1)) / (seeds * items))


def variance_of_mean(values: np.ndarray) -> float:
    return float(values.var(ddof=1) / len(values))


def test_without_variance_between_items_it_is_the_paired_t_test_with_95_percent_of_the_covariance() -> None:
    rng = np.random.default_rng(1)
    a, b = (np.repeat(rng.random((5, 1)), 30, axis=1) for _ in range(2))
    found = change([a], [b], paired=True)
    covariance = np.cov(a[:, 0], b[:, 0])
    se = np.sqrt((covariance[0, 0] + covariance[1, 1] - 2 * 0.95 * covariance[0, 1]) / 5)
    middle = (a - b).mean()
    assert found is not None
    assert (found.low, found.high) == pytest.approx(stats.t.interval(0.95, 4, middle, se))
    assert (found.p, found.df) == pytest.approx((2 * stats.t.sf(abs(middle) / se, 4), 4))


def test_four_seeds_or_more_written_out() -> None:
    """Two paradigms with other items: the mean over paradigms is taken per seed first, and everything has 1/2²."""
    rng = np.random.default_rng(3)
    general = rng.normal(0, 0.2, (6, 1))
    a = [np.float64(rng.random((6, items)) < 0.7 + general) for items in (9, 14)]
    b = [np.float64(rng.random((6, items)) < 0.6 + 0.8 * general) for items in (9, 14)]
    found = change(a, b, paired=True)
    mean_a, mean_b = (np.mean([part.mean(1) for part in side], axis=0) for side in (a, b))
    paired, apart = variance_of_mean(mean_a - mean_b), variance_of_mean(mean_a) + variance_of_mean(mean_b)
    both = [first - second for first, second in zip(a, b, strict=True)]
    over_items = [variance_of_mean(each.mean(0)) / 4 for each in both]
    left = [residual(each) / 4 for each in both]
    left_apart = sum(residual(each) / 4 for each in (*a, *b))
    seeds, rest = 0.95 * paired + 0.05 * apart, 0.95 * sum(left) + 0.05 * left_apart
    variance = seeds + sum(over_items) - rest
    freedom = [
        sum(parts) ** 2 / sum(part**2 / df for part, df in zip(parts, dfs, strict=True))
        for parts, dfs in ((over_items, (8, 13)), (left, (5 * 8, 5 * 13)))
    ]
    df = variance**2 / (seeds**2 / 5 + sum(over_items) ** 2 / freedom[0] + rest**2 / freedom[1])
    assert variance > 0.5 * max(seeds, sum(over_items))
    assert found is not None and found.design == "paired"
    assert (found.se, found.df) == pytest.approx((np.sqrt(variance), df))


@pytest.mark.parametrize("seeds", [3, 5])
def test_the_variance_is_at_least_half_of_the_larger_part(seeds: int) -> None:
    """Every seed is right as often, and every item: the residual is larger than both parts together."""
    a = np.float64((np.arange(6) + np.arange(seeds)[:, None]) % 2 == 0)
    a[0, :2] = 1 - a[0, :2] * [1, 0]
    b = np.zeros_like(a)
    found = change([a], [b], paired=True)
    over_seeds, over_items = variance_of_mean(a.mean(1)), variance_of_mean(a.mean(0))
    assert over_seeds + over_items - residual(a) < 0.5 * max(over_seeds, over_items)
    assert found is not None
    assert found.se**2 == pytest.approx(0.5 * max(over_seeds, over_items))


def test_without_variance_between_seeds_it_is_the_t_test_over_items() -> None:
    rng = np.random.default_rng(1)
    a, b = (np.repeat(decisions(rng, 1, 40), 6, axis=0) for _ in range(2))
    found, alone = change([a], [b], paired=True), change([a[:1]], [b[:1]], paired=True)
    expected = stats.ttest_1samp((a - b)[0], 0)
    low, high = expected.confidence_interval()
    assert found is not None and alone is not None
    assert (found.low, found.high, found.p, found.df) == pytest.approx((low, high, expected.pvalue, 39))
    assert (alone.low, alone.high) == pytest.approx((low, high)) and alone.design == "items"


@pytest.mark.parametrize("seeds", [1, 2, 4])
@pytest.mark.parametrize("items", [5, 50, 1_000])
def test_items_that_all_agree_have_the_exact_interval_of_none(seeds: int, items: int) -> None:
    same = np.ones((seeds, items))
    found = change([same], [same], paired=True)
    high = stats.binomtest(0, items).proportion_ci(0.95).high
    assert found is not None
    assert (found.low, found.estimate, found.high, found.p) == pytest.approx((-high, 0, high, 1))


@pytest.mark.parametrize("varies", [False, True])
def test_a_mean_is_as_uncertain_as_its_smallest_paradigm(varies: bool) -> None:
    """Five items that all agree say little about others, though a thousand items of another paradigm agree too."""
    large = np.ones((3, 1000))
    if varies:
        large[0, :5] = large[1, 3:8] = large[2, 1:4] = 0
    sides = [np.ones((3, 5)), large]
    found = change(sides, [np.ones((3, 5)), np.ones((3, 1000))], paired=True)
    unseen = stats.binomtest(0, 5).proportion_ci(0.95).high / 2
    assert found is not None
    t = stats.t.ppf(0.975, found.df)
    assert found.high - found.estimate == pytest.approx(np.hypot(t * found.se, unseen))
    assert (found.se > 0) == varies and unseen > 0.25
    if not varies:
        low, high, p = interval(np.array([unseen]), np.zeros(1), np.ones(1), 0.95, 1.0, np.array([5.0]), 2)
        assert (low[0], high[0], p[0]) == pytest.approx((0, 2 * unseen, 0.05), abs=1e-9)


def test_all_items_that_change_leave_no_doubt() -> None:
    found = change([np.zeros((1, 5))], [np.ones((1, 5))], paired=True)
    low = stats.binomtest(5, 5).proportion_ci(0.95).low
    assert found is not None
    assert (found.low, found.estimate, found.high, found.p) == pytest.approx((-1, -1, -low, 0))


@pytest.mark.parametrize("seeds", [3, 6, 7])
def test_means_that_differ_only_by_rounding_do_not_vary(seeds: int) -> None:
    one_wrong_seed = np.ones((seeds, 201))
    one_wrong_seed[0] = 0
    variance, _ = over_items([summarize_paradigm(np.ones((1, 1, 201)), one_wrong_seed[None])])
    assert variance[0] == 0


def test_equal_means_of_seeds_and_of_items_leave_the_variance_of_the_residual() -> None:
    each_seed_fails_elsewhere = np.tile(1 - np.eye(3), 20)
    found = change([np.ones((3, 60))], [each_seed_fails_elsewhere], paired=False)
    assert found is not None
    assert found.se == pytest.approx(np.sqrt(residual(each_seed_fails_elsewhere)))


def test_few_equal_decisions_are_not_held() -> None:
    few, many = (change([np.ones((1, items))], [np.ones((1, items))], paired=True) for items in (5, 200))
    assert few is not None and many is not None
    assert verdict(few.low, few.high, 0.05, few.p) == "undecided"
    assert verdict(many.low, many.high, 0.05, many.p) == "held"


def test_many_items_without_pairing_give_welch_over_seeds() -> None:
    rng = np.random.default_rng(1)
    a, b = (np.repeat(rng.random((3, 1)), 50, axis=1) for _ in range(2))
    found = change([a], [b], paired=False)
    expected = stats.ttest_ind(a[:, 0], b[:, 0], equal_var=False)
    low, high = expected.confidence_interval()
    assert found is not None
    assert (found.low, found.high) == pytest.approx((max(low, -1), min(high, 1)))
    assert (found.p, found.df) == pytest.approx((expected.pvalue, expected.df))


def test_the_components_by_hand() -> None:
    # differences [[1, 0], [0, 0], [1, 1], [0, 1]]: seed means ½, 0, 1, ½; item means ½, ½
    a = np.array([[1.0, 0.0], [0.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    found = change([a], [np.zeros((4, 2))], paired=True)
    assert found is not None
    # V_seed = (1/6)/4 = 1/24, V_item = 0, V_residual = MS/(S·I) = (1/3)/8 = 1/24; the sum is 0: half the larger, 1/48
    assert (found.estimate, found.se) == pytest.approx((0.5, np.sqrt(1 / 48)))


def test_paradigms_are_averaged_seed_by_seed() -> None:
    rng = np.random.default_rng(1)
    a = [np.repeat(rng.random((4, 1)), 20, axis=1) for _ in range(3)]
    b = [np.zeros((4, 20))] * 3
    found = change(a, b, paired=True)
    expected = stats.ttest_1samp(np.mean([each[:, 0] for each in a], axis=0), 0)
    assert found is not None
    assert (found.estimate, found.p, found.items) == pytest.approx((expected._estimate, expected.pvalue, 60))


@pytest.mark.parametrize(
    ("seeds", "paired", "design"),
    [
        ((1, 1), True, "items"),
        ((1, 5), False, "common variance"),
        ((2, 8), False, "common variance"),
        ((2, 2), True, "unpaired"),
        ((3, 3), True, "unpaired"),
        ((4, 4), True, "paired"),
        ((10, 10), False, "unpaired"),
        ((4, 5), True, "unpaired"),
    ],
)
def test_the_design_depends_on_the_numbers_of_seeds(seeds: tuple[int, int], paired: bool, design: str) -> None:
    assert design_of(seeds, paired=paired) == design


def test_items_without_a_decision_are_left_out_on_both_sides() -> None:
    rng = np.random.default_rng(1)
    a, b = decisions(rng, 5, 12), decisions(rng, 5, 12)
    a[2, 3] = b[0, 7] = np.nan
    kept = [i for i in range(12) if i not in (3, 7)]
    assert change([a], [b], paired=True) == change([a[:, kept]], [b[:, kept]], paired=True)
    assert change([np.full((5, 4), np.nan)], [np.ones((5, 4))], paired=True) is None


@given(
    st.sampled_from([(1, 1), (2, 2), (3, 3), (4, 4), (2, 5), (6, 6)]),
    st.integers(2, 12),
    st.booleans(),
    st.data(),
)
def test_every_table_of_decisions_has_an_interval(
    seeds: tuple[int, int], items: int, paired: bool, data: st.DataObject
) -> None:
    values = st.sampled_from([0.0, 0.5, 1.0])
    a, b = (data.draw(arrays(np.float64, (number, items), elements=values)) for number in seeds)
    found, mirrored = change([a], [b], paired=paired), change([b], [a], paired=paired)
    assert found is not None and mirrored is not None
    assert -1 <= found.low <= found.estimate <= found.high <= 1
    assert 0 <= found.p <= 1
    assert (found.p < 0.05) == (found.low > 0 or found.high < 0) or found.p == pytest.approx(0.05)
    assert (-mirrored.estimate, -mirrored.high, -mirrored.low) == pytest.approx(
        (found.estimate, found.low, found.high), abs=1e-12
    )
    if found.low == found.high and found.design != "items":
        assert len(np.unique(a.mean(0) - b.mean(0))) == 1


def test_phenomena_of_one_paradigm_each_give_the_t_test() -> None:
    rng = np.random.default_rng(1)
    changes = rng.normal(size=9)
    found = over_phenomena(changes, [str(i) for i in range(9)])
    expected = stats.ttest_1samp(changes, 0)
    assert found is not None
    assert (found.p, found.df) == pytest.approx((expected.pvalue, 8))
    assert over_phenomena(changes, ["a", *map(str, range(6)), "5", "5"]) is None


def test_seeds_that_move_all_phenomena_widen_the_interval_over_them() -> None:
    changes, phenomena = np.linspace(-0.01, 0.01, 9), [str(i) for i in range(9)]
    by_seed = np.array([[-0.06, 0.0, 0.06]]), np.array([[0.02, 0.0, -0.02]])
    for paired, rows in ((False, 3), (True, 4)):
        first, second = (np.resize(side, (1, rows)) for side in by_seed)
        variance, df = variance_over_seeds(first, second, paired=paired)
        alone = over_phenomena(changes, phenomena)
        found = over_phenomena(changes, phenomena, 0.95, (float(variance[0]), float(df[0])))
        assert alone is not None and found is not None
        assert found.se**2 == pytest.approx(alone.se**2 + variance[0])
        assert found.df == pytest.approx(found.se**4 / (alone.se**4 / alone.df + variance[0] ** 2 / df[0]))
    assert variance_over_seeds(by_seed[0], by_seed[1], paired=False)[0][0] == pytest.approx(0.0036 / 3 + 0.0004 / 3)


def test_one_seed_has_the_variance_of_the_other_side() -> None:
    rng = np.random.default_rng(3)
    one, five = decisions(rng, 1, 40), decisions(rng, 5, 40)
    found, mirrored = change([one], [five], paired=False), change([five], [one], paired=False)
    assert found is not None and mirrored is not None
    assert (found.design, found.seeds, found.se, found.df) == ("common variance", (1, 5), mirrored.se, mirrored.df)
    components = unpaired_components([summarize_paradigm(one[None], five[None])], common=True)
    spread = five.mean(axis=1).var(ddof=1)
    assert (components.seeds[0], components.seeds_df[0]) == (pytest.approx(spread * (1 + 1 / 5)), 4)


@pytest.mark.parametrize(
    ("low", "high", "p", "expected"),
    [
        (-0.04, 0.03, 0.9, "held"),
        (-0.04, -0.01, 0.2, "held"),
        (-0.036, -0.014, 0.00003, "fell within margin"),
        (0.01, 0.04, 0.001, "rose within margin"),
        (-0.3, -0.1, 0.01, "fell"),
        (-0.3, -0.1, 0.06, "undecided"),
        (0.02, 0.2, 0.01, "rose"),
        (-0.2, 0.02, 0.1, "undecided"),
    ],
)
def test_verdicts(low: float, high: float, p: float, expected: str) -> None:
    assert verdict(low, high, 0.05, p) == expected
    over_seeds_only = {"held": "undecided"}.get(expected, expected.removesuffix(" within margin"))
    assert verdict(low, high, None, p) == over_seeds_only
    assert verdict(None, None, 0.05, p) == verdict(low, high, None, None) == "undecided"


@pytest.mark.parametrize(
    "cell",
    [
        Cell(5, 50, 0.75, 0.8, 0.7, 1.0, -0.05),
        Cell(3, 50, 0.55, 0.2, 0.0, 1.0, 0.0),
        Cell(4, 50, 0.75, 0.8, 0.7, 1.0, 0.0, paradigms=3),
    ],
)
def test_intervals_cover(cell: Cell) -> None:
    """The whole table is `python -m benchmarks.coverage`; 2,000 simulations know a share of 95 % to ±1.5 points."""
    assert cell in cells()
    (outcome,) = simulate([cell], 2000)
    assert outcome.coverage > 0.925
    assert simulate([replace(cell, accuracy=0.9), cell], 2000)[1] == outcome
