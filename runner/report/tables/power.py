"""The table of detectable changes and provable margins by number of seeds and pairs."""

from __future__ import annotations

from collections.abc import Sequence

from runner.report.analysis.contrasts import pilot_contrasts
from runner.report.analysis.statistics import Analysis
from runner.report.tables.cells import limit_cell
from runner.report.tables.table import Column, Table
from runner.score.statistics.power import power_limits


def power(analysis: Analysis, seed_counts: Sequence[int], pair_counts: Sequence[int]) -> Table:
    """Return the table of the detectable change and the provable margin of other designs.

    It has one row for each combination of a contrast of `pilot_contrasts`, a number of seeds on each side and a number
    of pairs. If the decisions of a contrast do not vary, they say nothing about power, and both values are None.
    """
    confidence = analysis.results.run.report.confidence
    columns = (
        Column("suite", "suite", shown=len(analysis.results.suites) > 1),
        Column("paradigm", "paradigm", look="name"),
        Column("condition", "condition"),
        Column("model", "model"),
        Column("seeds", "seeds", "count", "on each side"),
        Column("pairs", "pairs", "count"),
        Column("se", "SE", "percent", "standard error of the change, points", shown=False),
        Column("detectable", "detectable", "percent", "smallest change detected with power 0.8, points"),
        Column(
            "provable", "provable", "percent", "smallest margin for which the verdict is “held” with power 0.8, points"
        ),
    )
    rows = []
    for contrast in pilot_contrasts(list(analysis.contrasts.values())):
        for seed_count in seed_counts:
            for pair_count in pair_counts:
                assert contrast.variances is not None
                se, df = contrast.variances.se(seed_count, pair_count)
                labels = (contrast.unit.suite, contrast.unit.name, contrast.condition, contrast.model)
                cell_limits = power_limits(se, df, confidence) if se else (None, None)
                rows.append((*labels, seed_count, pair_count, se, *map(limit_cell, cell_limits)))
    return Table("power", "What other designs would detect and prove", columns, tuple(rows))
