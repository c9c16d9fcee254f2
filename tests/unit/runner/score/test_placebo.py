"""The placebo test against numbers worked by hand, and its error under the null."""

from __future__ import annotations

import numpy as np
import pytest

from runner.score.inference import placebo_p_value, smallest_p_value


@pytest.mark.parametrize(
    ("effect", "draws", "p"),
    [
        (-5.0, [-1.0, 0.0, 1.0], 1 / 4),
        (-1.0, [-1.0, 0.0, 1.0], 2 / 4),  # an equal draw is at least as low
        (2.0, [-1.0, 0.0, 1.0], 1.0),
        (-5.0, [0.0] * 39, 0.025),
        (0.7 - 0.6, [0.8 - 0.7, 0.5], 2 / 3),  # both changes are 10 points, although 0.8 − 0.7 > 0.7 − 0.6
    ],
)
def test_p_counts_the_draws_at_least_as_low_and_the_effect_itself(effect, draws, p) -> None:
    assert placebo_p_value(effect, draws) == pytest.approx(p)
    assert placebo_p_value(effect, draws) >= smallest_p_value(len(draws))


def test_without_draws_there_is_no_test() -> None:
    with pytest.raises(ValueError, match="at least one draw"):
        placebo_p_value(0.0, [])


def test_an_effect_that_is_one_of_the_draws_is_significant_as_often_as_it_says() -> None:
    drawn = np.random.default_rng(5).normal(size=(4000, 20))
    rejected = [placebo_p_value(row[0], row[1:].tolist()) <= 0.05 for row in drawn]
    assert np.mean(rejected) == pytest.approx(0.05, abs=0.012)
