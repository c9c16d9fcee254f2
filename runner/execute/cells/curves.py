"""The checkpoints of a cell to sums a paradigm, and the cells' sums and logs to one table of values over training."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pyarrow.parquet as pq

from runner.model.saved_notes import ABOUT
from runner.report.results.long_form import CHECKPOINT, COLUMNS
from runner.report.results.spreadsheet import csv_text
from runner.score.evaluate.any_suite import AnySuite
from runner.score.evaluate.sums import summaries, summary_values
from runner.score.evaluate.sweep import models_in, sweep
from runner.score.scoring.convention import Convention
from runner.score.statistics.measures import Ties
from runner.train.loop import CHECKPOINTS, LOG, RESULT
from runner.workspace import write_text

CURVE = "curve.json"
EVENTS = {"train": ("loss", "train", "loss"), "valid": ("perplexity", "valid", "ppl")}  # what, of which text, metric


def score_checkpoints(trained: Path, suite: AnySuite, convention: Convention, out: Path) -> None:
    """Score each checkpoint of a trained model, sums a paradigm into `out/curve.json`; nothing without checkpoints.

    They stand at the tokens that a model had read, which are more than were asked for by a part of a step. Of sentences
    with ratings there is one number, Pearson's r.
    """
    folder = trained / CHECKPOINTS
    if not folder.is_dir():
        return
    only = models_in(folder)[0].name  # where there is one, the sweep gives it no name
    rows: list[dict[str, Any]] = []
    for found in sweep(folder, suite, lambda _: convention):
        about = json.loads((folder / (found.checkpoint or only) / ABOUT).read_text(encoding="utf-8"))
        rows += [{"tokens": about["tokens"], **row} for row in summaries(found.table)]
    write_text(out / CURVE, json.dumps(rows) + "\n")


@dataclass(frozen=True, slots=True)
class Course:
    """A finished cell: the folder of its training, those of its scores by suite, and which model was to be kept."""

    condition: str
    model: str
    seed: int
    trained: Path
    scores: Mapping[str, Path]
    keep: Literal["best", "last"] = "best"


def write_curves(cells: Iterable[Course], ties: Callable[[str], Ties], path: Path) -> None:
    """Losses, validation perplexities, and accuracies and mean PΔ of checkpoints, in long form.

    `ties` says how equal scores of a suite count. A value that is not finite, as a perplexity beyond what a float
    holds, is left out.
    """
    rows = [
        (cell.condition, cell.model, cell.seed, benchmark, metric, repr(value), tokens)
        for cell in cells
        for benchmark, metric, value, tokens in (*_logged(cell.trained), *_scored(cell, ties))
        if math.isfinite(value)
    ]
    write_text(path, csv_text([(*COLUMNS, CHECKPOINT), *rows]))


Value = tuple[str, str, float, int]  # benchmark, metric, value, tokens


def _logged(trained: Path) -> Iterator[Value]:
    """One value a number of tokens: a checkpoint may be validated where a validation is due anyway."""
    found: dict[tuple[str, str, int], float] = {}
    for line in (trained / LOG).read_text(encoding="utf-8").splitlines():
        event = json.loads(line)
        if event["event"] in EVENTS:
            what, text, metric = EVENTS[event["event"]]
            found[text, metric, event["tokens"]] = event[what]
    for (text, metric, tokens), value in found.items():
        yield text, metric, value, tokens


def _scored(cell: Course, ties: Callable[[str], Ties]) -> Iterator[Value]:
    """Those of the checkpoints, and of the model itself where it is the one that read all."""
    told = json.loads((cell.trained / RESULT).read_text(encoding="utf-8"))
    whole = cell.keep == "last" or told["best_step"] == told["steps"]
    for suite, folder in cell.scores.items():
        if not (folder / CURVE).exists():
            continue
        rows = json.loads((folder / CURVE).read_text(encoding="utf-8"))
        if whole and all(row["tokens"] < told["tokens"] for row in rows):
            rows += [{"tokens": told["tokens"], **row} for row in summaries(pq.read_table(folder / "scores.parquet"))]
        for row in rows:
            for benchmark, metric, value in summary_values(suite, row, ties(suite)):
                yield benchmark, metric, value, row["tokens"]
