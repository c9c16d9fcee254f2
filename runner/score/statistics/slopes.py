"""Least-squares slopes as means over pairs."""

from __future__ import annotations

import numpy as np

from runner.score.statistics.inference import Floats
from runner.score.statistics.scaling import scale_of

MIN_PAIRS = 3  # a line through two pairs has no residuals, and thus no standard error
ROUNDING_ERROR = 1e-12  # relative to the largest absolute value of x


def slope_values(x: Floats, y: Floats) -> Floats | None:
    """Return values, (pairs,), whose mean is the least-squares slope of `y` on `x`.

    The values are β̂ + n (xᵢ − x̄) eᵢ / Σ (x − x̄)², where eᵢ are the residuals of the line. The variance of their mean
    is the sandwich variance of the slope (White 1980). The value of a pair with NaN in `y` is NaN. Returns None if
    there are fewer than `MIN_PAIRS` other pairs, or if `x` does not vary over them, up to rounding.
    """
    known = ~np.isnan(y)
    if known.sum() < MIN_PAIRS:
        return None
    scale = scale_of(x[known])
    centred = x / scale - (x[known] / scale).mean()
    if np.abs(centred[known]).max() <= ROUNDING_ERROR:
        return None
    sum_of_squares = float((centred[known] ** 2).sum())
    slope = float((centred[known] * y[known]).sum()) / sum_of_squares
    residuals = y - y[known].mean() - slope * centred
    return np.asarray((slope + known.sum() * centred * residuals / sum_of_squares) / scale, dtype=np.float64)
