"""Checkpoints: model, optimizer and progress come back bit by bit; those of another training are refused."""

import pytest
import torch

from runner.errors import InputError
from runner.model.architectures import build
from runner.model.training import TrainSpec
from runner.train.loop import adamw
from runner.train.record import Progress, load_checkpoint, load_weights, save_checkpoint, save_weights
from tests.support.models import GPT2, LSTM

IDENTITY = {"the model": "m", "the seed": "1"}


def state(spec, seed):
    model = build(spec, 20, seed)
    return model, adamw(model, TrainSpec(learning_rate=0.1, weight_decay=0.1))


def step(model, optimizer):
    ids = torch.arange(12).reshape(2, 6) % 20
    logits = model(input_ids=ids).logits
    torch.nn.functional.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten()).backward()
    optimizer.step()
    optimizer.zero_grad()


@pytest.mark.parametrize("spec", [LSTM, GPT2], ids=lambda spec: spec.name)
def test_training_goes_on_as_if_it_had_not_stopped(tmp_path, spec):
    model, optimizer = state(spec, 1)
    model.eval()
    for _ in range(3):
        step(model, optimizer)
    progress = Progress(3, 30, 0.1 + 0.2, 7, 0.3, 1 / 3, 2, 4)
    save_checkpoint(tmp_path / "c", progress, model, optimizer, IDENTITY)
    other, its_optimizer = state(spec, 2)
    other.eval()
    assert load_checkpoint(tmp_path / "c", other, its_optimizer, IDENTITY) == progress
    for _ in range(3):
        step(model, optimizer)
        step(other, its_optimizer)
    assert all(torch.equal(a, b) for a, b in zip(model.parameters(), other.parameters(), strict=True))


def test_a_checkpoint_of_another_training_is_refused(tmp_path):
    model, optimizer = state(LSTM, 1)
    save_checkpoint(tmp_path / "c", Progress(), model, optimizer, IDENTITY)
    with pytest.raises(InputError) as error:
        load_checkpoint(tmp_path / "c", model, optimizer, {**IDENTITY, "the seed": "2"})
    assert error.value.diagnostics[0].code == "FICT805"
    assert "the seed" in error.value.diagnostics[0].message


def test_weights_come_back_tied_ones_too(tmp_path):
    one, other = build(GPT2, 20, 1), build(GPT2, 20, 2)
    save_weights(tmp_path / "w", one)
    load_weights(tmp_path / "w", other)
    assert torch.equal(other.lm_head.weight, one.transformer.wte.weight)
    assert all(torch.equal(a, b) for a, b in zip(one.parameters(), other.parameters(), strict=True))


def test_matrices_decay_and_biases_do_not():
    model, optimizer = state(LSTM, 1)
    matrices, vectors = optimizer.param_groups
    assert (matrices["weight_decay"], vectors["weight_decay"]) == (0.1, 0.0)
    assert {p.ndim for p in matrices["params"]} == {2}
    assert {p.ndim for p in vectors["params"]} == {1}
    assert len(matrices["params"]) + len(vectors["params"]) == len(list(model.parameters()))
