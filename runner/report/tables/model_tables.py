"""Paired tests and correlations to tables."""

from __future__ import annotations

from runner.report.analysis.statistics import Analysis
from runner.report.tables.table import Column, Table


def comparisons(analysis: Analysis) -> Table:
    """Every paired test, with what its n units are and over what each is a mean."""
    level = f"{analysis.results.run.report.confidence:.0%}"
    columns = (
        Column("measure", "measure"),
        Column("suite", "suite"),
        Column("cells", "paradigms", help="all of the suite, or those that the condition targets"),
        Column("units", "units", help="what n counts; each is the mean over seeds, and over the other kind"),
        Column("within", "within", help="the one condition or paradigm that the test is about, else all"),
        Column("baseline", "with full", "yes", "whether the full condition is one of the units or in their means"),
        Column("a", "a"),
        Column("b", "b"),
        Column("model", "model", help="of both sides, where these are conditions"),
        Column("n", "n", "count"),
        Column("mean_a", "mean a", "number"),
        Column("mean_b", "mean b", "number"),
        Column("difference", "a − b", "number"),
        Column("low", f"{level} low", "number", "paired t interval"),
        Column("high", f"{level} high", "number", "paired t interval"),
        Column("t", "t", "number"),
        Column("df", "df", "count"),
        Column("p", "p", "p", "two-sided paired t test"),
        Column("holm", "Holm p", "p", "over the tests of one family"),
        Column("bh", "BH p", "p", "Benjamini-Hochberg, the same family"),
        Column("d_z", "d_z", "number", "mean of the differences over their standard deviation"),
        Column("d_pooled", "d pooled", "number", "mean of the differences over the pooled standard deviation"),
        Column("detectable", "detectable", "number", "smallest difference found with power 0.8 at 5 %"),
        Column("note", "note"),
    )
    rows = tuple(
        (
            *(one.measure, one.suite, one.cells, one.units, one.within, one.baseline, one.a, one.b, one.model),
            *(t.n, t.mean_a, t.mean_b, t.difference, t.low, t.high, t.t, t.df, t.p, one.holm, one.bh),
            *(t.d_z, t.d_pooled, t.detectable, t.note),
        )
        for one in analysis.comparisons
        for t in (one.test,)
    )
    return Table("comparisons", "Paired tests", columns, rows)


def relations(analysis: Analysis) -> Table:
    """Every correlation between quantities or between models."""
    level = f"{analysis.results.run.report.confidence:.0%}"
    columns = (
        Column("x", "x"),
        Column("y", "y"),
        Column("suite", "suite"),
        Column("units", "units", help="what n counts; each is the mean over seeds"),
        Column("baseline", "with full", "yes"),
        Column("models", "models", "list"),
        Column("n", "n", "count"),
        Column("r", "r", "number", "Pearson"),
        Column("low", f"{level} low", "number", "Fisher's z"),
        Column("high", f"{level} high", "number", "Fisher's z"),
        Column("p", "p", "p", "two-sided, t with n − 2 degrees of freedom"),
    )
    rows = tuple(
        (*(one.x, one.y, one.suite, one.units, one.baseline, " ".join(one.models)), *(r.n, r.r, r.low, r.high, r.p))
        for one in analysis.relations
        for r in (one.correlation,)
    )
    return Table("correlations", "Correlations", columns, rows)
