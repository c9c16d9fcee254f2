"""Scores of rated sentences, as one matrix (cells, sentences) for each suite."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.report.results.columns import require_columns
from runner.report.results.items import Cell
from runner.score.statistics.inference import Floats
from runner.score.statistics.measures import score_column

if TYPE_CHECKING:
    import pyarrow as pa

COLUMNS = ("condition", "model", "seed", "suite", "item", "sentence", "rating", "score", "score_unigram")


@dataclass(frozen=True, slots=True)
class RatedSuite:
    """The sentences of a suite with ratings, (items,), and scores, (cells, items). NaN marks missing values.

    `sentences` are those of the first cell, since a condition may replace words with tags.
    """

    suite: str
    sentences: tuple[str, ...]
    ratings: Floats
    cells: tuple[Cell, ...]
    scores: Floats
    unigram: Floats  # (cells, items): unigram scores by word frequencies of the training corpus

    def mean(self, condition: str, model: str) -> Floats | None:
        """Return each sentence's score averaged over seeds, NaN if a seed has none. Return None if no cell exists."""
        return self._mean(self.scores, condition, model)

    def unigram_mean(self, condition: str, model: str) -> Floats | None:
        """Return each sentence's unigram score averaged over seeds, or None if there is no such cell."""
        return self._mean(self.unigram, condition, model)

    def _mean(self, values: Floats, condition: str, model: str) -> Floats | None:
        rows = [i for i, cell in enumerate(self.cells) if (cell.condition, cell.model) == (condition, model)]
        return np.asarray(values[rows].mean(axis=0)) if rows else None


def rated_suites(table: pa.Table, path: Path) -> tuple[RatedSuite, ...]:
    """Return the suites of `ratings.parquet`, in the order of appearance. Raises InputError (FICT891, 892)."""
    require_columns(table, COLUMNS, path)
    import pyarrow.compute as pc

    suites = table["suite"].unique().to_pylist()
    return tuple(_rated_suite(name, table.filter(pc.equal(table["suite"], name))) for name in suites)


def _rated_suite(name: str, table: pa.Table) -> RatedSuite:
    labels = list(zip(*(table[column].to_pylist() for column in ("condition", "model", "seed")), strict=True))
    rows_by_cell: dict[Cell, list[int]] = {}
    for index, label in enumerate(labels):
        rows_by_cell.setdefault(Cell(*label), []).append(index)
    ratings, items = score_column(table, "rating"), np.asarray(table["item"].to_pylist())
    scores, unigram = score_column(table, "score"), score_column(table, "score_unigram")
    grid = list(rows_by_cell.values())
    for cell, cell_rows in rows_by_cell.items():
        same_items = len(cell_rows) == len(grid[0]) and (items[cell_rows] == items[grid[0]]).all()
        if not (same_items and np.array_equal(ratings[cell_rows], ratings[grid[0]], equal_nan=True)):
            reason = f"{name} has different sentences or ratings in {cell.condition}/{cell.model}/{cell.seed}"
            raise InputError(diagnostic("FICT892", reason=reason))
    sentences = table["sentence"].to_pylist()
    return RatedSuite(
        name, tuple(sentences[i] for i in grid[0]), ratings[grid[0]], tuple(rows_by_cell), scores[grid], unigram[grid]
    )
