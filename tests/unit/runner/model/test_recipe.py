"""Training settings: one length, not two."""

import pytest

from runner.model.recipe import TrainSpec


@pytest.mark.parametrize("length", [{"epochs": None}, {"epochs": 1.0, "tokens": 5}])
def test_epochs_and_tokens_exclude_each_other(length):
    with pytest.raises(ValueError, match="exactly one"):
        TrainSpec(**length)
    assert TrainSpec(epochs=None, tokens=5).tokens == 5
