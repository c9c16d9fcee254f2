"""Logs and sums of checkpoints to values in long form, as the report reads them."""

import json
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from runner.execute.tables import CURVE, FinishedCell, score_checkpoints, write_curves
from runner.model.saved import save_model
from runner.report.long_form import read_long_form
from runner.score.any_suite import open_suite
from runner.score.convention import convention_of
from runner.train.spec import CHECKPOINTS, LOG, RESULT
from tests.support.models import LSTM, saved

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


def trained(folder: Path, best_step: int) -> None:
    (folder / LOG).write_text("".join(json.dumps(event) + "\n" for event in EVENTS), encoding="utf-8")
    (folder / RESULT).write_text(json.dumps({"steps": 2, "best_step": best_step, "tokens": 200}), encoding="utf-8")
    (folder / "scores").mkdir()
    (folder / "scores" / CURVE).write_text(json.dumps(SUMS), encoding="utf-8")


def test_checkpoints_stand_at_the_tokens_that_they_had_read(tmp_path: Path) -> None:
    for asked, read in ((90, 100), (1000, 1010)):
        folder = tmp_path / CHECKPOINTS / str(asked)
        save_model(replace(saved(LSTM), folder=folder, about={"tokens": read, "rows": "sentence", "context": 1}))
    (tmp_path / "pairs.csv").write_text("good,bad\nthe cat sees the dogs,cat the sees the dogs\n")
    suite = open_suite(tmp_path / "pairs.csv", "pairs")
    score_checkpoints(tmp_path, suite, convention_of("default", {}, masked=False, model_name="m"), tmp_path)
    assert [row["tokens"] for row in json.loads((tmp_path / CURVE).read_text())] == [100, 1010]


@pytest.mark.parametrize(("ties", "accuracy"), [("half", 0.7), ("strict", 0.6), ("argmax", 0.8)])
def test_curves(tmp_path: Path, ties: str, accuracy: float) -> None:
    trained(tmp_path, best_step=1)
    cell = FinishedCell("full", "lstm", 1, tmp_path, {"blimp": tmp_path / "scores"})
    write_curves([cell], {"blimp": ties}.__getitem__, tmp_path / "curves.csv")
    found = read_long_form(tmp_path / "curves.csv").rows
    assert {(row.benchmark, row.metric, row.checkpoint): row.value for row in found} == {
        ("train", "loss", 100): 5.0,
        ("train", "loss", 200): 4.5,
        ("valid", "ppl", 100): 150.0,
        ("blimp/passive_1", "accuracy", 100): pytest.approx(accuracy),
        ("blimp/passive_1", "delta", 100): 0.25,
    }


@pytest.mark.parametrize(("best_step", "keep"), [(2, "best"), (1, "last")])
def test_the_model_of_the_last_step_is_the_last_point(tmp_path: Path, best_step: int, keep: str) -> None:
    trained(tmp_path, best_step=best_step)
    pairs = {"paradigm": ["passive_1", "passive_1"], "score_good": [-1.0, -4.0], "score_bad": [-3.0, -3.5]}
    pairs["identical"] = [False, False]
    pq.write_table(pa.table(pairs), tmp_path / "scores" / "scores.parquet")
    cell = FinishedCell("full", "lstm", 1, tmp_path, {"blimp": tmp_path / "scores"}, keep)
    write_curves([cell], lambda _: "half", tmp_path / "curves.csv")
    found = {(row.metric, row.checkpoint): row.value for row in read_long_form(tmp_path / "curves.csv").rows}
    assert (found["accuracy", 200], found["delta", 200]) == (0.5, 0.75)


def test_values_that_are_not_finite_are_left_out(tmp_path: Path) -> None:
    trained(tmp_path, best_step=1)
    events = [
        {"event": "train", "tokens": 50, "loss": float("nan")},
        {"event": "valid", "tokens": 50, "perplexity": float("inf")},
    ]
    with (tmp_path / LOG).open("a", encoding="utf-8") as log:
        log.writelines(json.dumps(event) + "\n" for event in events)
    cell = FinishedCell("full", "lstm", 1, tmp_path, {"blimp": tmp_path / "scores"})
    write_curves([cell], lambda _: "half", tmp_path / "curves.csv")
    found = [(row.metric, row.checkpoint) for row in read_long_form(tmp_path / "curves.csv").rows]
    assert found == [("loss", 100), ("ppl", 100), ("loss", 200), ("accuracy", 100), ("delta", 100)]


def test_no_cell_no_value(tmp_path: Path) -> None:
    write_curves([], lambda _: "half", tmp_path / "curves.csv")
    assert read_long_form(tmp_path / "curves.csv", allow_empty=True).rows == ()
