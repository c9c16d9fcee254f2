"""Least-squares slopes as means over pairs."""

from __future__ import annotations

import numpy as np

from runner.score.statistics.inference import Floats


def slope_values(x: Floats, y: Floats) -> Floats | None:
    """Return values, (pairs,), with the mean of the slope of `y` on `x` and, over pairs, its variance.

    The values are β̂ + n (xᵢ − x̄) eᵢ / Σ (x − x̄)², where eᵢ are the residuals of the least-squares line: the
    linearisation behind the sandwich variance (White 1980). A pair with NaN in `y` is left out. Return None if `x` does
    not vary over the other pairs.
    """
    known = ~np.isnan(y)
    centred = x - x[known].mean() if known.any() else x
    total = float((centred[known] ** 2).sum())
    if total == 0:
        return None
    slope = float((centred[known] * y[known]).sum()) / total
    residuals = y - y[known].mean() - slope * centred
    return np.asarray(slope + known.sum() * centred * residuals / total, dtype=np.float64)
