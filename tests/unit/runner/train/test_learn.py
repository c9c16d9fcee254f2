"""Micro-batches: which rows they have, and that their gradients add up to that of the whole batch."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from runner.model.architectures import build
from runner.model.likelihood import SplitModel
from runner.model.token_rows import Batch, Masking
from runner.train.loop import micro_batches
from tests.support.models import BERT, GPT2, LSTM

VOCABULARY = 20
lengths_of_rows = st.lists(st.integers(1, 12), min_size=1, max_size=17)


def batch_of(lengths: list[int]) -> Batch:
    width = max(lengths) + 1
    ids = np.arange(len(lengths) * width).reshape(len(lengths), width) * 7 % (VOCABULARY - 3) + 2
    return Batch(ids, np.array(lengths))


@given(lengths_of_rows, st.integers(1, 20), st.integers(1, 200))
def test_micro_batches_have_all_rows_once_within_both_limits(lengths, accumulate, tokens):
    batch = batch_of(lengths)
    parts = micro_batches(batch, accumulate, tokens)
    assert [length for part in parts for length in part.lengths.tolist()] == lengths
    size = math.ceil(len(lengths) / accumulate)
    assert all(len(part.lengths) <= size for part in parts)
    assert all(part.ids.size <= tokens or len(part.lengths) == 1 for part in parts)
    assert sum(part.predicted_tokens for part in parts) == batch.predicted_tokens
    fits = batch.ids.shape[1] * size <= tokens
    assert not fits or len(parts) == math.ceil(len(lengths) / size)  # as few as possible


def test_five_rows_in_four_parts_are_three_micro_batches():
    assert [len(part.lengths) for part in micro_batches(batch_of([3] * 5), 4, 10_000)] == [2, 2, 1]


@pytest.mark.parametrize("spec", [LSTM, GPT2, BERT], ids=lambda spec: spec.name)
@settings(max_examples=15)
@given(lengths=lengths_of_rows, accumulate=st.integers(2, 9), tokens=st.sampled_from([20, 10_000]))
def test_the_gradient_is_that_of_the_whole_batch(spec, lengths, accumulate, tokens):
    model = build(spec, VOCABULARY, 1).double().eval()
    network, batch = SplitModel.of(model), batch_of(lengths)
    if spec.masked:
        batch = Masking(0, 1, (0, 1), VOCABULARY).apply(batch, 1)
    found, expected = (
        _gradients(model, network, parts) for parts in (micro_batches(batch, accumulate, tokens), [batch])
    )
    assert any(bool(gradient.any()) for gradient in expected)
    for ours, whole in zip(found, expected, strict=True):
        torch.testing.assert_close(ours, whole, rtol=1e-4, atol=1e-6)


def _gradients(model, network, parts):
    model.zero_grad(set_to_none=True)
    for part in parts:
        (network.loss(part) / sum(each.predicted_tokens for each in parts)).backward()
    return [torch.zeros_like(p) if p.grad is None else p.grad.clone() for p in model.parameters()]
