"""Slopes against numpy's, for covariates of any size, and covariates that do not vary."""

from __future__ import annotations

import numpy as np
import pytest

from runner.score.inference import slope_values

Y = np.random.default_rng(3).normal(size=49)


@pytest.mark.parametrize("unit", [1.0, 0.1, 1e200, 1e-200])
def test_the_mean_is_the_slope_of_a_least_squares_line(unit) -> None:
    x = np.random.default_rng(4).normal(size=49)
    values = slope_values(unit * x, Y)
    assert values is not None
    assert values.mean() * unit == pytest.approx(np.polyfit(x, Y, 1)[0])


@pytest.mark.parametrize("value", [0.1, 0.3, 1.1, 2.3, 1e5 / 3, 0.0])
def test_a_covariate_that_differs_only_by_rounding_from_its_mean_has_no_slope(value) -> None:
    assert all(slope_values(np.full(n, value), Y[:n]) is None for n in range(1, 50))


def test_only_pairs_with_scores_count() -> None:
    y = np.array([1.0, 2.0, 3.0, np.nan])
    assert slope_values(np.array([0.7, 0.7, 0.7, 2.0]), y) is None
    assert slope_values(np.array([1.0, 2.0, 3.0, 4.0]), np.full(4, np.nan)) is None
    values = slope_values(np.array([1.0, 2.0, 3.0, 30.0]), y)
    assert values is not None and np.nanmean(values) == pytest.approx(1.0)


def test_two_pairs_have_no_slope_since_its_error_is_unknown() -> None:
    assert slope_values(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.5, np.nan])) is None
