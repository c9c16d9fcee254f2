"""Names of the files and folders that training writes. Importing them does not load torch."""

from __future__ import annotations

MODEL, CHECKPOINTS, RESULT, LOG = "model", "checkpoints", "training.json", "train.jsonl"
CHECKPOINT, BEST = "checkpoint.safetensors", "best.safetensors"  # of unfinished training
