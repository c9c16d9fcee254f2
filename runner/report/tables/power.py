"""The table of detectable changes and provable margins by number of seeds and pairs."""

from __future__ import annotations

from collections.abc import Sequence

from runner.report.analysis.contrasts import pilot_contrasts
from runner.report.analysis.statistics import Analysis
from runner.report.tables.cells import limit_cell
from runner.report.tables.table import Column, Table
from runner.score.statistics.power import power_limits


def power(analysis: Analysis, seeds: Sequence[int], pairs: Sequence[int]) -> Table:
    """Return a row for each of `pilot_contrasts`, number of seeds on each side and number of pairs."""
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
        Column("provable", "provable", "percent", "smallest margin that gives the verdict held with power 0.8"),
    )
    rows = []
    for contrast in pilot_contrasts(list(analysis.contrasts.values())):
        for seed_count in seeds:
            for items in pairs:
                assert contrast.variances is not None
                se, df = contrast.variances.se(seed_count, items)
                labels = (contrast.unit.suite, contrast.unit.name, contrast.condition, contrast.model)
                cell_limits = power_limits(se, df, confidence) if se else (None, None)
                rows.append((*labels, seed_count, items, se, *map(limit_cell, cell_limits)))
    return Table("power", "What other designs would detect and prove", columns, tuple(rows))
