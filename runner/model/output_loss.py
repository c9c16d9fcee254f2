"""Hidden states and an output layer to the loss, the softmax of the wide logits a few rows at a time.

With a large vocabulary the logits are by far the largest tensor of a step. Here they exist once, in the precision of
the states, and their gradient takes their place; only as many rows as fit into the cache are in float32 beside them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

CACHED = {"cpu": 1 << 18, "cuda": 1 << 28}  # logits in float32 at once: what fits into a cache, or into memory
HELD = {"cpu": 1 << 23, "cuda": 1 << 28}  # logits at once where no gradient needs them all


def output_loss(states: Tensor, weight: Tensor, bias: Tensor | None, targets: Tensor) -> Tensor:
    """Summed negative log-likelihood, a float32 scalar, of `targets` (N,) under states (N, H) · weightᵀ (V, H) + bias.

    Products run in the precision that autocast asks for, softmax and sums in float32. Differentiable once.
    """
    device = states.device.type
    if torch.is_autocast_enabled(device):
        states = states.to(torch.get_autocast_dtype(device))
    with torch.autocast(device, enabled=False):
        if torch.is_grad_enabled():
            loss: Tensor = _OutputLoss.apply(states, weight, bias, targets)  # type: ignore[no-untyped-call]
            return loss
        cast, shift = weight.to(states.dtype), None if bias is None else bias.to(states.dtype)
        rows = _rows(weight, HELD)
        parts = [
            F.cross_entropy(F.linear(some, cast, shift).float(), wanted, reduction="sum")
            for some, wanted in zip(torch.split(states, rows), torch.split(targets, rows), strict=True)
        ]
        return torch.stack(parts).double().sum().float()


def _rows(weight: Tensor, sizes: Mapping[str, int]) -> int:
    return max(1, sizes[weight.device.type] // len(weight))


class _OutputLoss(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, states: Tensor, weight: Tensor, bias: Tensor | None, targets: Tensor) -> Tensor:
        cast, shift = weight.to(states.dtype), None if bias is None else bias.to(states.dtype)
        rows = _rows(weight, CACHED)
        logits = F.linear(states, cast, shift)  # and then their gradient: softmax − 1 at the target
        bias_gradient = None if bias is None else torch.zeros_like(bias)
        total = torch.zeros((), dtype=torch.float64, device=states.device)
        for start in range(0, len(states), rows):
            part = slice(start, start + rows)
            wanted, scores = targets[part, None], logits[part].float()
            found = torch.softmax(scores, 1)
            # −log p(target); the sum under the softmax is the reciprocal of its largest value
            total += (scores.amax(1) - found.amax(1).log() - scores.gather(1, wanted)[:, 0]).sum()
            found.scatter_add_(1, wanted, torch.full_like(wanted, -1, dtype=torch.float32))
            if bias_gradient is not None:
                bias_gradient += found.sum(0)
            logits[part] = found
        ctx.save_for_backward(logits @ cast, logits.t() @ states, bias_gradient)
        return total.float()

    @staticmethod
    def backward(ctx: Any, *outer: Tensor) -> tuple[Tensor | None, ...]:
        states, weight, bias = ctx.saved_tensors
        return outer[0] * states, weight.float().mul_(outer[0]), None if bias is None else bias * outer[0], None
