"""Paired tests of models and corpora, and correlations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from runner import formatting
from runner.report.section import Section
from runner.report.statistics import Analysis, Comparison
from runner.tables import Cell, Column, Table


def format_comparison_value(comparison: Comparison, value: float | None) -> str:
    """Format a value of a comparison. Accuracies and their deltas are multiplied by 100, perplexities are not."""
    if comparison.measure.startswith("perplexity"):
        return formatting.number(value)
    return formatting.number(None if value is None else 100 * value)


def comparison_label(comparison: Comparison, comparisons: Sequence[Comparison]) -> str:
    """Label a comparison, as in `accuracy of all benchmarks, with full`.

    The suite is added if `comparisons` has several suites.
    """
    several_suites = len({other.suite for other in comparisons if other.suite}) > 1
    label = _label(comparison)
    return f"{comparison.suite}: {label}" if several_suites and comparison.suite else label


def _label(comparison: Comparison) -> str:
    targeted = comparison.paradigms == "targeted"
    if comparison.within:
        return f"{comparison.within}{', targeted' if targeted else ''}"
    scope = f" of {comparison.paradigms} {'cells' if targeted else 'benchmarks'}" if comparison.suite else ""
    return f"{comparison.measure}{scope}{', with full' if comparison.with_full else ''}"


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

    def amount(key: str) -> Callable[[Comparison], Cell]:
        def cell(comparison: Comparison) -> Cell:
            value = getattr(comparison.test, key)
            small = _interval(comparison) if key == "difference" else ""
            return Cell(value, text=format_comparison_value(comparison, value), small=small)

        return cell

    columns = (
        Column("what", "what", "text", lambda row: comparison_label(row, comparisons), look="name", saved=False),
        Column("measure", "measure", shown=False),
        Column("suite", "suite", shown=False),
        Column(
            "cells", "benchmarks", "text", "paradigms", "all benchmarks of the suite, or the targeted ones", shown=False
        ),
        Column("units", "units", help="what n counts; each unit is a mean", look="quiet"),
        Column("within", "within", help="the corpus or benchmark to which the test is restricted", shown=False),
        Column(
            "baseline", "with full", "yes", "with_full", "whether the units or their means include full", shown=False
        ),
        Column("a", "a", shown=not compares_corpora),
        Column("b", "b", shown=not compares_corpora),
        Column("model", "model", help="of a and b, if they are corpora", shown=compares_corpora),
        Column("n", "n", "count", "test.n"),
        Column("mean_a", "corpus" if compares_corpora else "mean a", "number", amount("mean_a")),
        Column("mean_b", "full" if compares_corpora else "mean b", "number", amount("mean_b")),
        Column(
            "difference",
            "a − b",
            "number",
            amount("difference"),
            f"with its {level} paired t interval; accuracies in points",
        ),
        Column("low", f"{level} low", "number", "test.low", shown=False),
        Column("high", f"{level} high", "number", "test.high", shown=False),
        Column("t", "t", "number", "test.t"),
        Column("df", "df", "count", "test.df", shown=False),
        Column("p", "p", "p", "test.p", "two-sided paired t test"),
        Column(
            "holm",
            "Holm",
            "p",
            help="p adjusted over the tests of the same two models, or of a model with full, over the same units",
        ),
        Column("bh", "BH", "p", help="Benjamini-Hochberg, over the same tests"),
        Column("d_z", "d_z", "number", "test.d_z", "mean difference divided by the SD of the differences"),
        Column(
            "d_pooled", "d pooled", "number", "test.d_pooled", "mean difference divided by the pooled SD", shown=False
        ),
        Column(
            "detectable",
            "detectable",
            "number",
            amount("detectable"),
            "smallest difference detected with power 0.8 at 5 %",
        ),
        Column("note", "note", "text", "test.note", shown=False),
    )
    return Table(name, title, columns, tuple(comparisons), shown=shown)


def _interval(comparison: Comparison) -> str:
    test = comparison.test
    if test.low is None:
        return test.note
    low, high = (format_comparison_value(comparison, end) for end in (test.low, test.high))
    return f"[{low}, {high}]"


def correlations(analysis: Analysis) -> Table:
    """Return all correlations between quantities or between models."""
    level = formatting.percentage(analysis.results.run.report.confidence)
    columns = (
        Column("x", "x", look="name"),
        Column("y", "y"),
        Column("suite", "suite", shown=False),
        Column("units", "units", help="what n counts; a unit is a mean over seeds", look="quiet"),
        Column("baseline", "with full", "yes", "with_full"),
        Column("models", "models", "list", lambda row: " ".join(row.models)),
        Column("n", "n", "count", "correlation.n"),
        Column(
            *("r", "r", "number", "correlation.r", f"Pearson's r with Fisher's {level} interval"),
            interval=("low", "high"),
            digits=3,
        ),
        Column("low", f"{level} low", "number", "correlation.low", "Fisher's z", shown=False),
        Column("high", f"{level} high", "number", "correlation.high", "Fisher's z", shown=False),
        Column("p", "p", "p", "correlation.p", "two-sided, t with n − 2 degrees of freedom"),
    )
    return Table("correlations", "Correlations", columns, tuple(analysis.correlations))


def sections(analysis: Analysis) -> Iterator[Section]:
    """Yield the section. The page shows it if a test or a correlation has enough units."""
    intro = (
        "Paired t tests over units that are means over seeds; n is the number of units, not of trained models. Over "
        "corpora, a unit is a corpus, averaged over benchmarks; over benchmarks, a unit is a benchmark, averaged over "
        "corpora. The two weight cells differently and may disagree. Rows with full include the full corpus as a unit, "
        "whose delta is 0 by construction. Accuracies are in percent, their deltas in points."
    )
    tables = (
        model_comparisons(analysis),
        correlations(analysis),
        comparisons_with_full(analysis),
        comparisons_within(analysis, "benchmarks"),
        comparisons_within(analysis, "corpora"),
        all_comparisons(analysis),
    )
    yield Section("models", "Models and corpora compared", intro, (), tables)


SECTIONS = {50: sections}
