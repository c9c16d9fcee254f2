"""The table of detectable changes and provable margins by number of seeds and pairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from runner.report.analysis.contrasts import pilot_contrasts
from runner.report.analysis.statistics import Analysis, Contrast
from runner.report.tables.cells import limit_cell
from runner.tables import Cell, Column, Table, Value

NO_VARIANCE = "all seeds of both sides agree on every pair, so the pilot has no variance"


class _Design:
    """A contrast of the pilot with other numbers of seeds and pairs."""

    def __init__(self, contrast: Contrast, seeds: int, pairs: int, confidence: float) -> None:
        assert contrast.variances is not None
        self.contrast, self.seeds, self.pairs = contrast, seeds, pairs
        self.se, _ = contrast.variances.se(seeds, pairs)
        self.limits = contrast.variances.limits(seeds, pairs, confidence)


def _limit(index: int, name: str) -> Callable[[_Design], Cell | Value]:
    """Return the function of a design that returns the limit at the estimate of the variance or at its upper limit."""
    return lambda row: limit_cell(getattr(row.limits[index], name) if row.limits else None)


def power(analysis: Analysis, seed_counts: Sequence[int], pair_counts: Sequence[int]) -> Table:
    """Return the table of the detectable change and the provable margin of other designs.

    It has one row for each combination of a contrast of `pilot_contrasts`, a number of seeds on each side and a number
    of pairs. The promised values are those at the upper limit of the pilot's variance, beside those at its estimate. If
    the decisions of a contrast do not vary, they say nothing about power, and all values are None.
    """
    confidence = analysis.results.run.report.confidence
    designs = [
        _Design(contrast, seed_count, pair_count, confidence)
        for contrast in pilot_contrasts(list(analysis.contrasts.values()))
        for seed_count in seed_counts
        for pair_count in pair_counts
    ]
    columns = (
        Column("suite", "suite", value="contrast.unit.suite", shown=len(analysis.results.suites) > 1),
        Column("paradigm", "paradigm", value="contrast.unit.name", look="name"),
        Column("condition", "condition", value="contrast.condition"),
        Column("model", "model", value="contrast.model"),
        Column("seeds", "seeds", "count", help="on each side"),
        Column("pairs", "pairs", "count"),
        Column("se", "SE", "percent", help="standard error of the change, points", shown=False),
        Column(
            *("detectable_estimate", "detectable, estimated", "percent", _limit(0, "detectable")),
            "at the variance that the pilot estimates",
        ),
        Column(
            *("detectable", "promised", "percent", _limit(1, "detectable")),
            "smallest change detected with power 0.8, points",
        ),
        Column(
            *("provable_estimate", "provable, estimated", "percent", _limit(0, "provable")),
            "at the variance that the pilot estimates",
        ),
        Column(
            *("provable", "promised", "percent", _limit(1, "provable")),
            "smallest margin for which “held” has power 0.8, points",
        ),
        Column(
            *("note", "note", "text", lambda row: "" if row.limits else NO_VARIANCE),
            shown=not all(row.limits for row in designs),
        ),
    )
    return Table("power", "What other designs would detect and prove", columns, designs)
