"""Displayed tables of paired tests and correlations."""

from __future__ import annotations

from collections.abc import Sequence

from runner.report.analysis.statistics import Analysis, Comparison
from runner.report.render import format as write
from runner.report.tables.comparison_labels import comparison_label, in_points
from runner.report.views.views import Cell, Head, View, p_value, text, value


def models(analysis: Analysis) -> View:
    """Return the tests of models over corpora and over benchmarks."""
    return _tests("models", analysis, [test for test in analysis.comparisons if not test.within])


def within(analysis: Analysis, units: str) -> View:
    """Return the tests of models within each corpus (`units`: benchmarks) or within each benchmark (corpora)."""
    tests = [test for test in analysis.comparisons if test.within and not test.model and test.units == units]
    return _tests(f"within-{units}", analysis, tests)


def against_full(analysis: Analysis) -> View:
    """Return the tests of each condition against full over benchmarks."""
    tests = [test for test in analysis.comparisons if test.within and test.model]
    return _tests("against-full", analysis, tests)


def _tests(name: str, analysis: Analysis, tests: Sequence[Comparison]) -> View:
    tests = [test for test in tests if test.test.n > 1]
    level = write.share(analysis.results.run.report.confidence)
    conditions = any(test.model for test in tests)
    heads = (
        Head("what", number=False),
        *((Head("model", number=False),) if conditions else (Head("a", number=False), Head("b", number=False))),
        Head("units", "what n counts; a unit is a mean over seeds and over the other kind of unit", number=False),
        Head("n"),
        *((Head("condition"), Head("full")) if conditions else (Head("mean a"), Head("mean b"))),
        Head("difference", f"with its {level} paired t interval; accuracies in points"),
        Head("t"),
        Head("p", "two-sided paired t test"),
        Head("Holm", "adjusted over this table's tests with the same units, models and sides"),
        Head("BH", "Benjamini-Hochberg over the same tests"),
        Head("d_z", "mean difference divided by the SD of the differences"),
        Head("detectable", "the smallest difference that a test at 5 % detects with 80 % power"),
    )
    return View(name, heads, tuple(_test(test, tests, conditions=conditions) for test in tests))


def _test(comparison: Comparison, tests: Sequence[Comparison], *, conditions: bool) -> tuple[Cell, ...]:
    t = comparison.test
    interval = f"[{in_points(comparison, t.low)}, {in_points(comparison, t.high)}]" if t.low is not None else t.note
    sides = (text(comparison.model),) if conditions else (text(comparison.a), text(comparison.b))
    return (
        text(comparison_label(comparison, tests), "name"),
        *sides,
        text(comparison.units, "quiet"),
        value(str(t.n), t.n),
        value(in_points(comparison, t.mean_a), t.mean_a),
        value(in_points(comparison, t.mean_b), t.mean_b),
        value(in_points(comparison, t.difference), t.difference, small=interval),
        value(write.number(t.t), t.t),
        *(p_value(p) for p in (t.p, comparison.holm, comparison.bh)),
        value(write.number(t.d_z), t.d_z, tip=f"d with pooled SDs {write.number(t.d_pooled)}"),
        value(in_points(comparison, t.detectable), t.detectable),
    )


def correlations(analysis: Analysis) -> View:
    """Return every correlation."""
    level = write.share(analysis.results.run.report.confidence)
    heads = (
        Head("x", number=False),
        Head("y", number=False),
        Head("models", number=False),
        Head("units", "what n counts", number=False),
        Head("n"),
        Head("r", f"Pearson's r with Fisher's {level} interval"),
        Head("p", "two-sided, t with n − 2 degrees of freedom"),
    )
    rows = []
    for relation in analysis.relations:
        r = relation.correlation
        units = relation.units + (", with full" if relation.baseline and relation.units == "corpora" else "")
        interval = f"[{write.number(r.low)}, {write.number(r.high)}]" if r.low is not None else "no interval"
        cells = (text(relation.x, "name"), text(relation.y), text(", ".join(relation.models)), text(units, "quiet"))
        rows.append((*cells, value(str(r.n), r.n), value(write.number(r.r, 3), r.r, small=interval), p_value(r.p)))
    return View("correlations", heads, tuple(rows))
