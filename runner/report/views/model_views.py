"""Paired tests and correlations to what the page shows of them."""

from __future__ import annotations

from collections.abc import Sequence

from runner.report.analysis.statistics import Analysis, Comparison
from runner.report.render import format as write
from runner.report.tables.comparison_labels import comparison_label, in_points
from runner.report.views.views import Cell, Head, View, p_value, text, value


def models(analysis: Analysis) -> View:
    """Models over corpora and over benchmarks."""
    return _tests("models", analysis, [one for one in analysis.comparisons if not one.within])


def within(analysis: Analysis, units: str) -> View:
    """Models within each corpus (`units`: benchmarks) or within each benchmark (corpora)."""
    found = [one for one in analysis.comparisons if one.within and not one.model and one.units == units]
    return _tests(f"within-{units}", analysis, found)


def against_full(analysis: Analysis) -> View:
    """Each condition against full over benchmarks."""
    found = [one for one in analysis.comparisons if one.within and one.model]
    return _tests("against-full", analysis, found)


def _tests(name: str, analysis: Analysis, tests: Sequence[Comparison]) -> View:
    tests = [one for one in tests if one.test.n > 1]
    level = write.share(analysis.results.run.report.confidence)
    conditions = any(one.model for one in tests)
    heads = (
        Head("what", number=False),
        *((Head("model", number=False),) if conditions else (Head("a", number=False), Head("b", number=False))),
        Head("units", "what n counts; each is a mean over seeds, and over the other kind", number=False),
        Head("n"),
        *((Head("condition"), Head("full")) if conditions else (Head("mean a"), Head("mean b"))),
        Head("difference", f"with its {level} paired t interval; accuracies in points"),
        Head("t"),
        Head("p", "two-sided paired t test"),
        Head("Holm", "adjusted over the tests of this table with the same units, models and sides"),
        Head("BH", "Benjamini-Hochberg over the same tests"),
        Head("d_z", "mean of the differences over their standard deviation"),
        Head("detectable", "the smallest difference that such a test finds four times in five, at 5 %"),
    )
    return View(name, heads, tuple(_test(one, tests, conditions=conditions) for one in tests))


def _test(one: Comparison, tests: Sequence[Comparison], *, conditions: bool) -> tuple[Cell, ...]:
    t = one.test
    small = f"[{in_points(one, t.low)}, {in_points(one, t.high)}]" if t.low is not None else t.note
    sides = (text(one.model),) if conditions else (text(one.a), text(one.b))
    return (
        text(comparison_label(one, tests), "name"),
        *sides,
        text(one.units, "quiet"),
        value(str(t.n), t.n),
        value(in_points(one, t.mean_a), t.mean_a),
        value(in_points(one, t.mean_b), t.mean_b),
        value(in_points(one, t.difference), t.difference, small=small),
        value(write.number(t.t), t.t),
        *(p_value(p) for p in (t.p, one.holm, one.bh)),
        value(write.number(t.d_z), t.d_z, tip=f"d with pooled SDs {write.number(t.d_pooled)}"),
        value(in_points(one, t.detectable), t.detectable),
    )


def correlations(analysis: Analysis) -> View:
    """Every correlation."""
    level = write.share(analysis.results.run.report.confidence)
    heads = (
        Head("x", number=False),
        Head("y", number=False),
        Head("models", number=False),
        Head("units", "what n counts", number=False),
        Head("n"),
        Head("r", f"Pearson, with its {level} interval after Fisher"),
        Head("p", "two-sided, t with n − 2 degrees of freedom"),
    )
    rows = []
    for one in analysis.relations:
        r = one.correlation
        units = one.units + (", with full" if one.baseline and one.units == "corpora" else "")
        small = f"[{write.number(r.low)}, {write.number(r.high)}]" if r.low is not None else "no interval"
        cells = (text(one.x, "name"), text(one.y), text(", ".join(one.models)), text(units, "quiet"))
        rows.append((*cells, value(str(r.n), r.n), value(write.number(r.r, 3), r.r, small=small), p_value(r.p)))
    return View("correlations", heads, tuple(rows))
