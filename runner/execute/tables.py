"""The tables of scores, of learning curves and of placebos in the results of a run."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq

from runner.execute.prepared import Prepared
from runner.execute.warnings import counted_pairs, sizes_of
from runner.machine import AUTO
from runner.model.saved import ABOUT
from runner.readers import parse_json
from runner.report.long_form import CHECKPOINT, COLUMNS
from runner.report.records import PLACEBOS, Draw, DrawScores, Placebo, RunCard
from runner.score.any_suite import KINDS, PAIRS, kind_of_table
from runner.score.convention import UNIGRAM, Convention
from runner.score.measures import Ties, accuracy
from runner.score.pair_matrices import Score
from runner.score.suite_kind import AnySuite, SuiteKind, with_labels
from runner.score.sweep import models_in, summary_values, sweep
from runner.steps.names import TextName
from runner.steps.plan import Training
from runner.steps.variants import control_of, describe_condition
from runner.tables import csv_text
from runner.train.spec import CHECKPOINTS, LOG, RESULT
from runner.workspace import atomic_write, write_text

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
    """Score each checkpoint of a trained model, if any, and write summaries per paradigm to `out/curve.json`."""
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
    condition: str
    model: str
    seed: int
    training_folder: Path
    score_folders: Mapping[str, Path]
    keep: Literal["best", "last"] = "best"


def write_curves(cells: Iterable[FinishedCell], ties: Callable[[str], Ties], path: Path) -> None:
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


def write_scores(prepared: Prepared, cells: list[Training], folder: Path) -> None:
    resolved = prepared.plan.resolved
    for kind in KINDS:
        names = [suite.name for suite in resolved.suites if suite.kind == kind.name]
        if names:
            unigrams = _unigrams(prepared) if kind is PAIRS else ()
            _write([*unigrams, *_tables(prepared, cells, names, kind)], folder / kind.results)
            kind.write_more({name: prepared.suite(name) for name in names}, folder)


def write_tokens(prepared: Prepared, cells: list[Training], path: Path) -> None:
    tables = [
        with_labels(pq.read_table(file), Score(cell.condition, cell.model, cell.seed), suite)
        for cell in cells
        for suite, step in cell.scores.items()
        if (file := prepared.cache.folder(step) / "tokens.parquet").exists()
    ]
    _write(tables, path)


def _write(tables: list[pa.Table], path: Path) -> None:
    if not tables:
        return
    with atomic_write(path) as temp:
        pq.write_table(pa.concat_tables(tables), temp, write_page_checksum=True)


def _unigrams(prepared: Prepared) -> Iterator[pa.Table]:
    plan = prepared.plan
    for (corpus, suite), step in plan.unigrams.items():
        table = pq.read_table(prepared.cache.folder(step) / "scores.parquet")
        unigram = Score(corpus.condition, UNIGRAM, -1)
        yield with_labels(counted_pairs(plan, suite, table), unigram, suite)


def _tables(prepared: Prepared, cells: list[Training], suites: list[str], kind: SuiteKind[Any]) -> Iterator[pa.Table]:
    for cell in cells:
        for suite in suites:
            table = pq.read_table(prepared.cache.folder(cell.scores[suite]) / "scores.parquet")
            convention = Convention(**prepared.plan.resolved.convention(suite, cell.model))
            counted = counted_pairs(prepared.plan, suite, table)
            yield with_labels(kind.rows(counted, convention), Score(cell.condition, cell.model, cell.seed), suite)


def write_placebos(prepared: Prepared, cells: Sequence[Training], card: RunCard, folder: Path) -> None:
    resolved, placebos = prepared.plan.resolved, list[Placebo]()
    for name in prepared.plan.placebos:
        control, by_corpus = control_of(name, resolved), dict[TextName, list[Training]]()
        assert control is not None
        for cell in cells:
            if cell.condition == name:
                by_corpus.setdefault(cell.corpus, []).append(cell)
        draws = tuple(_draw(prepared, group, card) for group in by_corpus.values())
        placebos.append(
            Placebo(name=name, control_of=control, what=describe_condition(resolved.conditions[name]), draws=draws)
        )
    if placebos:
        content = [placebo.model_dump() for placebo in placebos]
        write_text(folder / PLACEBOS, json.dumps(content, indent=1, ensure_ascii=False) + "\n")


def _draw(prepared: Prepared, cells: Sequence[Training], card: RunCard) -> Draw:
    corpus, seed = cells[0].corpus, cells[0].seed
    sizes = sizes_of(prepared.cache, prepared.plan, corpus)
    models = {cell.model: _scores(prepared, cell, card) for cell in cells}
    assert corpus.draw is not None
    return Draw(draw=corpus.draw, seed=seed, **sizes, models=models)


def _scores(prepared: Prepared, cell: Training, card: RunCard) -> DrawScores:
    folder = prepared.cache.folder
    perplexities = parse_json((folder(cell.perplexity) / "perplexity.json").read_text(encoding="utf-8"))
    losses = {name: value["nll"] / value["tokens"] for name, value in perplexities.items() if value["tokens"]}
    accuracies: dict[str, float | None] = {}
    for suite in (suite.name for suite in prepared.plan.resolved.suites if suite.kind == "pairs"):
        table = counted_pairs(prepared.plan, suite, pq.read_table(folder(cell.scores[suite]) / "scores.parquet"))
        accuracies |= {f"{suite}/{row.paradigm}": row.accuracy for row in accuracy(table, card.ties(suite))}
    return DrawScores(accuracies=accuracies, losses=losses)
