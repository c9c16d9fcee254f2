"""Differences from fictc's own trainer, for logs and run cards."""

from __future__ import annotations

DIFFERENCES = (
    "losses and weights are those of fictc's own trainer up to rounding, which bfloat16 makes larger",
    "a step is computed in exactly `accumulate` micro-batches, with logits at every position, which takes more memory",
    "unfinished training continues from the Trainer's checkpoints",
)
