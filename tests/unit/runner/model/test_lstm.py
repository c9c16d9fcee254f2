"""The LSTM: its loss by hand, its first weights, and that padding on the right changes nothing."""

import math

import pytest
import torch
from transformers.initialization import guard_torch_init_functions

from runner.model.architectures import build
from tests.support.models import LSTM


@pytest.fixture
def model():
    return build(LSTM, 40, 1).eval()


def test_the_loss_is_the_mean_over_predicted_tokens(model):
    ids = torch.tensor([[1, 5, 6, 1], [1, 7, 1, 1]])
    labels = torch.tensor([[1, 5, 6, 1], [1, 7, 1, -100]])
    output = model(ids, labels=labels)
    logs = torch.log_softmax(output.logits, -1)
    expected = [logs[0, 0, 5], logs[0, 1, 6], logs[0, 2, 1], logs[1, 0, 7], logs[1, 1, 1]]
    assert output.loss.item() == pytest.approx(-sum(x.item() for x in expected) / 5, abs=1e-6)
    assert model(ids).loss is None


def test_the_loss_is_float32_under_autocast(model):
    ids = torch.tensor([[1, 5, 6, 1]])
    with torch.autocast("cpu", torch.bfloat16):
        assert model(ids, labels=ids).loss.dtype == torch.float32


def test_padding_on_the_right_changes_no_logit_of_a_word(model):
    short, long = torch.tensor([[1, 5, 6]]), torch.tensor([[1, 5, 6, 9, 9], [1, 2, 3, 4, 5]])
    assert torch.allclose(model(short).logits[0], model(long).logits[0, :3], atol=1e-6)


def test_weights_start_as_the_recipe_says():
    model = build(LSTM, 4000, 1)
    assert model.embedding.weight.std().item() == pytest.approx(0.1, rel=0.02)
    assert not model.output_bias.any()
    size, bound = 16, 1 / math.sqrt(16)
    for layer in range(2):
        bias = getattr(model.lstm, f"bias_ih_l{layer}")
        assert (bias[size : 2 * size] >= 1 - bound).all()
        assert (bias[2 * size :].abs() <= bound).all()
        assert (getattr(model.lstm, f"bias_hh_l{layer}").abs() <= bound).all()


def test_dropout_acts_in_training_only(model):
    ids = torch.tensor([[1, 5, 6, 1]])
    assert torch.equal(model(ids).logits, model(ids).logits)
    model.train()
    assert not torch.equal(model(ids).logits, model(ids).logits)


def test_output_and_embedding_are_one_matrix(model):
    names = [name for name, _ in model.named_parameters()]
    assert names.count("embedding.weight") == 1
    assert not any("head" in name for name in names)


def test_weights_that_are_loaded_stay_when_the_model_is_initialised_again(model, tmp_path):
    model.save_pretrained(tmp_path)
    loaded = type(model).from_pretrained(tmp_path)
    assert all(map(torch.equal, loaded.parameters(), model.parameters()))
    for parameter in loaded.parameters():
        parameter._is_hf_initialized = True  # as transformers marks them; some versions then initialise again
    with guard_torch_init_functions():
        loaded._init_weights(loaded.lstm)
    assert all(map(torch.equal, loaded.parameters(), model.parameters()))
