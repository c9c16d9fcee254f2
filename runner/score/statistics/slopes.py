"""Least-squares slopes as means over pairs."""

from __future__ import annotations

import numpy as np

from runner.score.statistics.inference import Floats


def slope_values(x: Floats, y: Floats) -> Floats | None:
    """Return values, (pairs,), whose mean is the least-squares slope of `y` on `x`.

    The values are β̂ + n (xᵢ − x̄) eᵢ / Σ (x − x̄)², where eᵢ are the residuals of the line. The variance of their mean
    is the sandwich variance of the slope (White 1980). The value of a pair with NaN in `y` is NaN. Returns None if `x`
    does not vary over the other pairs.
    """
    known = ~np.isnan(y)
    centred = x - x[known].mean() if known.any() else x
    total = float((centred[known] ** 2).sum())
    if total == 0:
        return None
    slope = float((centred[known] * y[known]).sum()) / total
    residuals = y - y[known].mean() - slope * centred
    return np.asarray(slope + known.sum() * centred * residuals / total, dtype=np.float64)
