"""Learning curves: score the checkpoints of a cell, and write losses and scores over training as a table."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

import pyarrow.parquet as pq

from runner.machine import AUTO
from runner.model.saved import ABOUT
from runner.report.long_form import CHECKPOINT, COLUMNS
from runner.score.any_suite import AnySuite, kind_of_table
from runner.score.convention import Convention
from runner.score.measures import Ties
from runner.score.sweep import models_in, summary_values, sweep
from runner.tables import csv_text
from runner.train.spec import CHECKPOINTS, LOG, RESULT
from runner.workspace import write_text

CurvePoint: TypeAlias = tuple[str, str, float, int]  # benchmark, metric, value, tokens
CURVE = "curve.json"
# by event: the key of the value, the text, the metric
EVENTS = {
    "train": ("loss", "train", "loss"),
    "valid": ("perplexity", "valid", "ppl"),
}


def score_checkpoints(
    training_folder: Path, suite: AnySuite, convention: Convention, out: Path, device: str = AUTO
) -> None:
    """Score each checkpoint of a trained model, if any, and write summaries per paradigm to `out/curve.json`.

    In a summary, `tokens` is the number of tokens read, which may exceed the requested number by part of a step. The
    summary of rated sentences is Pearson's r.
    """
    folder = training_folder / CHECKPOINTS
    if not folder.is_dir():
        return
    single_name = models_in(folder)[0].name  # the sweep does not name a single checkpoint
    rows: list[dict[str, Any]] = []
    for scores in sweep(folder, suite, lambda _: convention, device=device):
        checkpoint = json.loads((folder / (scores.checkpoint or single_name) / ABOUT).read_text(encoding="utf-8"))
        rows += [{"tokens": checkpoint["tokens"], **row} for row in kind_of_table(scores.table).summaries(scores.table)]
    write_text(out / CURVE, json.dumps(rows) + "\n")


@dataclass(frozen=True, slots=True)
class FinishedCell:
    """A finished cell: the folder of its training, the folders of its scores by suite, and the checkpoint it keeps."""

    condition: str
    model: str
    seed: int
    training_folder: Path
    score_folders: Mapping[str, Path]
    keep: Literal["best", "last"] = "best"


def write_curves(cells: Iterable[FinishedCell], ties: Callable[[str], Ties], path: Path) -> None:
    """Write losses, validation perplexities, and the values of checkpoints, in long form.

    The values of a checkpoint are accuracies, mean PΔ and correlations (Pearson's r). `ties` returns how ties count for
    a suite. Values that are not finite are omitted.
    """
    rows = [
        (cell.condition, cell.model, cell.seed, benchmark, metric, repr(value), tokens)
        for cell in cells
        for benchmark, metric, value, tokens in (*_logged_values(cell.training_folder), *_checkpoint_values(cell, ties))
        if math.isfinite(value)
    ]
    write_text(path, csv_text([(*COLUMNS, CHECKPOINT), *rows]))


def _logged_values(training_folder: Path) -> Iterator[CurvePoint]:
    """Yield the last value at each number of tokens. A checkpoint may cause a second validation at the same number."""
    logged: dict[tuple[str, str, int], float] = {}
    for line in (training_folder / LOG).read_text(encoding="utf-8").splitlines():
        event = json.loads(line)
        if event["event"] in EVENTS:
            key, text, metric = EVENTS[event["event"]]
            logged[text, metric, event["tokens"]] = event[key]
    for (text, metric, tokens), value in logged.items():
        yield text, metric, value, tokens


def _checkpoint_values(cell: FinishedCell, ties: Callable[[str], Ties]) -> Iterator[CurvePoint]:
    """Yield the values of the checkpoints, and those of the kept model if it is the model after the last step."""
    result = json.loads((cell.training_folder / RESULT).read_text(encoding="utf-8"))
    keeps_last = cell.keep == "last" or result["best_step"] == result["steps"]
    for suite, folder in cell.score_folders.items():
        if not (folder / CURVE).exists():
            continue
        rows = json.loads((folder / CURVE).read_text(encoding="utf-8"))
        if keeps_last and all(row["tokens"] < result["tokens"] for row in rows):
            table = pq.read_table(folder / "scores.parquet")
            rows += [{"tokens": result["tokens"], **row} for row in kind_of_table(table).summaries(table)]
        for row in rows:
            for benchmark, metric, value in summary_values(suite, row, ties(suite)):
                yield benchmark, metric, value, row["tokens"]
