"""The table of detectable changes and provable margins by number of seeds and pairs."""

from __future__ import annotations

from collections.abc import Sequence

from runner.report.analysis.contrasts import pilot_contrasts
from runner.report.analysis.statistics import Analysis
from runner.report.tables.cells import limit_cell
from runner.report.tables.table import Column, Row, Table

NO_VARIANCE = "all seeds of both sides agree on every pair, so the pilot has no variance"


def power(analysis: Analysis, seed_counts: Sequence[int], pair_counts: Sequence[int]) -> Table:
    """Return the table of the detectable change and the provable margin of other designs.

    It has one row for each combination of a contrast of `pilot_contrasts`, a number of seeds on each side and a number
    of pairs. The promised values are those at the upper limit of the pilot's variance, beside those at its estimate. If
    the decisions of a contrast do not vary, they say nothing about power, and all values are None.
    """
    confidence = analysis.results.run.report.confidence
    contrasts = pilot_contrasts(list(analysis.contrasts.values()))
    rows: list[Row] = []
    for contrast in contrasts:
        for seed_count in seed_counts:
            for pair_count in pair_counts:
                assert contrast.variances is not None
                se, _ = contrast.variances.se(seed_count, pair_count)
                labels = (contrast.unit.suite, contrast.unit.name, contrast.condition, contrast.model)
                limits = contrast.variances.limits(seed_count, pair_count, confidence)
                values: list[float | None] = [None] * 4
                if limits is not None:
                    estimate, upper = limits
                    values = [estimate.detectable, upper.detectable, estimate.provable, upper.provable]
                note = "" if limits else NO_VARIANCE
                rows.append((*labels, seed_count, pair_count, se, *map(limit_cell, values), note))
    columns = (
        Column("suite", "suite", shown=len(analysis.results.suites) > 1),
        Column("paradigm", "paradigm", look="name"),
        Column("condition", "condition"),
        Column("model", "model"),
        Column("seeds", "seeds", "count", "on each side"),
        Column("pairs", "pairs", "count"),
        Column("se", "SE", "percent", "standard error of the change, points", shown=False),
        Column("detectable_estimate", "detectable, estimated", "percent", "at the variance that the pilot estimates"),
        Column("detectable", "promised", "percent", "smallest change detected with power 0.8, points"),
        Column("provable_estimate", "provable, estimated", "percent", "at the variance that the pilot estimates"),
        Column("provable", "promised", "percent", "smallest margin for which “held” has power 0.8, points"),
        Column("note", "note", shown=any(row[-1] for row in rows)),
    )
    return Table("power", "What other designs would detect and prove", columns, tuple(rows))
