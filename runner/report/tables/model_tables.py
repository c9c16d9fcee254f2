"""Tables of paired tests and correlations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from runner.report.analysis.statistics import Analysis, Comparison
from runner.report.render import formatting
from runner.report.tables.comparison_labels import comparison_label, format_comparison_value
from runner.report.tables.table import Cell, Column, Table, Value

ComparisonFilter = Callable[[Comparison], bool]


def all_comparisons(analysis: Analysis) -> Table:
    """Return all paired tests. The column `units` states what n counts."""
    return _table("comparisons", "Paired tests", analysis, analysis.comparisons, shown=False)


def model_comparisons(analysis: Analysis) -> Table:
    """Return the comparisons of models over corpora and over benchmarks, for the page."""
    return _page_table(
        "models", "Models, paired over corpora and over benchmarks", analysis, lambda comparison: not comparison.within
    )


def comparisons_with_full(analysis: Analysis) -> Table:
    """Return the comparisons of each corpus with full over benchmarks, for the page."""
    title = "Each corpus compared with full, over benchmarks"
    table = _page_table(
        "against-full", title, analysis, lambda comparison: bool(comparison.within and comparison.model)
    )
    return replace(table, folded=True)


def comparisons_within(analysis: Analysis, units: str) -> Table:
    """Return the comparisons of models within each corpus (if `units` is benchmarks) or each benchmark (if corpora)."""
    title = "Models within each corpus" if units == "benchmarks" else "Models within each benchmark"
    table = _page_table(
        f"within-{units}",
        f"{title}, over {units}",
        analysis,
        lambda comparison: bool(comparison.within) and not comparison.model and comparison.units == units,
    )
    return replace(table, folded=True)


def _page_table(name: str, title: str, analysis: Analysis, keep: ComparisonFilter) -> Table:
    kept = [comparison for comparison in analysis.comparisons if keep(comparison) and comparison.test.n > 1]
    return replace(_table(name, title, analysis, kept), saved=False)


def _table(
    name: str, title: str, analysis: Analysis, comparisons: Sequence[Comparison], *, shown: bool = True
) -> Table:
    level = formatting.percentage(analysis.results.run.report.confidence)
    compares_corpora = any(comparison.model for comparison in comparisons)
    columns = (
        Column("what", "what", look="name", saved=False),
        Column("measure", "measure", shown=False),
        Column("suite", "suite", shown=False),
        Column("cells", "benchmarks", help="all benchmarks of the suite, or the targeted ones", shown=False),
        Column("units", "units", help="what n counts; each unit is a mean", look="quiet"),
        Column("within", "within", help="the corpus or benchmark to which the test is restricted", shown=False),
        Column("baseline", "with full", "yes", "whether the units or their means include full", shown=False),
        Column("a", "a", shown=not compares_corpora),
        Column("b", "b", shown=not compares_corpora),
        Column("model", "model", help="of a and b, if they are corpora", shown=compares_corpora),
        Column("n", "n", "count"),
        Column("mean_a", "corpus" if compares_corpora else "mean a", "number"),
        Column("mean_b", "full" if compares_corpora else "mean b", "number"),
        Column("difference", "a − b", "number", f"with its {level} paired t interval; accuracies in points"),
        Column("low", f"{level} low", "number", shown=False),
        Column("high", f"{level} high", "number", shown=False),
        Column("t", "t", "number"),
        Column("df", "df", "count", shown=False),
        Column("p", "p", "p", "two-sided paired t test"),
        Column(
            "holm",
            "Holm",
            "p",
            "p adjusted over the tests of the same two models, or of a model with full, over the same units",
        ),
        Column("bh", "BH", "p", "Benjamini-Hochberg, over the same tests"),
        Column("d_z", "d_z", "number", "mean difference divided by the SD of the differences"),
        Column("d_pooled", "d pooled", "number", "mean difference divided by the pooled SD", shown=False),
        Column("detectable", "detectable", "number", "smallest difference detected with power 0.8 at 5 %"),
        Column("note", "note", shown=False),
    )
    return Table(name, title, columns, tuple(_row(comparison, comparisons) for comparison in comparisons), shown=shown)


def _row(comparison: Comparison, comparisons: Sequence[Comparison]) -> tuple[Value | Cell, ...]:
    test = comparison.test

    def value_cell(value: float | None, small: str = "") -> Cell:
        return Cell(value, text=format_comparison_value(comparison, value), small=small)

    interval = (
        test.note
        if test.low is None
        else f"[{format_comparison_value(comparison, test.low)}, {format_comparison_value(comparison, test.high)}]"
    )
    return (
        *(comparison_label(comparison, comparisons), comparison.measure, comparison.suite, comparison.paradigms),
        *(comparison.units, comparison.within, comparison.with_full, comparison.a, comparison.b, comparison.model),
        *(
            test.n,
            value_cell(test.mean_a),
            value_cell(test.mean_b),
            value_cell(test.difference, interval),
            test.low,
            test.high,
        ),
        *(
            test.t,
            test.df,
            test.p,
            comparison.holm,
            comparison.bh,
            test.d_z,
            test.d_pooled,
            value_cell(test.detectable),
            test.note,
        ),
    )


def correlations(analysis: Analysis) -> Table:
    """Return all correlations between quantities or between models."""
    level = formatting.percentage(analysis.results.run.report.confidence)
    columns = (
        Column("x", "x", look="name"),
        Column("y", "y"),
        Column("suite", "suite", shown=False),
        Column("units", "units", help="what n counts; a unit is a mean over seeds", look="quiet"),
        Column("baseline", "with full", "yes"),
        Column("models", "models", "list"),
        Column("n", "n", "count"),
        Column("r", "r", "number", f"Pearson's r with Fisher's {level} interval", interval=("low", "high"), digits=3),
        Column("low", f"{level} low", "number", "Fisher's z", shown=False),
        Column("high", f"{level} high", "number", "Fisher's z", shown=False),
        Column("p", "p", "p", "two-sided, t with n − 2 degrees of freedom"),
    )
    rows = tuple(
        (
            *(row.x, row.y, row.suite, row.units, row.with_full, " ".join(row.models)),
            *(r.n, r.r, r.low, r.high, r.p),
        )
        for row in analysis.correlations
        for r in (row.correlation,)
    )
    return Table("correlations", "Correlations", columns, rows)
