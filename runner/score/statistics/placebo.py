"""A test that compares an effect with the effects of placebo draws."""

from __future__ import annotations

from collections.abc import Sequence

ROUNDING_ERROR = 1e-12  # equal differences of accuracies may differ in their last bits


def placebo_p_value(effect: float, draws: Sequence[float]) -> float:
    """Return the one-sided p-value of a drop: p = (1 + number of draws at least as low) / (number of draws + 1).

    The observed effect counts as a draw, so p is never zero, and the test is exact if the effect is exchangeable with
    the draws (Phipson and Smyth 2010). A draw that differs from the effect only by rounding is at
    least as low. Raises ValueError without draws.
    """
    if not draws:
        raise ValueError("a placebo test needs at least one draw")
    return (1 + sum(draw <= effect + ROUNDING_ERROR for draw in draws)) / (len(draws) + 1)


def smallest_p_value(draws: int) -> float:
    """Return the smallest p that a test with this number of draws can reach. For example, 0.025 requires 39 draws."""
    return 1 / (draws + 1)
