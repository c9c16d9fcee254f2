"""Tables of paired tests and correlations."""

from __future__ import annotations

from runner.report.analysis.statistics import Analysis
from runner.report.tables.table import Column, Table


def comparisons(analysis: Analysis) -> Table:
    """Return every paired test, with what its n units are."""
    level = f"{analysis.results.run.report.confidence:.0%}"
    columns = (
        Column("measure", "measure"),
        Column("suite", "suite"),
        Column("cells", "paradigms", help="all paradigms of the suite, or those that the condition targets"),
        Column("units", "units", help="what n counts; a unit is a mean over seeds and over the other kind of unit"),
        Column("within", "within", help="the condition or paradigm to which the test is restricted; empty for all"),
        Column("baseline", "with full", "yes", "whether the units or their means include the full condition"),
        Column("a", "a"),
        Column("b", "b"),
        Column("model", "model", help="of both sides, if they are conditions"),
        Column("n", "n", "count"),
        Column("mean_a", "mean a", "number"),
        Column("mean_b", "mean b", "number"),
        Column("difference", "a − b", "number"),
        Column("low", f"{level} low", "number", "paired t interval"),
        Column("high", f"{level} high", "number", "paired t interval"),
        Column("t", "t", "number"),
        Column("df", "df", "count"),
        Column("p", "p", "p", "two-sided paired t test"),
        Column("holm", "Holm p", "p", "adjusted over the tests of the family"),
        Column("bh", "BH p", "p", "Benjamini-Hochberg, over the same family"),
        Column("d_z", "d_z", "number", "mean difference divided by the SD of the differences"),
        Column("d_pooled", "d pooled", "number", "mean difference divided by the pooled SD"),
        Column("detectable", "detectable", "number", "smallest difference detected with power 0.8 at 5 %"),
        Column("note", "note"),
    )
    rows = tuple(
        (
            *(
                comparison.measure,
                comparison.suite,
                comparison.cells,
                comparison.units,
                comparison.within,
                comparison.baseline,
                comparison.a,
                comparison.b,
                comparison.model,
            ),
            *(t.n, t.mean_a, t.mean_b, t.difference, t.low, t.high, t.t, t.df, t.p, comparison.holm, comparison.bh),
            *(t.d_z, t.d_pooled, t.detectable, t.note),
        )
        for comparison in analysis.comparisons
        for t in (comparison.test,)
    )
    return Table("comparisons", "Paired tests", columns, rows)


def relations(analysis: Analysis) -> Table:
    """Return every correlation between quantities or between models."""
    level = f"{analysis.results.run.report.confidence:.0%}"
    columns = (
        Column("x", "x"),
        Column("y", "y"),
        Column("suite", "suite"),
        Column("units", "units", help="what n counts; a unit is a mean over seeds"),
        Column("baseline", "with full", "yes"),
        Column("models", "models", "list"),
        Column("n", "n", "count"),
        Column("r", "r", "number", "Pearson"),
        Column("low", f"{level} low", "number", "Fisher's z"),
        Column("high", f"{level} high", "number", "Fisher's z"),
        Column("p", "p", "p", "two-sided, t with n − 2 degrees of freedom"),
    )
    rows = tuple(
        (
            *(relation.x, relation.y, relation.suite, relation.units, relation.baseline, " ".join(relation.models)),
            *(r.n, r.r, r.low, r.high, r.p),
        )
        for relation in analysis.relations
        for r in (relation.correlation,)
    )
    return Table("correlations", "Correlations", columns, rows)
