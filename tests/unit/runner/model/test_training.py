"""Training settings: one length, not two."""

import json

import pytest

from runner.model.training import TrainSpec


@pytest.mark.parametrize("length", [{"epochs": None, "tokens": None}, {"epochs": 1.0, "tokens": 5}])
def test_epochs_and_tokens_exclude_each_other(length):
    with pytest.raises(ValueError, match="epochs and tokens exclude each other"):
        TrainSpec(**length)
    assert TrainSpec(epochs=None, tokens=5).tokens == 5


def test_settings_come_back_from_plain_json():
    spec = TrainSpec().model_copy(update={"betas": (0.9, 0.95), "checkpoints": (10, 20), "checkpoints_from": 5})
    assert TrainSpec(**json.loads(json.dumps(spec.content))) == spec
