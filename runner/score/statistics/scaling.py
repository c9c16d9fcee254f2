"""Scale values to about 1, so that their squares neither overflow nor underflow."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray


def scale_of(*values: NDArray[np.float64]) -> float:
    """Return the largest power of two not above the largest absolute value, or 1 if all values are zero.

    Dividing by a power of two is exact: means and deviations of the scaled values, multiplied by it, equal those of the
    values to the last digit.
    """
    largest = max((float(np.abs(array).max()) for array in values if len(array)), default=0.0)
    return math.ldexp(0.5, math.frexp(largest)[1]) if largest else 1.0
