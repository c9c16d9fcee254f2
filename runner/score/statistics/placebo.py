"""The test of an effect against the effects of placebo draws."""

from __future__ import annotations

from collections.abc import Sequence


def placebo_p_value(effect: float, draws: Sequence[float]) -> float:
    """Return p = (1 + draws at least as low) / (draws + 1), one-sided: the effect is a drop.

    With the observed one counted among the draws, the test is exact if the effect is exchangeable with them, and p is
    never zero (Phipson and Smyth 2010). Raises ValueError without draws.
    """
    if not draws:
        raise ValueError("a placebo test needs at least one draw")
    return (1 + sum(draw <= effect for draw in draws)) / (len(draws) + 1)


def smallest_p_value(draws: int) -> float:
    """Return the smallest p that a number of draws can reach: 0.025 takes 39."""
    return 1 / (draws + 1)
