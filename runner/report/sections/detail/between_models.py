"""Comparison of two models by pair and by paradigm (Patil et al. 2024, figures 4, 5 and 7)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations

from runner.report.analysis.score_names import probability_name, score_name
from runner.report.analysis.statistics import Analysis, ProbabilityDelta
from runner.report.figures.scatter import model_scatter
from runner.report.render import formatting
from runner.report.render.figure import Figure
from runner.report.render.names import slug
from runner.report.render.plot import Axis, frame, symmetric
from runner.report.render.svg import drawing, escaped, line, svg_text, tag, tooltip
from runner.report.sections.section import Section
from runner.report.tables.table import Column, Table
from runner.score.statistics.inference import pearson

ORDER = 170

SIDE, GAP, LEFT, TOP, BOTTOM = 230, 78, 52, 44, 44
Point = tuple[str, float, float, bool]  # name, a, b, targeted
Pair = tuple[ProbabilityDelta, ProbabilityDelta]


def sections(analysis: Analysis) -> Iterator[Section]:
    """Yield a section with figures 4, 5 and 7 for every two models with probability deltas."""
    figures, tables = [], []
    run, scores = analysis.results.run, probability_name(analysis)
    for a, b in combinations(analysis.results.models, 2):
        pairs = _pairs(analysis, a, b)
        if not pairs:
            continue
        title = f"{b} against {a}: PΔ of each paradigm under full, its change and r where targeted"
        figures.append(Figure(slug(f"paradigms-{a}-{b}"), title, _paradigm_panels(pairs, a, b, scores.unit)))
        for first, second in pairs:
            if first.targeted:
                name = f"{first.unit.name} under {first.condition}"
                svg = model_scatter(first, second, score_name(run, [first.unit.suite]).unit)
                figures.append(
                    Figure(slug(f"pairs-{first.condition}-{first.unit.suite}-{first.unit.name}-{a}-{b}"), name, svg)
                )
        table = _table(pairs, a, b)
        if table.rows:
            tables.append(table)
    if not figures:
        return
    intro = (
        f"The pairs on which two models agree. PΔ is {scores.difference}, mean over seeds. In the figures of single "
        "paradigms, each point is a pair: both models (blue), one model (green) or neither (orange) prefers the good "
        "sentence."
    )
    yield Section("between-models", "Models against each other", intro, tuple(figures), tuple(tables))


def _pairs(analysis: Analysis, a: str, b: str) -> list[Pair]:
    """Return the pairs of probability deltas of both models on the same paradigm under the same condition."""
    second_deltas = {(delta.unit, delta.condition): delta for delta in analysis.probabilities if delta.model == b}
    return [
        (delta, second_deltas[delta.unit, delta.condition])
        for delta in analysis.probabilities
        if delta.model == a and (delta.unit, delta.condition) in second_deltas
    ]


def _paradigm_panels(pairs: Sequence[Pair], a: str, b: str, unit: str) -> str:
    """Draw figure 5: PΔ under full by paradigm, and ΔPΔ and robustness by targeted cell."""
    full = {first.unit: (first.unit.name, first.full, second.full, False) for first, second in pairs}
    targeted = [(first, second) for first, second in pairs if first.targeted]
    change = [(f"{x.unit.name}, {x.condition}", x.change.delta, y.change.delta, True) for x, y in targeted]
    robust = [
        (f"{x.unit.name}, {x.condition}", x.robustness, y.robustness, True)
        for x, y in targeted
        if x.robustness is not None and y.robustness is not None
    ]
    titles = (f"PΔ full, {unit}", f"ΔPΔ, {unit}, targeted", "r, targeted")
    body: list[str] = []
    panels: tuple[Sequence[Point], ...] = (list(full.values()), change, robust)
    for i, (title, points) in enumerate(zip(titles, panels, strict=True)):
        body += _panel(points, title, (a, b), LEFT + i * (SIDE + GAP), is_correlation=i == 2)
    width = LEFT + 3 * (SIDE + GAP) - GAP + 16
    return drawing(body, width, TOP + SIDE + BOTTOM, f"{b} against {a}, paradigm by paradigm")


def _panel(
    points: Sequence[Point], title: str, models: tuple[str, str], left: float, *, is_correlation: bool
) -> list[str]:
    values = [number for point in points for number in point[1:3]]
    if is_correlation:
        low = min(0.0, math.floor(10 * min(values, default=0.0)) / 10)
        x_axis, y_axis = Axis(low, 1.0, left, SIDE), Axis(low, 1.0, TOP + SIDE, -SIDE)
    else:
        x_axis, y_axis = symmetric(values, left, SIDE), symmetric(values, TOP + SIDE, -SIDE)
    r = pearson([point[1] for point in points], [point[2] for point in points])
    body = [
        svg_text(title, left, 14, class_="head"),
        svg_text(f"r {formatting.number(r)}, n {len(points)}", left, 30, class_="small muted"),
    ]
    body += frame(x_axis, y_axis, models[0])
    transform_text = f"translate({left - 36:.1f} {TOP + SIDE / 2:.1f}) rotate(-90)"
    body.append(tag("text", escaped(models[1]), transform=transform_text, class_="small muted middle"))
    body.append(line(x_axis(x_axis.low), y_axis(y_axis.low), x_axis(x_axis.high), y_axis(y_axis.high), "dashed"))
    for name, x, y, targeted in points:
        tip = tooltip(f"{name}\n{models[0]} {formatting.signed(x)}, {models[1]} {formatting.signed(y)}")
        body.append(tag("circle", tip, cx=x_axis(x), cy=y_axis(y), r=4, class_="after" if targeted else "control"))
    return body


def _table(pairs: Sequence[Pair], a: str, b: str) -> Table:
    """Return figure 7 as a table: mean PΔ of both models before and after, and correlations over sentence pairs."""
    columns = (
        Column("suite", "suite", shown=False),
        Column("paradigm", "paradigm", look="name"),
        Column("condition", "condition"),
        Column("full_a", f"{a} full", "signed"),
        Column("after_a", f"{a} after", "signed"),
        Column("full_b", f"{b} full", "signed"),
        Column("after_b", f"{b} after", "signed"),
        Column("r_full", "r of models, full", "number"),
        Column("r_after", "r of models, after", "number"),
        Column("r_a", f"r {a}, full and after", "number"),
        Column("r_b", f"r {b}, full and after", "number"),
    )
    rows = tuple(
        (
            *(first.unit.suite, first.unit.name, first.condition, first.full, first.after, second.full, second.after),
            *(pearson(first.x, second.x), pearson(first.y, second.y), first.robustness, second.robustness),
        )
        for first, second in pairs
        if first.targeted
    )
    return Table(
        slug(f"models-{a}-{b}"), f"PΔ of {a} and {b} where targeted, and correlations over pairs", columns, rows
    )
