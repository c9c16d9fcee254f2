"""How numbers are written."""

import pytest

from runner import formatting


@pytest.mark.parametrize(
    ("value", "text"),
    [(-0.302, "−30.2"), (0.004, "+0.4"), (0.0004, "0.0"), (-0.0004, "0.0"), (0.0, "0.0"), (None, "–")],
)
def test_points(value: float | None, text: str) -> None:
    assert formatting.points(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(1.234, "1.23"), (-0.001, "0.00"), (-2.5, "−2.50"), (12345.6, "12,346"), (4.6e299, "4.6e+299"), (None, "–")],
)
def test_number(value: float | None, text: str) -> None:
    assert formatting.number(value) == text


def test_signed() -> None:
    assert [formatting.signed(value) for value in (0.5, -0.001, -1e300)] == ["+0.50", "0.00", "−1e+300"]


def test_small_things() -> None:
    assert formatting.percent(0.8634) == "86.3"
    assert formatting.p_value(0.0004) == "<0.001"
    assert formatting.p_value(0.0454) == "0.045"
    assert formatting.percentage(0.95) == "95 %"
    assert formatting.count(16000) == "16,000"
    assert (formatting.abbreviated("ab"), formatting.abbreviated("abcdefg")) == ("a; b", "a; b; c; d; 3 more")
    assert formatting.interval(None, None) == "no interval"
    assert formatting.interval(-0.1, -0.1) == "[−10.0, −10.0]"
