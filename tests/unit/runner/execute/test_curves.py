"""Logs and sums of checkpoints to values in long form, as the report reads them."""

import json
from pathlib import Path

import pytest

from runner.execute.curves import CURVE, write_curves
from runner.report.long_form import read_long_form
from runner.train.loop import LOG

EVENTS = [
    {"event": "train", "step": 1, "tokens": 100, "loss": 5.0, "tokens_per_second": 7, "eta": 1.0},
    {"event": "valid", "step": 1, "tokens": 100, "perplexity": 150.0, "best": True},
    {"event": "checkpoint", "step": 1, "tokens": 100, "asked": 90},
    {"event": "valid", "step": 1, "tokens": 100, "perplexity": 150.0, "best": True},
    {"event": "train", "step": 2, "tokens": 200, "loss": 4.5, "tokens_per_second": 9, "eta": 0.0},
]
SUMS = [
    {"tokens": 100, "paradigm": "passive_1", "pairs": 10, "right": 6, "ties": 2, "delta": 0.25},
    {"tokens": 100, "paradigm": "passive_2", "pairs": 0, "right": 0, "ties": 0, "delta": None},
]


@pytest.mark.parametrize(("ties", "accuracy"), [("half", 0.7), ("strict", 0.6), ("argmax", 0.8)])
def test_curves(tmp_path: Path, ties: str, accuracy: float) -> None:
    (tmp_path / LOG).write_text("".join(json.dumps(event) + "\n" for event in EVENTS), encoding="utf-8")
    (tmp_path / "scores").mkdir()
    (tmp_path / "scores" / CURVE).write_text(json.dumps(SUMS), encoding="utf-8")
    cell = (("full", "lstm", 1), tmp_path, {"blimp": tmp_path / "scores"})
    write_curves([cell], ties, tmp_path / "curves.csv")
    found = read_long_form(tmp_path / "curves.csv").rows
    assert {(row.benchmark, row.metric, row.checkpoint): row.value for row in found} == {
        ("train", "loss", 100): 5.0,
        ("train", "loss", 200): 4.5,
        ("valid", "ppl", 100): 150.0,
        ("blimp/passive_1", "accuracy", 100): pytest.approx(accuracy),
        ("blimp/passive_1", "delta", 100): 0.25,
    }


def test_no_cell_no_value(tmp_path: Path) -> None:
    write_curves([], "half", tmp_path / "curves.csv")
    assert read_long_form(tmp_path / "curves.csv", empty=True).rows == ()
