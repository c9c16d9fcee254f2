"""Comparison of two models by sentence pair and by paradigm (Patil et al. 2024, figures 4, 5)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations

from runner import formatting
from runner.report.charts import Axis, frame, symmetric
from runner.report.figures.scatter import model_scatter
from runner.report.markup import drawing, escaped, line, svg_text, tag, tooltip
from runner.report.section import Figure, Section, slug
from runner.report.statistics import Analysis, ProbabilityDelta, probability_name, score_name
from runner.score.inference import pearson
from runner.tables import Column, Table

SIDE, GAP, LEFT, TOP, BOTTOM = 230, 78, 52, 44, 44
Point = tuple[str, float, float, bool]  # name, a, b, targeted
DeltaPair = tuple[ProbabilityDelta, ProbabilityDelta]


def sections(analysis: Analysis) -> Iterator[Section]:
    """Yield a section with figures 4 and 5, and figure 7 as a table, for every two models with probability deltas."""
    figures, tables = [], []
    run, score = analysis.results.run, probability_name(analysis)
    for a, b in combinations(analysis.results.models, 2):
        delta_pairs = _delta_pairs(analysis, a, b)
        if not delta_pairs:
            continue
        title = f"{b} against {a}: PΔ of each paradigm under full, and its change and robustness r where targeted"
        figures.append(Figure(slug(f"paradigms-{a}-{b}"), title, _paradigm_panels(delta_pairs, a, b, score.unit)))
        for first, second in delta_pairs:
            if first.targeted:
                pair_title = f"{first.unit.name} under {first.condition}"
                svg = model_scatter(first, second, score_name(run, [first.unit.suite]).unit)
                figures.append(
                    Figure(
                        slug(f"pairs-{first.condition}-{first.unit.suite}-{first.unit.name}-{a}-{b}"), pair_title, svg
                    )
                )
        table = _table(delta_pairs, a, b)
        if table.rows:
            tables.append(table)
    if not figures:
        return
    intro = (
        f"How two models compare, pair by pair and paradigm by paradigm. PΔ is {score.difference}, mean over seeds. "
        "In the figures of single paradigms, each point is a pair: both models (blue), one model (green) or neither "
        "(orange) prefers the good sentence."
    )
    yield Section("between-models", "Models against each other", intro, tuple(figures), tuple(tables))


def _delta_pairs(analysis: Analysis, a: str, b: str) -> list[DeltaPair]:
    """Return the pairs of probability deltas of both models on the same paradigm under the same condition."""
    second_deltas = {(delta.unit, delta.condition): delta for delta in analysis.probability_deltas if delta.model == b}
    return [
        (delta, second_deltas[delta.unit, delta.condition])
        for delta in analysis.probability_deltas
        if delta.model == a and (delta.unit, delta.condition) in second_deltas
    ]


def _paradigm_panels(delta_pairs: Sequence[DeltaPair], a: str, b: str, score_unit: str) -> str:
    """Draw figure 5: PΔ under full by paradigm, and ΔPΔ and robustness by targeted paradigm and condition."""
    full_points = {first.unit: (first.unit.name, first.full, second.full, False) for first, second in delta_pairs}
    targeted = [(first, second) for first, second in delta_pairs if first.targeted]
    change_points = [
        (f"{first.unit.name}, {first.condition}", first.difference.delta, second.difference.delta, True)
        for first, second in targeted
    ]
    robustness_points = [
        (f"{first.unit.name}, {first.condition}", first.robustness, second.robustness, True)
        for first, second in targeted
        if first.robustness is not None and second.robustness is not None
    ]
    titles = (f"PΔ full, {score_unit}", f"ΔPΔ, {score_unit}, targeted", "robustness r, targeted")
    body: list[str] = []
    panels: tuple[Sequence[Point], ...] = (list(full_points.values()), change_points, robustness_points)
    for i, (title, points) in enumerate(zip(titles, panels, strict=True)):
        body += _panel(points, title, (a, b), LEFT + i * (SIDE + GAP), is_correlation=i == 2)
    width = LEFT + 3 * (SIDE + GAP) - GAP + 16
    return drawing(body, width, TOP + SIDE + BOTTOM, f"{b} against {a}, paradigm by paradigm")


def _panel(
    points: Sequence[Point], title: str, models: tuple[str, str], left: float, *, is_correlation: bool
) -> list[str]:
    values = [value for point in points for value in point[1:3]]
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


def _table(delta_pairs: Sequence[DeltaPair], a: str, b: str) -> Table:
    """Return figure 7 as a table: mean PΔ of both models before and after, and correlations over sentence pairs."""
    columns = (
        Column("suite", "suite", "text", lambda pair: pair[0].unit.suite, shown=False),
        Column("paradigm", "paradigm", "text", lambda pair: pair[0].unit.name, look="name"),
        Column("condition", "condition", "text", lambda pair: pair[0].condition),
        Column("full_a", f"{a} full", "signed", lambda pair: pair[0].full),
        Column("after_a", f"{a} after", "signed", lambda pair: pair[0].under_condition),
        Column("full_b", f"{b} full", "signed", lambda pair: pair[1].full),
        Column("after_b", f"{b} after", "signed", lambda pair: pair[1].under_condition),
        Column(
            *("r_full", "r of models, full", "number"),
            lambda pair: pearson(pair[0].full_deltas, pair[1].full_deltas),
        ),
        Column(
            *("r_after", "r of models, after", "number"),
            lambda pair: pearson(pair[0].condition_deltas, pair[1].condition_deltas),
        ),
        Column("r_a", f"r {a}, full and after", "number", lambda pair: pair[0].robustness),
        Column("r_b", f"r {b}, full and after", "number", lambda pair: pair[1].robustness),
    )
    targeted = tuple(pair for pair in delta_pairs if pair[0].targeted)
    return Table(
        slug(f"models-{a}-{b}"), f"PΔ of {a} and {b} where targeted, and correlations over pairs", columns, targeted
    )


SECTIONS = {170: sections}
