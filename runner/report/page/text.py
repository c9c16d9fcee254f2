"""Statistics to the text of a terminal: the paired tests, the targeted deltas, correlations and the power statement."""

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
    """Sections with their tables, each line as wide as its names ask for; what would act on a terminal is escaped."""
    said = answer(analysis)
    level = write.share(analysis.results.run.report.confidence)
    overall = [one for one in analysis.comparisons if not one.within]
    sections = [
        f"{analysis.results.run.name}\n\n{said.paragraph}",
        *(f"note: {caution}" for caution in said.cautions),
        _section("Models, paired over corpora and over benchmarks", _tests(overall, level)),
        _section("Conditions against full, paired over benchmarks", _tests(_against(analysis), level)),
        _section("Models within one corpus", _tests(_within(analysis, "benchmarks"), level)),
        _section("Models within one benchmark", _tests(_within(analysis, "corpora"), level)),
        _section("Targeted benchmarks, Welch over seeds", _targeted(analysis, level)),
        _section("Correlations", _correlations(analysis, level)),
        _section("What could have been detected", _power(analysis)),
    ]
    lines = "\n\n".join(section for section in sections if section).split("\n")
    return "\n".join(map(printable, lines)) + "\n"


def _against(analysis: Analysis) -> list[Comparison]:
    return [one for one in analysis.comparisons if one.within and one.model]


def _within(analysis: Analysis, units: str) -> list[Comparison]:
    return [one for one in analysis.comparisons if one.within and not one.model and one.units == units]


def _tests(tests: Sequence[Comparison], level: str) -> Rows:
    """The tests that have two units or more."""
    head = ("measure", "a", "b", "units", "n", "mean a", "mean b", "a − b", level, "t", "p", "Holm", "BH", "d_z")
    rows = [
        (
            comparison_label(one, tests),
            f"{one.a} {one.model}".strip(),
            one.b,
            one.units,
            str(one.test.n),
            in_points(one, one.test.mean_a),
            in_points(one, one.test.mean_b),
            in_points(one, one.test.difference),
            f"[{in_points(one, one.test.low)}, {in_points(one, one.test.high)}]" if one.test.low is not None else "–",
            write.number(one.test.t),
            write.p_value(one.test.p),
            write.p_value(one.holm),
            write.p_value(one.bh),
            write.number(one.test.d_z),
            in_points(one, one.test.detectable),
        )
        for one in tests
        if one.test.n > 1
    ]
    return [(*head, "detectable"), *rows] if rows else []


def _targeted(analysis: Analysis, level: str) -> Rows:
    rows: Rows = []
    for unit, condition, model in targeted_cells(analysis):
        control = main_contrast(analysis, unit, condition, model, "control")
        found = control or main_contrast(analysis, unit, condition, model, "full")
        if found is None:
            continue
        d = found.difference
        rows.append(
            (
                unit.name,
                condition,
                model,
                found.reference,
                write.percent(d.mean_b),
                write.percent(d.mean_a),
                write.points(d.delta),
                write.interval(d),
                *(write.p_value(value) for value in (d.p, found.holm, found.bh)),
                f"{d.n_a} + {d.n_b}",
            )
        )
    head = ("benchmark", "corpus", "model", "against", "before", "after", "Δ", level, "p", "Holm", "BH", "seeds")
    return [head, *rows] if rows else []


def _correlations(analysis: Analysis, level: str) -> Rows:
    head = ("x", "y", "units", "models", "n", "r", level, "p")
    rows = [
        (
            one.x,
            one.y,
            one.units + (", with full" if one.baseline and one.units == "corpora" else ""),
            " ".join(one.models),
            str(one.correlation.n),
            write.number(one.correlation.r, 3),
            f"[{write.number(one.correlation.low, 3)}, {write.number(one.correlation.high, 3)}]",
            write.p_value(one.correlation.p),
        )
        for one in analysis.relations
    ]
    return [head, *rows] if rows else []


def _power(analysis: Analysis) -> Rows:
    head = ("model", "cells", "SD between seeds, points", "seeds a side", "smallest detectable delta, points")
    rows = [
        (one.model, f"{one.groups} {one.cells}", write.percent(one.sd, 2), str(one.seeds), write.percent(one.delta, 2))
        for one in analysis.detectable
    ]
    return [head, *rows] if rows else []


def _section(title: str, rows: Rows) -> str:
    """A title over aligned columns; nothing without rows."""
    return "\n".join([title, *aligned(rows)]) if rows else ""
