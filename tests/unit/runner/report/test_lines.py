"""Values by seed to one line, and axes to their ticks."""

import re

import pytest

from runner.report.charts import Axis, Series, axis, panel, seed_ranges, stage_legend


def test_seeds_measured_at_other_places_are_on_straight_lines_between() -> None:
    assert seed_ranges({1: {10: 1.0, 20: 3.0}, 2: {10: 2.0, 15: 4.0, 30: 5.0}}) == (
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


def test_stages_are_numbered_where_they_begin_and_close_ones_together() -> None:
    stages = [("a", 100.0), ("b", 14_000.0), ("c", 306_000.0), ("d", 306_200.0), ("e", 900_000.0)]
    x, y = axis([20_000, 500_000], 0, 400, log=True), axis([0, 1], 100, -100)
    line = Series("loss", 0, ((20_000.0, 1.0, 1.0, 1.0), (500_000.0, 0.0, 0.0, 0.0)))
    body = "".join(panel([line], x, y, "loss", stages=stages))
    assert re.findall(r">([\d–]+)</text>", body.split("stage")[-1]) == ["2", "3–4"]  # where the axis begins, and later
    assert body.count('class="stage"') == 2
    assert "3: c\nfrom 306,000 tokens on" in body
    assert [re.sub("<[^>]+>", "", text) for text in stage_legend(stages, 0, 0)][1] == "2 from 14,000 tokens on: b"


@pytest.mark.parametrize("values", [[5e-324], [0.0, 5e-324], [1e-310, 2e-310], [0.0], [1.0, 1.0], [-1e300, 1e300]])
def test_an_axis_of_values_of_any_size_has_ticks(values: list[float]) -> None:
    for found in (axis(values, 0, 100, zero=True), axis(values, 0, 100)):
        assert found.low <= min(values) <= max(values) <= found.high
        assert len(found.ticks()) > 1


def test_a_linear_axis_keeps_inside() -> None:
    up = Axis(-5, 5, 300, -200)
    assert [up(5), up(0), up(-5), up(99), up(-99)] == [100, 200, 300, 100, 300]
    assert Axis(0, 1, 10, 50)(0.5) == 35
