"""The outcomes of a suite of alternants for one model: the mean score difference, and its slopes on covariates."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from runner.readers import parse_json
from runner.score.statistics.inference import Floats
from runner.score.statistics.measures import score_column
from runner.score.statistics.slopes import slope_values
from runner.score.suites.preference import Preferences

if TYPE_CHECKING:
    import pyarrow as pa

COVARIATES = "covariates"  # key of the table's metadata: values by name, in the order of the pairs
MEAN = "mean"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The mean score difference of a paradigm (first minus second alternant), or its slope on a covariate.

    `outcome` is "mean" or the name of the covariate. `value` is None if no pair has scores, or if `slope_values` has no
    slope. `se` is the standard error over pairs, or None for fewer than two. `accuracy` is the share of pairs whose
    first alternant has the higher score, where a tie counts as a half; it is None for a slope. `pairs` is the number of
    pairs with scores.
    """

    paradigm: str
    outcome: str
    value: float | None
    se: float | None
    accuracy: float | None
    pairs: int


def with_covariates(table: pa.Table, suite: Preferences) -> pa.Table:
    """Return a table of scores with the covariates of its suite as its only metadata."""
    return table.replace_schema_metadata({COVARIATES: json.dumps(suite.covariates)})


def has_preferences(table: pa.Table) -> bool:
    """Return whether a table has the scores of a suite of alternants."""
    return COVARIATES.encode() in (table.schema.metadata or {})


def covariates_of(table: pa.Table) -> dict[str, list[float]]:
    """Return the values of each covariate in a table of scores, in the order of the pairs."""
    covariates: dict[str, list[float]] = parse_json(table.schema.metadata[COVARIATES.encode()].decode())
    return covariates


def outcomes(table: pa.Table) -> list[Outcome]:
    """Return the outcomes of each paradigm: the mean, then the slope on each covariate."""
    covariates = covariates_of(table)
    differences = score_column(table, "score_good") - score_column(table, "score_bad")
    paradigms = np.asarray(table.column("paradigm").to_pylist(), dtype=str)
    all_outcomes: list[Outcome] = []
    for paradigm in dict.fromkeys(paradigms.tolist()):
        in_paradigm = paradigms == paradigm
        covariates_in_paradigm = {
            name: np.asarray(values, dtype=np.float64)[in_paradigm] for name, values in covariates.items()
        }
        all_outcomes += _paradigm_outcomes(paradigm, differences[in_paradigm], covariates_in_paradigm)
    return all_outcomes


def _paradigm_outcomes(paradigm: str, differences: Floats, covariates: Mapping[str, Floats]) -> Iterator[Outcome]:
    known = differences[~np.isnan(differences)]
    accuracy = float(((known > 0) + 0.5 * (known == 0)).mean()) if len(known) else None
    yield Outcome(paradigm, MEAN, *_mean_and_error(known), accuracy, len(known))
    for name, covariate in covariates.items():
        values = slope_values(covariate, differences)
        values = known[:0] if values is None else values[~np.isnan(values)]
        yield Outcome(paradigm, name, *_mean_and_error(values), None, len(known))


def _mean_and_error(values: Floats) -> tuple[float | None, float | None]:
    error = float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else None
    return (float(values.mean()) if len(values) else None), error
