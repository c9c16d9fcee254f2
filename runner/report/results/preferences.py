"""Score differences between alternants, as one matrix (cells, pairs) for each paradigm, with covariates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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

PREFERENCES = "preferences.parquet"
COLUMNS = (
    *("condition", "model", "seed", "suite", "paradigm", "item", "first", "second"),
    *("score_first", "score_second"),
)


@dataclass(frozen=True, slots=True)
class ParadigmPreferences:
    """Pairs of alternants of a paradigm. `differences` (cells, pairs) are scores of the first minus the second.

    NaN marks a pair without scores. `covariates` maps each name to an array (pairs,).
    """

    suite: str
    paradigm: str
    cells: tuple[Cell, ...]
    differences: Floats
    covariates: Mapping[str, Floats]

    def differences_by_seed(self, condition: str, model: str) -> dict[int, Floats]:
        """Return the differences of the cells of a condition and model by seed, (pairs,) each."""
        return {
            cell.seed: row
            for cell, row in zip(self.cells, self.differences, strict=True)
            if (cell.condition, cell.model) == (condition, model)
        }


def preferences_of(
    table: pa.Table, covariates: Mapping[str, Mapping[str, Sequence[float]]], path: Path
) -> tuple[ParadigmPreferences, ...]:
    """Return the preferences, with suites and paradigms in order of appearance. `covariates` are by suite and name.

    Raises InputError (FICT891, 892).
    """
    require_columns(table, COLUMNS, path)
    labels = list(zip(*(table[column].to_pylist() for column in ("suite", "condition", "model", "seed")), strict=True))
    pairs = np.array([table[column].to_pylist() for column in ("paradigm", "first", "second")], dtype=object)
    differences = score_column(table, "score_first") - score_column(table, "score_second")
    rows_by_suite: dict[str, dict[Cell, list[int]]] = {}
    for index, (suite, *label) in enumerate(labels):
        rows_by_suite.setdefault(suite, {}).setdefault(Cell(*label), []).append(index)
    return tuple(
        preference
        for suite, rows_by_cell in rows_by_suite.items()
        for preference in _suite_preferences(suite, rows_by_cell, pairs, differences, covariates.get(suite, {}))
    )


def _suite_preferences(
    suite: str,
    rows_by_cell: Mapping[Cell, list[int]],
    pairs: np.ndarray,
    differences: Floats,
    covariates: Mapping[str, Sequence[float]],
) -> list[ParadigmPreferences]:
    expected = pairs[:, next(iter(rows_by_cell.values()))]
    for cell, rows in rows_by_cell.items():
        if not np.array_equal(pairs[:, rows], expected):
            reason = f"{suite} has different pairs in {cell.condition}/{cell.model}/{cell.seed}"
            raise InputError(diagnostic("FICT892", reason=reason))
    paradigm_of_pair = expected[0]
    if any(len(values) != len(paradigm_of_pair) for values in covariates.values()):
        counts = sorted({len(values) for values in covariates.values()} - {len(paradigm_of_pair)})
        reason = f"{suite} has {len(paradigm_of_pair)} pairs, but covariates for {counts[0]}"
        raise InputError(diagnostic("FICT892", reason=reason))
    grid = differences[np.array(list(rows_by_cell.values()))]
    return [
        ParadigmPreferences(
            suite,
            paradigm,
            tuple(rows_by_cell),
            grid[:, paradigm_of_pair == paradigm],
            {
                name: np.asarray(values, dtype=np.float64)[paradigm_of_pair == paradigm]
                for name, values in covariates.items()
            },
        )
        for paradigm in dict.fromkeys(paradigm_of_pair.tolist())
    ]
