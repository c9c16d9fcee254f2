"""Logs of trainings as TensorBoard reads them back."""

import json

import pytest

from runner.execute.collect.tensorboard import write_tensorboard

EVENTS = [
    {"event": "train", "tokens": 40, "loss": 3.5, "learning_rate": 0.1, "tokens_per_second": 7},
    {"event": "valid", "tokens": 40, "perplexity": 30.5},
    {"event": "checkpoint", "tokens": 40, "asked": 30},
    {"event": "train", "tokens": 80, "loss": 2.5, "learning_rate": 0.05, "tokens_per_second": 8},
]


def test_every_cell_has_its_losses_and_perplexities_over_tokens(tmp_path):
    pytest.importorskip("tensorboard")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    for cell in ("full/m/1", "full/m/2"):
        (tmp_path / "cells" / cell).mkdir(parents=True)
        (tmp_path / "cells" / cell / "train.jsonl").write_text("".join(json.dumps(e) + "\n" for e in EVENTS))
    for _ in range(2):  # again, and nothing is doubled
        out = write_tensorboard(tmp_path)
    for cell in ("full/m/1", "full/m/2"):
        found = EventAccumulator(str(out / cell)).Reload()
        assert [(s.step, s.value) for s in found.Scalars("train/loss")] == [(40, 3.5), (80, 2.5)]
        assert [(s.step, s.value) for s in found.Scalars("valid/perplexity")] == [(40, 30.5)]
