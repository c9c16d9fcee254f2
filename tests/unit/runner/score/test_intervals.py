"""The intervals of a change: what each needs, and which one a report uses."""

import numpy as np
import pytest

from runner.report.accuracies import pooled_sides
from runner.report.contrasts import OVER_SEEDS, main_interval
from runner.score.change import change
from runner.score.inference import welch
from runner.score.intervals import INTERVALS, METHODS, Sides, intervals


def sides(seeds_a, seeds_b, *, seeds_paired=True, items=20, seed=0) -> Sides:
    rng = np.random.default_rng(seed)
    first, second = (
        (rng.random((len(seeds), items)) < p).astype(float) for seeds, p in ((seeds_a, 0.6), (seeds_b, 0.8))
    )
    means = (
        dict(zip(seeds, side.mean(1).tolist(), strict=True)) for seeds, side in ((seeds_a, first), (seeds_b, second))
    )
    return Sides(*means, ((first, second),), seeds_paired)


def test_methods_are_data() -> None:
    assert set(METHODS) == {"crossed", "welch", "paired", "bootstrap"}
    assert all(method.name and method.citation and method.description.endswith(".") for method, _ in INTERVALS)


def test_the_report_generalises_to_seeds_and_items() -> None:
    both = sides((1, 2, 3, 4), (1, 2, 3, 4))
    found = main_interval(intervals(both))
    expected = change([both.decisions[0][0]], [both.decisions[0][1]], paired=True)
    assert (found.delta, found.low, found.high, found.p) == (expected.estimate, expected.low, expected.high, expected.p)
    assert found.method == "seeds × items, seeds paired"
    assert found.delta == pytest.approx(found.mean_a - found.mean_b)


@pytest.mark.parametrize(
    ("a", "b", "seeds_paired", "method", "n"),
    [
        ((1, 2, 3, 4), (1, 2, 3, 4), False, "seeds × items, seeds unpaired", (4, 4)),  # from different runs
        ((1, 2, 3), (1, 2, 3), True, "seeds × items, seeds unpaired", (3, 3)),
        ((1, 2, 3, 4, 5), (5, 4, 3, 2), True, "seeds × items, seeds paired", (4, 4)),
        ((1, 2, 3, 4, 5), (4, 5, 6, 7), True, "seeds × items, seeds unpaired", (5, 4)),
        ((1,), (1,), True, "one seed, over items only", (1, 1)),
        ((1,), (1, 2), True, "seeds × items, seeds unpaired with a common variance", (1, 2)),
    ],
)
def test_the_design_follows_from_the_seeds(a, b, seeds_paired, method, n) -> None:
    found = main_interval(intervals(sides(a, b, seeds_paired=seeds_paired)))
    assert (found.method, (found.n_a, found.n_b)) == (method, n)


def test_equal_seeds_are_paired_whatever_their_order() -> None:
    both = sides((1, 2, 3, 4), (4, 3, 2, 1))
    first, second = both.decisions[0]
    expected = change([first], [second[::-1]], paired=True)
    assert main_interval(intervals(both)).low == expected.low


def test_without_items_it_is_over_seeds_only() -> None:
    both = Sides({1: 0.5, 2: 0.6}, {1: 0.8, 2: 0.85})
    found = main_interval(intervals(both))
    expected = welch([0.5, 0.6], [0.8, 0.85])
    assert (found.low, found.p, found.method) == (expected.low, expected.p, OVER_SEEDS)
    assert main_interval(intervals(Sides({1: 0.5}, {1: 0.8}))).low is None


def test_the_mean_over_paradigms_is_taken_by_seed_over_shared_seeds() -> None:
    parts = [sides((1, 2, 3, 4, 5), (1, 2, 3, 4), seed=1), sides((5, 1, 2, 3), (1, 2, 3, 4), items=7, seed=2)]
    pooled = pooled_sides(parts)
    assert list(pooled.a) == [1, 2, 3, 5]
    assert pooled.a[5] == pytest.approx((parts[0].a[5] + parts[1].a[5]) / 2)
    assert [side.shape for side in pooled.decisions[1]] == [(4, 7), (4, 7)]
    assert pooled.decisions[1][0][3].tolist() == parts[1].decisions[0][0][0].tolist()  # seed 5
    assert "bootstrap" not in intervals(pooled)
    assert pooled_sides([Sides({1: 0.5}, {1: 0.5}), Sides({2: 0.5}, {1: 0.5})]) is None
