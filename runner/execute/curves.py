"""The checkpoints of a cell to sums a paradigm, and the cells' sums and logs to one table of values over training."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from runner.report.long_form import CHECKPOINT, COLUMNS
from runner.score.any_suite import AnySuite
from runner.score.convention import Convention
from runner.score.gym import judgements
from runner.score.measures import TIE_VALUE, Ties, score_column
from runner.score.ratings import Sentences, correlation
from runner.score.suite import Suite
from runner.score.sweep import models_in, sweep
from runner.train.loop import CHECKPOINTS, LOG
from runner.workspace import write_text

if TYPE_CHECKING:
    import pyarrow as pa

CURVE = "curve.json"
Trained = tuple[tuple[str, str, int], Path, Mapping[str, Path]]
EVENTS = {"train": ("loss", "train", "loss"), "valid": ("perplexity", "valid", "ppl")}  # what, of which text, metric


def score_checkpoints(trained: Path, suite: AnySuite, convention: Convention, out: Path) -> None:
    """Score each checkpoint of a trained model, sums a paradigm into `out/curve.json`; nothing without checkpoints.

    Of sentences with ratings there is one number, Pearson's r.
    """
    folder = trained / CHECKPOINTS
    if not folder.is_dir():
        return
    only = models_in(folder)[0].name  # where there is one, the sweep gives it no name
    rows: list[dict[str, Any]] = []
    for found in sweep(folder, suite, lambda _: convention):
        tokens = int(found.checkpoint or only)
        rows += [{"tokens": tokens, **row} for row in _sums(suite, found.table)]
    write_text(out / CURVE, json.dumps(rows) + "\n")


def _sums(suite: AnySuite, table: pa.Table) -> Iterator[dict[str, Any]]:
    match suite:
        case Suite():
            yield from _sums_of_pairs(table)
        case Sentences():
            yield {"pearson": correlation(table, None).r}
        case _:
            by_name: dict[str, list[bool]] = {}
            for one in judgements(table):
                if one.holds is not None:
                    by_name.setdefault(one.name, []).append(one.holds)
            for name, holds in by_name.items():
                yield {"paradigm": name, "pairs": len(holds), "right": sum(holds), "ties": 0, "delta": None}


def _sums_of_pairs(table: pa.Table) -> Iterator[dict[str, Any]]:
    good, bad = (score_column(table, name) for name in ("score_good", "score_bad"))
    names = np.asarray(table.column("paradigm").to_pylist())
    for paradigm in dict.fromkeys(names.tolist()):
        at = (names == paradigm) & np.isfinite(good) & np.isfinite(bad)
        sums = {"right": int((good[at] > bad[at]).sum()), "ties": int((good[at] == bad[at]).sum())}
        delta = float((good[at] - bad[at]).mean()) if at.any() else None
        yield {"paradigm": paradigm, "pairs": int(at.sum()), **sums, "delta": delta}


def write_curves(
    cells: Iterable[tuple[tuple[str, str, int], Path, Mapping[str, Path]]], ties: Ties, path: Path
) -> None:
    """Losses, validation perplexities, and accuracies and mean PΔ of checkpoints, in long form.

    `cells` are condition, model and seed with the folder of the training and those of the scores by suite.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*COLUMNS, CHECKPOINT])
    for cell, trained, scores in cells:
        for benchmark, metric, value, tokens in (*_logged(trained), *_scored(scores, ties)):
            writer.writerow([*cell, benchmark, metric, repr(value), tokens])
    write_text(path, out.getvalue())


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


def _scored(scores: Mapping[str, Path], ties: Ties) -> Iterator[Value]:
    for suite, folder in scores.items():
        if not (folder / CURVE).exists():
            continue
        for row in json.loads((folder / CURVE).read_text(encoding="utf-8")):
            if row.get("pearson") is not None:
                yield suite, "pearson", row["pearson"], row["tokens"]
            elif row.get("pairs"):
                benchmark = f"{suite}/{row['paradigm']}"
                right = row["right"] + TIE_VALUE[ties] * row["ties"]
                yield benchmark, "accuracy", right / row["pairs"], row["tokens"]
                if row["delta"] is not None:
                    yield benchmark, "delta", row["delta"], row["tokens"]
