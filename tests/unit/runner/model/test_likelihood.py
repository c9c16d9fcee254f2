"""Likelihoods: a model cut in two gives what the whole gives, and padding counts for nothing."""

import math

import numpy as np
import pytest
import torch

from runner.model.likelihood import SplitModel, evaluating, text_loss
from runner.model.token_rows import Batch
from tests.support.models import GPT2, LINES, LSTM, NEOX, OPT, saved, tokens

SPECS = [LSTM, GPT2, OPT, NEOX]


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
def test_states_and_output_layer_make_the_models_own_logits(spec):
    model = saved(spec).model
    ids = torch.tensor([[1, 5, 6, 7], [1, 2, 3, 4]])
    network = SplitModel.of(model)
    assert network.weight is not None
    with torch.no_grad():
        expected = model(input_ids=ids).logits
        assert torch.allclose(network.logits(network.states(ids)), expected, atol=1e-5)


def test_a_model_of_an_unknown_kind_is_used_as_it_is():
    model = saved(GPT2).model
    model.config.model_type = "something-else"
    network = SplitModel.of(model)
    assert network.weight is None
    batch = Batch(np.array([[1, 5, 6, 7]]), np.array([3]))
    with torch.no_grad():
        known = SplitModel(model.transformer, model.lm_head.weight)
        assert torch.allclose(
            network.logits(network.states(torch.from_numpy(batch.ids))), model(torch.from_numpy(batch.ids)).logits
        )
        assert network.loss(batch).item() == pytest.approx(
            torch.nn.functional.cross_entropy(
                known.logits(model.transformer(torch.from_numpy(batch.ids[:, :-1])).last_hidden_state)[0],
                torch.tensor([5, 6, 7]),
                reduction="sum",
            ).item(),
            rel=1e-6,
        )


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
def test_padding_counts_for_nothing(spec):
    network = SplitModel.of(saved(spec).model)
    padded = Batch(np.array([[1, 5, 6, 9, 9], [1, 2, 3, 4, 5]]), np.array([2, 4]))
    alone = [Batch(np.array([[1, 5, 6]]), np.array([2])), Batch(np.array([[1, 2, 3, 4, 5]]), np.array([4]))]
    with torch.no_grad():
        assert network.loss(padded).item() == pytest.approx(sum(network.loss(b).item() for b in alone), rel=1e-6)


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
def test_the_loss_of_a_text_is_that_of_its_sentences_one_by_one(tmp_path, spec):
    model, text = saved(spec).model, tokens(tmp_path)
    expected, count = 0.0, 0
    with torch.no_grad():
        for index in range(text.sentences):
            row = [1, *text.sentence(index).tolist(), 1]
            logs = torch.log_softmax(model(input_ids=torch.tensor([row])).logits[0].double(), -1)
            expected -= sum(logs[t, token].item() for t, token in enumerate(row[1:]))
            count += len(row) - 1
    loss, predicted = text_loss(model, text, "sentence", 30)
    assert predicted == count == text.tokens + text.sentences
    assert loss == pytest.approx(expected, rel=1e-6)


def test_packed_rows_condition_on_what_stands_before_in_the_row(tmp_path):
    model, text = saved(LSTM).model, tokens(tmp_path, LINES[:6])
    stream = [1]
    for index in range(text.sentences):
        stream += [*text.sentence(index).tolist(), 1]
    expected = 0.0
    with torch.no_grad():
        for start in range(0, len(stream) - 1, 5):
            row = stream[start : start + 6]
            logs = torch.log_softmax(model(torch.tensor([row])).logits[0].double(), -1)
            expected -= sum(logs[t, token].item() for t, token in enumerate(row[1:]))
    loss, predicted = text_loss(model, text, "packed", 5)
    assert predicted == len(stream) - 1
    assert loss == pytest.approx(expected, rel=1e-6)


def test_an_empty_text_has_no_loss(tmp_path):
    assert text_loss(saved().model, tokens(tmp_path, []), "sentence", 5) == (0.0, 0)


def test_measuring_turns_dropout_off_and_puts_the_mode_back():
    model = saved().model
    for mode in (True, False):
        model.train(mode)
        with evaluating(model):
            assert not model.training
            assert not torch.is_grad_enabled()
        assert model.training is mode
    assert math.isfinite(sum(p.sum().item() for p in model.parameters()))
