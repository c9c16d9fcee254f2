"""The loss a few rows at a time: torch's own loss and gradients, in float32 and under autocast."""

import pytest
import torch
from torch.nn import functional as F

from runner.model import likelihood as module
from runner.model.likelihood import output_loss


def tensors(rows=7, size=5, vocabulary=11, bias=True):
    random = torch.Generator().manual_seed(1)
    states = torch.randn(rows, size, generator=random, requires_grad=True)
    weight = torch.randn(vocabulary, size, generator=random, requires_grad=True)
    shift = torch.randn(vocabulary, generator=random, requires_grad=True) if bias else None
    return states, weight, shift, torch.randint(0, vocabulary, (rows,), generator=random)


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("chunk", [1, 22, 10_000])
def test_loss_and_gradients_are_those_of_torch(monkeypatch, bias, chunk):
    monkeypatch.setattr(module, "TRAINING_LOGITS", {"cpu": chunk, "gpu": chunk})
    monkeypatch.setattr(module, "INFERENCE_LOGITS", {"cpu": chunk, "gpu": chunk})
    states, weight, shift, targets = tensors(bias=bias)
    inputs = [tensor for tensor in (states, weight, shift) if tensor is not None]
    expected = F.cross_entropy(F.linear(states, weight, shift), targets, reduction="sum")
    wanted = torch.autograd.grad(expected * 0.3, inputs)
    loss = output_loss(states, weight, shift, targets)
    found = torch.autograd.grad(loss * 0.3, inputs)
    assert loss.item() == pytest.approx(expected.item(), rel=1e-6)
    for one, other in zip(wanted, found, strict=True):
        assert torch.allclose(one, other, atol=1e-6)
    with torch.no_grad():
        assert output_loss(states, weight, shift, targets).item() == pytest.approx(expected.item(), rel=1e-6)


def test_under_autocast_products_are_bfloat16_and_the_loss_float32():
    states, weight, shift, targets = tensors(rows=64, size=32)
    with torch.autocast("cpu", torch.bfloat16):
        loss = output_loss(states, weight, shift, targets)
    exact = F.cross_entropy(F.linear(states, weight, shift), targets, reduction="sum")
    rounded = F.cross_entropy(
        F.linear(states.bfloat16(), weight.bfloat16(), shift.bfloat16()).float(), targets, reduction="sum"
    )
    assert loss.dtype == torch.float32
    assert loss.item() == pytest.approx(rounded.item(), rel=1e-6)
    assert loss.item() != exact.item()
    loss.backward()
    assert weight.grad.dtype == torch.float32
    assert states.grad.dtype == torch.float32
