"""Which sentences a fraction chooses."""

import numpy as np
import pytest

from runner.conditions.samples import fraction_of


@pytest.mark.parametrize(
    ("fraction", "number", "chosen"),
    [
        (0.29, 50, 15),
        (0.57, 50, 29),
        (0.5, 3, 2),
        (0.25, 2, 1),
        (0.1, 4, 0),
        (1.0, 7, 7),
        (1e-3, 499, 0),
        (0.001, 500, 1),
    ],
)
def test_a_half_is_rounded_up_in_decimal(fraction: float, number: int, chosen: int) -> None:
    ranks = np.array([f"{sid:03}".encode() for sid in range(number)])
    assert fraction_of(np.arange(number), ranks, fraction).tolist() == list(range(chosen))
