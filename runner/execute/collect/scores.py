"""Write the scores of cells as the tables that the report reads, one per kind of suite."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from runner.execute.prepare.pair_checks import counted_pairs
from runner.execute.prepare.prepare import Preparation
from runner.manifest.model import UNIGRAM
from runner.readers import parse_json
from runner.report.score_matrices import PREFERENCES
from runner.report.scored_results import alternants, evaluate_predictions, with_labels, with_unigram_scores
from runner.score.any_suite import COVARIATES
from runner.score.convention import Convention
from runner.score.suites import SuiteKind
from runner.steps.cells import Cell
from runner.workspace import atomic_write, write_text

FILES: Mapping[SuiteKind, str] = {
    "pairs": "items.parquet",
    "sentences": "ratings.parquet",
    "syntaxgym": "syntaxgym.parquet",
    "preference": PREFERENCES,
}


def write_scores(preparation: Preparation, cells: list[Cell], folder: Path) -> None:
    """Write a file for each kind of suite, with one row per cell and pair, sentence or prediction."""
    resolved = preparation.plan.resolved
    for kind, file in FILES.items():
        names = [suite.name for suite in resolved.suites if suite.kind == kind]
        tables = [
            *(_unigrams(preparation) if kind == "pairs" else ()),
            *_tables(preparation, cells, names, READERS[kind]),
        ]
        _write(tables, folder / file)


def write_covariates(preparation: Preparation, path: Path) -> None:
    """Write the covariates of alternant pairs by suite, if there are such suites."""
    resolved = preparation.plan.resolved
    files = {
        suite.name: preparation.suite(suite.name).parent / COVARIATES
        for suite in resolved.suites
        if suite.kind == "preference"
    }
    if not files:
        return
    content = {name: parse_json(file.read_text(encoding="utf-8")) for name, file in files.items()}
    write_text(path, json.dumps(content, ensure_ascii=False) + "\n")


def write_tokens(preparation: Preparation, cells: list[Cell], path: Path) -> None:
    """Write the scores by token that cells saved for example pairs, if any."""
    tables = [
        with_labels(pq.read_table(file), cell.condition, cell.model, cell.seed, suite)
        for cell in cells
        for suite, step in cell.scores.items()
        if (file := preparation.cache.folder(step) / "tokens.parquet").exists()
    ]
    _write(tables, path)


def _write(tables: list[pa.Table], path: Path) -> None:
    """Write tables as one file, if any."""
    if not tables:
        return
    with atomic_write(path) as temp:
        pq.write_table(pa.concat_tables(tables), temp, write_page_checksum=True)


def _unigrams(preparation: Preparation) -> Iterator[pa.Table]:
    """Yield the scores of the unigram baseline of each condition, computed on the first corpus of the condition."""
    plan = preparation.plan
    for (corpus, suite), step in plan.unigrams.items():
        table = pq.read_table(preparation.cache.folder(step) / "scores.parquet")
        yield with_labels(counted_pairs(plan, suite, table), plan.variants[corpus].condition, UNIGRAM, -1, suite)


def _tables(
    preparation: Preparation, cells: list[Cell], suites: list[str], read: Callable[[pa.Table, Convention], pa.Table]
) -> Iterator[pa.Table]:
    for cell in cells:
        for suite in suites:
            table = pq.read_table(preparation.cache.folder(cell.scores[suite]) / "scores.parquet")
            convention = Convention(**preparation.plan.resolved.convention(suite, cell.model))
            counted = counted_pairs(preparation.plan, suite, table)
            yield with_labels(read(counted, convention), cell.condition, cell.model, cell.seed, suite)


def _pairs(table: pa.Table, convention: Convention) -> pa.Table:  # noqa: ARG001
    return table


def _predictions(table: pa.Table, convention: Convention) -> pa.Table:  # noqa: ARG001
    return evaluate_predictions(table)


def _preferences(table: pa.Table, convention: Convention) -> pa.Table:  # noqa: ARG001
    return alternants(table)


READERS: Mapping[SuiteKind, Callable[[pa.Table, Convention], pa.Table]] = {
    "pairs": _pairs,
    "sentences": with_unigram_scores,
    "syntaxgym": _predictions,
    "preference": _preferences,
}
