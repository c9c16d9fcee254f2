"""The report as text for a terminal: paired tests, targeted deltas, correlations and power."""

from __future__ import annotations

from collections.abc import Sequence

from fictdsl.diagnostics.display import printable
from runner.report.analysis.statistics import Analysis, Comparison
from runner.report.page.answer import answer
from runner.report.render import format as write
from runner.report.tables.aligned import aligned
from runner.report.tables.comparison_labels import comparison_label, in_points
from runner.report.tables.tables import main_contrast, targeted_cells

Rows = list[tuple[str, ...]]


def to_text(analysis: Analysis) -> str:
    """Return the sections with their tables. Control characters are escaped; lines are as wide as needed."""
    answer_text = answer(analysis)
    level = write.share(analysis.results.run.report.confidence)
    overall = [test for test in analysis.comparisons if not test.within]
    sections = [
        f"{analysis.results.run.name}\n\n{answer_text.paragraph}",
        *(f"note: {caution}" for caution in answer_text.cautions),
        _section("Models, paired over corpora and over benchmarks", _tests(overall, level)),
        _section("Conditions against full, paired over benchmarks", _tests(_against(analysis), level)),
        _section("Models within one corpus", _tests(_within(analysis, "benchmarks"), level)),
        _section("Models within one benchmark", _tests(_within(analysis, "corpora"), level)),
        _section("Targeted benchmarks, Welch t over seeds", _targeted(analysis, level)),
        _section("Correlations", _correlations(analysis, level)),
        _section("Detectable deltas", _power(analysis)),
    ]
    lines = "\n\n".join(section for section in sections if section).split("\n")
    return "\n".join(map(printable, lines)) + "\n"


def _against(analysis: Analysis) -> list[Comparison]:
    return [test for test in analysis.comparisons if test.within and test.model]


def _within(analysis: Analysis, units: str) -> list[Comparison]:
    return [test for test in analysis.comparisons if test.within and not test.model and test.units == units]


def _tests(tests: Sequence[Comparison], level: str) -> Rows:
    """Return the tests with at least two units."""
    head = ("measure", "a", "b", "units", "n", "mean a", "mean b", "a − b", level, "t", "p", "Holm", "BH", "d_z")
    rows = [
        (
            comparison_label(test, tests),
            f"{test.a} {test.model}".strip(),
            test.b,
            test.units,
            str(test.test.n),
            in_points(test, test.test.mean_a),
            in_points(test, test.test.mean_b),
            in_points(test, test.test.difference),
            f"[{in_points(test, test.test.low)}, {in_points(test, test.test.high)}]"
            if test.test.low is not None
            else "–",
            write.number(test.test.t),
            write.p_value(test.test.p),
            write.p_value(test.holm),
            write.p_value(test.bh),
            write.number(test.test.d_z),
            in_points(test, test.test.detectable),
        )
        for test in tests
        if test.test.n > 1
    ]
    return [(*head, "detectable"), *rows] if rows else []


def _targeted(analysis: Analysis, level: str) -> Rows:
    rows: Rows = []
    for unit, condition, model in targeted_cells(analysis):
        control = main_contrast(analysis, unit, condition, model, "control")
        contrast = control or main_contrast(analysis, unit, condition, model, "full")
        if contrast is None:
            continue
        difference = contrast.difference
        rows.append(
            (
                unit.name,
                condition,
                model,
                contrast.reference,
                write.percent(difference.mean_b),
                write.percent(difference.mean_a),
                write.points(difference.delta),
                write.interval(difference),
                *(write.p_value(value) for value in (difference.p, contrast.holm, contrast.bh)),
                f"{difference.n_a} + {difference.n_b}",
            )
        )
    head = ("benchmark", "corpus", "model", "against", "before", "after", "Δ", level, "p", "Holm", "BH", "seeds")
    return [head, *rows] if rows else []


def _correlations(analysis: Analysis, level: str) -> Rows:
    head = ("x", "y", "units", "models", "n", "r", level, "p")
    rows = [
        (
            relation.x,
            relation.y,
            relation.units + (", with full" if relation.baseline and relation.units == "corpora" else ""),
            " ".join(relation.models),
            str(relation.correlation.n),
            write.number(relation.correlation.r, 3),
            f"[{write.number(relation.correlation.low, 3)}, {write.number(relation.correlation.high, 3)}]",
            write.p_value(relation.correlation.p),
        )
        for relation in analysis.relations
    ]
    return [head, *rows] if rows else []


def _power(analysis: Analysis) -> Rows:
    head = ("model", "cells", "SD between seeds, points", "seeds per side", "smallest detectable delta, points")
    rows = [
        (
            entry.model,
            f"{entry.groups} {entry.cells}",
            write.percent(entry.sd, 2),
            str(entry.seeds),
            write.percent(entry.delta, 2),
        )
        for entry in analysis.detectable
    ]
    return [head, *rows] if rows else []


def _section(title: str, rows: Rows) -> str:
    """Return a title above aligned columns, or an empty string without rows."""
    return "\n".join([title, *aligned(rows)]) if rows else ""
