"""Scores of cells to the tables that the report reads: pairs, sentences with ratings, and predictions of SyntaxGym."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from runner.execute.prepare import Preparation
from runner.score.convention import Convention
from runner.score.gym import judgements
from runner.score.suite_kind import SuiteKind
from runner.score.table import as_unigram
from runner.steps.plan import Cell
from runner.workspace import atomic_write

UNIGRAM = "unigram"
FILES: Mapping[SuiteKind, str] = {
    "pairs": "items.parquet",
    "sentences": "ratings.parquet",
    "syntaxgym": "syntaxgym.parquet",
}


def write_scores(preparation: Preparation, cells: list[Cell], folder: Path) -> None:
    """A file for each kind of suite that the manifest has, a row a pair, sentence or predicted item of a cell."""
    resolved = preparation.plan.resolved
    for kind, file in FILES.items():
        names = [suite.name for suite in resolved.suites if suite.kind == kind]
        tables = [*(_unigrams(preparation) if kind == "pairs" else ()), *_tables(preparation, cells, names, READ[kind])]
        if tables:
            with atomic_write(folder / file) as temp:
                pq.write_table(pa.concat_tables(tables), temp, write_page_checksum=True)


def _unigrams(preparation: Preparation) -> Iterator[pa.Table]:
    for (condition, suite), step in preparation.plan.unigrams.items():
        table = pq.read_table(preparation.cache.folder(step) / "scores.parquet")
        yield _labelled(table, condition, UNIGRAM, -1, suite)


def _tables(
    preparation: Preparation, cells: list[Cell], suites: list[str], read: Callable[[pa.Table, Convention], pa.Table]
) -> Iterator[pa.Table]:
    for cell in cells:
        for suite in suites:
            table = pq.read_table(preparation.cache.folder(cell.scores[suite]) / "scores.parquet")
            convention = Convention(**preparation.plan.resolved.convention(suite, cell.model))
            yield _labelled(read(table, convention), cell.condition, cell.model, cell.seed, suite)


def _labelled(table: pa.Table, condition: str, model: str, seed: int, suite: str) -> pa.Table:
    n = table.num_rows
    labels = {
        "condition": pa.array([condition] * n),
        "model": pa.array([model] * n),
        "seed": pa.array([seed] * n, pa.int32()),
        "suite": pa.array([suite] * n),
    }
    return pa.table({**labels, **{name: table[name] for name in table.column_names}})


def _pairs(table: pa.Table, convention: Convention) -> pa.Table:  # noqa: ARG001
    return table


def _ratings(table: pa.Table, convention: Convention) -> pa.Table:
    """With the score that word frequencies alone would give, as `score_unigram`."""
    return table.append_column("score_unigram", as_unigram(table, convention.normalise)["score"])


def _predictions(table: pa.Table, convention: Convention) -> pa.Table:  # noqa: ARG001
    found = list(judgements(table))
    columns = {
        "phenomenon": pa.array([one.suite for one in found], pa.string()),
        "paradigm": pa.array([one.name for one in found], pa.string()),
        "prediction": pa.array([one.prediction for one in found], pa.string()),
        "item": pa.array([one.item for one in found], pa.int32()),
        "holds": pa.array([one.holds for one in found], pa.bool_()),
    }
    return pa.table(columns)


READ: Mapping[SuiteKind, Callable[[pa.Table, Convention], pa.Table]] = {
    "pairs": _pairs,
    "sentences": _ratings,
    "syntaxgym": _predictions,
}
