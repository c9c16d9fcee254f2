"""Values of any size to values near 1, of which no square overflows or vanishes."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray


def scale_of(*values: NDArray[np.float64]) -> float:
    """The power of two below the largest absolute value, 1 if all are zero.

    Means and deviations of values that are divided by it are, times it, to the last digit those of the values.
    """
    largest = max((float(np.abs(one).max()) for one in values if len(one)), default=0.0)
    return math.ldexp(0.5, math.frexp(largest)[1]) if largest else 1.0
