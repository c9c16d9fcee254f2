"""Schedules by hand: warm-up, the way down, and where validations fall."""

import numpy as np
import pytest

from runner.errors import InputError
from runner.model.training import TrainSpec
from runner.train.spec import checkpoint_tokens, learning_rate, total_steps, validation_steps


def rates(total=10, **settings):
    spec = TrainSpec(learning_rate=1.0, **settings)
    return [round(learning_rate(spec, step, total), 4) for step in range(total)]


def test_rates_by_hand():
    assert rates(schedule="constant") == [1.0] * 10
    assert rates(schedule="linear") == [1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1]
    assert rates(schedule="cosine", total=4) == [1.0, 0.8536, 0.5, 0.1464]
    assert rates(schedule="linear", warmup=0.2) == [0.5, 1.0, 1.0, 0.875, 0.75, 0.625, 0.5, 0.375, 0.25, 0.125]
    assert rates(schedule="constant", warmup=4.0, total=6) == [0.25, 0.5, 0.75, 1.0, 1.0, 1.0]
    assert rates(schedule="cosine", final_fraction=0.1, total=4) == [1.0, 0.8682, 0.55, 0.2318]


@pytest.mark.parametrize(
    ("settings", "steps"),
    [
        ({"epochs": 1.0}, 13),
        ({"epochs": 2.5}, 33),
        ({"epochs": 0.01}, 1),
        ({"epochs": None, "tokens": 1}, 1),
        ({"epochs": None, "tokens": 40}, 1),
        ({"epochs": None, "tokens": 41}, 2),
        ({"epochs": None, "tokens": 1000}, 13),
        ({"epochs": None, "tokens": 1001}, 14),
        ({"epochs": None, "tokens": 1120}, 14),
        ({"epochs": None, "tokens": 1121}, 15),
        ({"epochs": None, "tokens": 2000}, 26),
    ],
)
def test_the_number_of_steps(settings, steps):
    """In the second epoch, the step of the 120 longest rows' tokens comes first."""
    epochs = (np.array([40] + [80] * 12), np.array([120] + [80] * 10 + [40] * 2))
    assert {epoch.sum() for epoch in epochs} == {1000}
    spec = TrainSpec(batch=8, **settings)
    assert total_steps(spec, rows=100, predicted=1000, step_tokens=epochs.__getitem__) == steps


def test_validations_are_even_and_the_last_step_is_one():
    assert validation_steps(TrainSpec(validations=4), 100) == {25, 50, 75, 100}
    assert validation_steps(TrainSpec(validations=3), 10) == {3, 7, 10}
    assert validation_steps(TrainSpec(validations=50), 3) == {1, 2, 3}
    assert validation_steps(TrainSpec().model_copy(update={"validations": 10**12}), 3) == {1, 2, 3}


def test_checkpoints_are_listed_or_evenly_spaced_on_a_logarithmic_axis():
    assert checkpoint_tokens(TrainSpec(), 1000) == ()
    assert checkpoint_tokens(TrainSpec(checkpoints=(10, 1000)), 1000) == (10, 1000)
    assert checkpoint_tokens(TrainSpec(checkpoints_from=100), 1000) == (100, 200, 400, 800)
    spaced = TrainSpec(checkpoints=(5,), checkpoints_from=10, checkpoints_factor=10**0.5)
    assert checkpoint_tokens(spaced, 1001) == (5, 10, 32, 100, 316, 1000)


def test_a_checkpoint_behind_the_end_is_refused():
    with pytest.raises(InputError) as error:
        checkpoint_tokens(TrainSpec(checkpoints=(10, 1001)), 1000)
    assert error.value.diagnostics[0].code == "FICT807"
