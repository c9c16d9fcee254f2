"""Shades of accuracies and changes, by size."""

import pytest

from runner.report.grids import accuracy_class, delta_class, shades


@pytest.mark.parametrize(("value", "shade"), [(0.2, "a0"), (0.4, "a1"), (0.65, "a3"), (0.9, "a6"), (1.0, "a6")])
def test_accuracy_shades(value: float, shade: str) -> None:
    assert accuracy_class(value) == shade


@pytest.mark.parametrize(
    ("value", "shade"), [(0.0, "z"), (0.0099, "z"), (-0.01, "n1"), (0.04, "p2"), (-0.3, "n6"), (0.16, "p5")]
)
def test_delta_shades(value: float, shade: str) -> None:
    assert delta_class(value) == shade


def test_numbers_on_pale_cells_have_the_colour_of_text() -> None:
    assert shades("n6", pale=False) == ("n6", "on-n6")
    assert shades("n6", pale=True) == ("n6 pale", "")
