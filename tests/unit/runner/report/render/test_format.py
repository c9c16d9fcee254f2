"""How numbers are written."""

import pytest

from runner.report.render import format as write
from runner.score.statistics.inference import welch


@pytest.mark.parametrize(
    ("value", "text"),
    [(-0.302, "−30.2"), (0.004, "+0.4"), (0.0004, "0.0"), (-0.0004, "0.0"), (0.0, "0.0"), (None, "–")],
)
def test_points(value: float | None, text: str) -> None:
    assert write.points(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(1.234, "1.23"), (-0.001, "0.00"), (-2.5, "−2.50"), (12345.6, "12,346"), (4.6e299, "4.6e+299"), (None, "–")],
)
def test_number(value: float | None, text: str) -> None:
    assert write.number(value) == text


def test_signed() -> None:
    assert [write.signed(value) for value in (0.5, -0.001, -1e300)] == ["+0.50", "0.00", "−1e+300"]


def test_small_things() -> None:
    assert write.percent(0.8634) == "86.3"
    assert write.p_value(0.0004) == "<0.001"
    assert write.p_value(0.0454) == "0.045"
    assert write.share(0.95) == "95 %"
    assert write.count(16000) == "16,000"
    assert write.listed(["a"]) == "a"
    assert write.listed(["a", "b", "c"]) == "a, b and c"
    assert write.listed([]) == ""
    assert (write.abbreviated("ab"), write.abbreviated("abcdefg")) == ("a; b", "a; b; c; d; 3 more")
    assert write.plural(1, "seed") == "1 seed"
    assert write.plural(2, "entry", "entries") == "2 entries"
    assert write.interval(welch([0.5], [0.5])) == "no interval"
    assert write.interval(welch([0.5, 0.5], [0.6, 0.6])) == "[−10.0, −10.0]"
