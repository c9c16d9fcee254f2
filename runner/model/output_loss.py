"""The loss of an output layer. The softmax is computed for a few rows at a time to save memory.

With a large vocabulary the logits are by far the largest tensor of a step. They are stored once, in the precision of
the states, and overwritten by their gradient; only one block of rows at a time is converted to float32.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from runner.device import by_kind, widest_dtype

TRAINING_LOGITS = {"cpu": 1 << 18, "gpu": 1 << 28}  # per block: as many as fit into a CPU's cache or a GPU's memory
INFERENCE_LOGITS = {"cpu": 1 << 23, "gpu": 1 << 28}  # per block, without gradients


def output_loss(states: Tensor, weight: Tensor, bias: Tensor | None, targets: Tensor) -> Tensor:
    """Return the summed negative log-likelihood of `targets` (N,) under the logits states · weightᵀ + bias.

    `states` are (N, H), `weight` is (V, H); the result is a float32 scalar. Matrix products use the precision of
    autocast. The softmax is float32, and the total is summed in the device's widest type. Only first derivatives are
    available.
    """
    device = states.device.type
    if torch.is_autocast_enabled(device):
        states = states.to(torch.get_autocast_dtype(device))
    with torch.autocast(device, enabled=False):
        if torch.is_grad_enabled():
            loss: Tensor = _OutputLoss.apply(states, weight, bias, targets)  # type: ignore[no-untyped-call]
            return loss
        cast_weight, cast_bias = weight.to(states.dtype), None if bias is None else bias.to(states.dtype)
        block_rows = _block_rows(weight, INFERENCE_LOGITS)
        block_losses = [
            F.cross_entropy(F.linear(block_states, cast_weight, cast_bias).float(), block_targets, reduction="sum")
            for block_states, block_targets in zip(
                torch.split(states, block_rows), torch.split(targets, block_rows), strict=True
            )
        ]
        return torch.stack(block_losses).to(widest_dtype(device)).sum().float()


def _block_rows(weight: Tensor, logit_counts: Mapping[str, int]) -> int:
    return max(1, by_kind(weight.device, **logit_counts) // len(weight))


class _OutputLoss(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, states: Tensor, weight: Tensor, bias: Tensor | None, targets: Tensor) -> Tensor:
        cast_weight, cast_bias = weight.to(states.dtype), None if bias is None else bias.to(states.dtype)
        block_rows = _block_rows(weight, TRAINING_LOGITS)
        logits = F.linear(states, cast_weight, cast_bias)  # overwritten by the gradient softmax − one_hot(target)
        bias_gradient = None if bias is None else torch.zeros_like(bias)
        total = torch.zeros((), dtype=widest_dtype(states.device), device=states.device)
        for start in range(0, len(states), block_rows):
            block = slice(start, start + block_rows)
            block_targets, float_logits = targets[block, None], logits[block].float()
            probabilities = torch.softmax(float_logits, 1)
            # −log p(target) = logsumexp(logits) − logit(target); logsumexp(logits) = max(logits) − log(max(softmax))
            total += (
                float_logits.amax(1) - probabilities.amax(1).log() - float_logits.gather(1, block_targets)[:, 0]
            ).sum()
            minus_ones = torch.full_like(block_targets, -1, dtype=torch.float32)
            gradient = probabilities.scatter_add_(1, block_targets, minus_ones)  # in place
            if bias_gradient is not None:
                bias_gradient += gradient.sum(0)
            logits[block] = gradient
        ctx.save_for_backward(logits @ cast_weight, logits.t() @ states, bias_gradient)
        return total.float()

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Tensor) -> tuple[Tensor | None, ...]:
        grad_states, grad_weight, grad_bias = ctx.saved_tensors
        scale = grad_outputs[0]
        grad_bias = None if grad_bias is None else grad_bias * scale
        return grad_states * scale, grad_weight.float().mul_(scale), grad_bias, None
