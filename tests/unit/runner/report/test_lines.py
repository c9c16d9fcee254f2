"""Values by seed to one line, and axes to their ticks."""

import pytest

from runner.report.lines import over_seeds
from runner.report.plot import axis


def test_seeds_measured_at_other_places_are_on_straight_lines_between() -> None:
    assert over_seeds({1: {10: 1.0, 20: 3.0}, 2: {10: 2.0, 15: 4.0, 30: 5.0}}) == (
        (10, 1.5, 1.0, 2.0),
        (15, 3.0, 2.0, 4.0),
        (20, pytest.approx((3 + 4 + 1 / 3) / 2), 3.0, pytest.approx(4 + 1 / 3)),
        (30, 5.0, 5.0, 5.0),  # the first seed does not go so far
    )


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (90, 12_000, [100, 1_000, 10_000]),
        (90, 600, [100, 200, 500]),
        (117.5, 286.2, [150, 200, 250]),
    ],
)
def test_ticks_of_a_logarithmic_axis_are_round(low: float, high: float, ticks: list[float]) -> None:
    assert axis([low, high], 0, 100, log=True).ticks() == pytest.approx(ticks)


def test_one_value_stands_in_the_middle() -> None:
    assert axis([8_000], 0, 100, log=True)(8_000) == pytest.approx(50)
