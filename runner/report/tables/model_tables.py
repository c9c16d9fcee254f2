"""Tables of paired tests and correlations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from runner.report.analysis.statistics import Analysis, Comparison
from runner.report.render import formatting
from runner.report.tables.comparison_labels import comparison_label, format_comparison_value
from runner.report.tables.table import Cell, Column, Table, Value

TestFilter = Callable[[Comparison], bool]


def comparisons(analysis: Analysis) -> Table:
    """Return all paired tests. The column `units` states what n counts."""
    return _table("comparisons", "Paired tests", analysis, analysis.comparisons, shown=False)


def model_tests(analysis: Analysis) -> Table:
    """Return the tests of models over corpora and over benchmarks, for the page."""
    return _page_table(
        "models", "Models, paired over corpora and over benchmarks", analysis, lambda test: not test.within
    )


def tests_against_full(analysis: Analysis) -> Table:
    """Return the tests of each condition against full over benchmarks, for the page."""
    title = "Each corpus compared with full, over benchmarks"
    table = _page_table("against-full", title, analysis, lambda test: bool(test.within and test.model))
    return replace(table, folded=True)


def within(analysis: Analysis, units: str) -> Table:
    """Return the tests of models within each corpus (if `units` is benchmarks) or each benchmark (if corpora)."""
    title = "Models within each corpus" if units == "benchmarks" else "Models within each benchmark"
    table = _page_table(
        f"within-{units}",
        f"{title}, over {units}",
        analysis,
        lambda test: bool(test.within) and not test.model and test.units == units,
    )
    return replace(table, folded=True)


def _page_table(name: str, title: str, analysis: Analysis, keep: TestFilter) -> Table:
    tests = [test for test in analysis.comparisons if keep(test) and test.test.n > 1]
    return replace(_table(name, title, analysis, tests), saved=False)


def _table(name: str, title: str, analysis: Analysis, tests: Sequence[Comparison], *, shown: bool = True) -> Table:
    level = formatting.percentage(analysis.results.run.report.confidence)
    compares_conditions = any(test.model for test in tests)
    columns = (
        Column("what", "what", look="name", saved=False),
        Column("measure", "measure", shown=False),
        Column("suite", "suite", shown=False),
        Column("cells", "paradigms", help="all paradigms of the suite, or the targeted ones", shown=False),
        Column("units", "units", help="what n counts; each unit is a mean", look="quiet"),
        Column("within", "within", help="the condition or paradigm to which the test is restricted", shown=False),
        Column("baseline", "with full", "yes", "whether the units or their means include full", shown=False),
        Column("a", "a", shown=not compares_conditions),
        Column("b", "b", shown=not compares_conditions),
        Column("model", "model", help="of both sides, if they are conditions", shown=compares_conditions),
        Column("n", "n", "count"),
        Column("mean_a", "condition" if compares_conditions else "mean a", "number"),
        Column("mean_b", "full" if compares_conditions else "mean b", "number"),
        Column("difference", "a − b", "number", f"with its {level} paired t interval; accuracies in points"),
        Column("low", f"{level} low", "number", shown=False),
        Column("high", f"{level} high", "number", shown=False),
        Column("t", "t", "number"),
        Column("df", "df", "count", shown=False),
        Column("p", "p", "p", "two-sided paired t test"),
        Column("holm", "Holm", "p", "adjusted over the tests with the same units, models and sides"),
        Column("bh", "BH", "p", "Benjamini-Hochberg, over the same tests"),
        Column("d_z", "d_z", "number", "mean difference divided by the SD of the differences"),
        Column("d_pooled", "d pooled", "number", "mean difference divided by the pooled SD", shown=False),
        Column("detectable", "detectable", "number", "smallest difference detected with power 0.8 at 5 %"),
        Column("note", "note", shown=False),
    )
    return Table(name, title, columns, tuple(_row(test, tests) for test in tests), shown=shown)


def _row(comparison: Comparison, tests: Sequence[Comparison]) -> tuple[Value | Cell, ...]:
    test = comparison.test

    def value_cell(value: float | None, small: str = "") -> Cell:
        return Cell(value, text=format_comparison_value(comparison, value), small=small)

    interval = (
        test.note
        if test.low is None
        else f"[{format_comparison_value(comparison, test.low)}, {format_comparison_value(comparison, test.high)}]"
    )
    return (
        *(comparison_label(comparison, tests), comparison.measure, comparison.suite, comparison.cells),
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


def relations(analysis: Analysis) -> Table:
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
            *(relation.x, relation.y, relation.suite, relation.units, relation.with_full, " ".join(relation.models)),
            *(r.n, r.r, r.low, r.high, r.p),
        )
        for relation in analysis.relations
        for r in (relation.correlation,)
    )
    return Table("correlations", "Correlations", columns, rows)
