"""Power: the projected standard error is that of the interval, and limits have the power that they claim."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.decisions import Design, draw_decisions, intercept
from runner.score.change import design_of, estimate_changes, summarize_paradigm
from runner.score.intervals import Sides, intervals
from runner.score.power import (
    Components,
    Unpaired,
    Variances,
    assumed_variances,
    held_probability,
    pooled,
    power_limits,
    variances,
)


def drawn(rng, seeds: int, items: int, number: int = 1):
    """Changes with a seed SD of 0.05, an item SD of 0.2 and a residual SD of 0.4, half on each side."""
    seed = 0.05 * rng.standard_normal((number, seeds, 1))
    item = 0.2 * rng.standard_normal((number, 1, items))
    rest = 0.4 * rng.standard_normal((number, seeds, items))
    change = seed + item + rest
    shared = rng.standard_normal((number, seeds, items))  # equal seeds are correlated
    return shared + change / 2, shared - change / 2


def sides(first, second) -> Sides:
    by_seed = [dict(enumerate(side.mean(1).tolist())) for side in (first, second)]
    return Sides(*by_seed, ((first, second),), seeds_paired=True)


def test_components_are_those_that_the_data_were_drawn_with() -> None:
    first, second = drawn(np.random.default_rng(1), 600, 600)
    found = variances(sides(first[0], second[0])).paired
    assert (found.seed, found.item, found.residual) == pytest.approx((0.05**2, 0.2**2, 0.4**2), rel=0.25)


def test_the_projection_at_the_pilot_s_own_size_is_its_interval() -> None:
    first, second = drawn(np.random.default_rng(2), 6, 100)
    pilot = sides(first[0], second[0])
    main = intervals(pilot)["crossed"]
    se, df = variances(pilot).se(6, 100)
    assert (se, df) == pytest.approx((main.se, main.df), rel=1e-6)


@pytest.mark.parametrize("seeds", [2, 3, 4])
@pytest.mark.parametrize("right", [0.6, 0.95])
def test_the_projection_at_the_size_of_a_small_pilot_is_its_interval(seeds: int, right: float) -> None:
    """Small pilots have variances over seeds or items that are below the residual, or zero."""
    for draw in range(20):
        rng = np.random.default_rng((seeds, draw))
        pilot = sides(*(np.float64(rng.random((seeds, 20)) < right) for _ in range(2)))
        main = intervals(pilot)["crossed"]
        se, df = variances(pilot).se(seeds, 20)
        assert se == pytest.approx(main.se, rel=1e-6, abs=1e-12)
        assert df == pytest.approx(main.df, rel=1e-6) or not se


@pytest.mark.parametrize(("seeds", "items"), [(4, 50), (8, 50), (4, 200)])
def test_the_projection_is_the_spread_of_new_data_and_of_its_intervals(seeds: int, items: int) -> None:
    """Each side has half of the changes, so seeds have 2·0.025²; and the shared noise, of variance 1, and 0.2²."""
    side = Components(0.025**2, 0.0, 1 + 0.2**2)
    truth = Variances(Components(0.05**2, 0.2**2, 0.4**2), Unpaired(side, side, 0.0), 9, 900, (0.7, 0.7))
    first, second = drawn(np.random.default_rng(3), seeds, items, number=4000)
    estimates, se, _ = estimate_changes([summarize_paradigm(first, second)], design_of((seeds, seeds), paired=True))
    assert truth.se(seeds, items)[0] == pytest.approx(float(estimates.std()), rel=0.05)
    assert truth.se(seeds, items)[0] ** 2 == pytest.approx(float((se**2).mean()), rel=0.05)


def test_equal_seeds_count_with_95_percent_of_their_covariance() -> None:
    sides = Unpaired(Components(0.02, 0.0, 0.0), Components(0.03, 0.0, 0.0), 0.0)
    found = Variances(Components(0.01, 0.0, 0.0), sides, 9, 900, (0.7, 0.7))
    assert found.se(4, 100)[0] ** 2 == pytest.approx((0.95 * 0.01 + 0.05 * 0.05) / 4)
    assert found.se(3, 100)[0] ** 2 == pytest.approx(0.05 / 3)


def pilots(seeds: int, paradigms: int, number: int = 150) -> list[Variances]:
    """The first paradigm of pilots with 200 pairs, with the variance between seeds of all their paradigms."""
    rng = np.random.default_rng((seeds, paradigms))
    drawn_sides = draw_decisions(rng, Design(seeds, 200, 0.2, 0.0, paradigms), number)
    right = [[np.float64(side.right(1.0, intercept(0.75, 0.2, 1.0))) for side in pair] for pair in drawn_sides]
    return [pooled([variances(sides(a[i], b[i])) for a, b in right])[0] for i in range(number)]


@pytest.mark.parametrize("seeds", [2, 3, 5])
@pytest.mark.parametrize("paradigms", [1, 5])
def test_the_promised_change_has_its_power_in_four_of_five_pilots(seeds: int, paradigms: int) -> None:
    """A change of 4.5 points has a power of 80 % with 10 seeds and 1,000 pairs (benchmarks.pilots)."""
    limits = [pilot.limits(10, 1000) for pilot in pilots(seeds, paradigms)]
    assert np.mean([estimate.detectable >= 0.045 for estimate, _ in limits]) < 0.6
    assert np.mean([upper.detectable >= 0.045 for _, upper in limits]) > 0.8
    assert np.median([upper.detectable for _, upper in limits]) < 0.25


@given(st.integers(0, 10**6), st.integers(2, 6), st.floats(0.05, 0.95), st.floats(0.05, 0.95), st.booleans())
def test_what_is_promised_is_never_below_what_is_estimated(
    draw: int, seeds: int, first: float, second: float, paired: bool
) -> None:
    """Sides whose seeds differ much on one side only have as many degrees of freedom as that side."""
    rng = np.random.default_rng(draw)
    spread = rng.choice([0.0, 0.05, 0.3], size=(2, 1, 1))
    shares = [
        np.clip(p + sd * rng.standard_normal((seeds, 1)), 0, 1) for p, sd in zip((first, second), spread, strict=True)
    ]
    decisions = [[np.float64(rng.random((seeds, 20)) < share) for share in shares] for _ in range(3)]
    found = [variances(replace(sides(*pair), seeds_paired=paired)) for pair in decisions]
    for pilot in pooled([pilot for pilot in found if pilot is not None]):
        for design in product((1, 2, 3, 4, 10), (2, 60, 1000)):
            if limits := pilot.limits(*design):
                estimate, promised = limits
                assert promised.detectable >= estimate.detectable and promised.provable >= estimate.provable


def test_pooling_makes_equal_what_seeds_do_in_logits() -> None:
    components = [Components(seed, 0.0, 0.0) for seed in (0.04, -0.01)]
    found = pooled(
        [
            Variances(component, Unpaired(component, component, 0.0), 3, 200, (p, p))
            for component, p in zip(components, (0.5, 0.9), strict=True)
        ]
    )
    weights = 0.25**2, 0.09**2
    rate = 0.03 / sum(weights)
    assert [pilot.unpaired.first.seed for pilot in found] == pytest.approx([rate * weight for weight in weights])
    assert [pilot.paired.seed for pilot in found] == pytest.approx([rate * weight for weight in weights])
    unanimous = Variances(components[0], Unpaired(components[0], components[0], 0.0), 3, 200, (1.0, 1.0))
    assert pooled([unanimous]) == [unanimous]


def test_a_change_from_the_ceiling_allows_for_the_variance_that_it_brings() -> None:
    side = Components(0.0001, 0.0, 0.0)
    low, high = (
        Variances(side, Unpaired(side, side, 0.0), 5, 200, (p, p)).limits(10, 1000)[0].detectable for p in (0.5, 0.97)
    )
    assert low < high < 1.5 * low


def test_more_seeds_and_items_detect_less_down_to_what_the_other_leaves() -> None:
    found = assumed_variances()
    detected = [
        power_limits(*found.se(seeds, items))[0]
        for seeds, items in ((2, 100), (3, 200), (5, 200), (5, 1000), (50, 10**6))
    ]
    assert detected == sorted(detected, reverse=True)
    assert found.se(1, 200)[1] == 199


def test_small_designs_rarely_prove_anything() -> None:
    """3 seeds and 200 items prove ±5 in at most 14 % of nulls at 0.55, and in 18 to 82 % at 0.95."""
    assert held_probability(*assumed_variances(0.55).se(3, 200), 0.05) <= 0.14
    assert 0.18 <= held_probability(*assumed_variances(0.95).se(3, 200), 0.05) <= 0.82
    assert held_probability(0.0, 4.0, 0.05) == 1.0


def test_a_pilot_needs_two_seeds_and_two_items() -> None:
    first, second = drawn(np.random.default_rng(4), 3, 10)
    assert variances(sides(first[0][:1], second[0])) is None
    assert variances(sides(first[0][:, :1], second[0][:, :1])) is None
    assert variances(Sides({1: 0.5, 2: 0.5}, {1: 0.5, 2: 0.5})) is None
