"""Two models against each other, pair by pair and paradigm by paradigm (figures 4, 5 and 7 of the FiCT paper)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

from runner.report.analysis.score_names import probability_name, score_name
from runner.report.analysis.statistics import Analysis, ProbabilityDelta
from runner.report.figures.scatter import architectures
from runner.report.render import format as write
from runner.report.render.names import slug
from runner.report.render.plot import Axis, frame, symmetric
from runner.report.render.svg import drawing, escaped, hint, line, tag, words
from runner.report.tables.table import Column, Table
from runner.report.views.section import Figure, Section
from runner.report.views.views import Head, View, text, value
from runner.score.statistics.inference import pearson

SIDE, GAP, LEFT, TOP, BOTTOM = 230, 78, 52, 44, 44
Point = tuple[str, float, float, bool]  # name, a, b, targeted
Pair = tuple[ProbabilityDelta, ProbabilityDelta]


def between_models(analysis: Analysis) -> Section | None:
    """Figures 4, 5 and 7: what one model prefers against what another does."""
    figures, tables, views = [], [], []
    run, scores = analysis.results.run, probability_name(analysis)
    for a, b in combinations(analysis.results.models, 2):
        pairs = _pairs(analysis, a, b)
        if not pairs:
            continue
        title = f"{b} against {a}: PΔ of each paradigm under full, its change and r where targeted"
        figures.append(Figure(slug(f"paradigms-{a}-{b}"), title, _three(pairs, a, b, scores.unit)))
        for one, other in pairs:
            if one.targeted:
                name = f"{one.unit.name} under {one.condition}"
                svg = architectures(one, other, score_name(run, [one.unit.suite]).unit)
                figures.append(
                    Figure(slug(f"pairs-{one.condition}-{one.unit.suite}-{one.unit.name}-{a}-{b}"), name, svg)
                )
        table = _table(pairs, a, b)
        if table.rows:
            tables.append(table)
            views.append((f"PΔ of {a} and {b} where targeted, and correlations over pairs of sentences", _view(table)))
    if not figures:
        return None
    said = (
        f"Where two models prefer the same pairs. PΔ is {scores.difference}, the mean over seeds. In the figures of "
        "single paradigms a point is a pair: blue, both prefer the good sentence; green, one does; orange, neither."
    )
    return Section("between-models", "Models against each other", said, tuple(figures), tuple(views), tuple(tables))


def _pairs(analysis: Analysis, a: str, b: str) -> list[Pair]:
    """The same paradigm and condition of both models."""
    second = {(one.unit, one.condition): one for one in analysis.probabilities if one.model == b}
    return [
        (one, second[one.unit, one.condition])
        for one in analysis.probabilities
        if one.model == a and (one.unit, one.condition) in second
    ]


def _three(pairs: Sequence[Pair], a: str, b: str, unit: str) -> str:
    """Figure 5: PΔ under full a paradigm, ΔPΔ and robustness a targeted cell."""
    full = {one.unit: (one.unit.name, one.full, other.full, False) for one, other in pairs}
    aimed = [(one, other) for one, other in pairs if one.targeted]
    change = [(f"{x.unit.name}, {x.condition}", x.change.delta, y.change.delta, True) for x, y in aimed]
    robust = [
        (f"{x.unit.name}, {x.condition}", x.robustness, y.robustness, True)
        for x, y in aimed
        if x.robustness is not None and y.robustness is not None
    ]
    titles = (f"PΔ full, {unit}", f"ΔPΔ, {unit}, targeted", "r, targeted")
    body: list[str] = []
    panels: tuple[Sequence[Point], ...] = (list(full.values()), change, robust)
    for i, (title, points) in enumerate(zip(titles, panels, strict=True)):
        body += _panel(points, title, (a, b), LEFT + i * (SIDE + GAP), within_one=i == 2)
    width = LEFT + 3 * (SIDE + GAP) - GAP + 16
    return drawing(body, width, TOP + SIDE + BOTTOM, f"{b} against {a}, paradigm by paradigm")


def _panel(points: Sequence[Point], title: str, models: tuple[str, str], left: float, *, within_one: bool) -> list[str]:
    values = [number for point in points for number in point[1:3]]
    if within_one:
        low = min(0.0, math.floor(10 * min(values, default=0.0)) / 10)
        across, up = Axis(low, 1.0, left, SIDE), Axis(low, 1.0, TOP + SIDE, -SIDE)
    else:
        across, up = symmetric(values, left, SIDE), symmetric(values, TOP + SIDE, -SIDE)
    r = pearson([point[1] for point in points], [point[2] for point in points])
    body = [
        words(title, left, 14, class_="head"),
        words(f"r {write.number(r)}, n {len(points)}", left, 30, class_="small muted"),
    ]
    body += frame(across, up, models[0])
    place = f"translate({left - 36:.1f} {TOP + SIDE / 2:.1f}) rotate(-90)"
    body.append(tag("text", escaped(models[1]), transform=place, class_="small muted middle"))
    body.append(line(across(across.low), up(up.low), across(across.high), up(up.high), "dashed"))
    for name, x, y, aimed in points:
        tip = hint(f"{name}\n{models[0]} {write.signed(x)}, {models[1]} {write.signed(y)}")
        body.append(tag("circle", tip, cx=across(x), cy=up(y), r=4, class_="after" if aimed else "control"))
    return body


def _table(pairs: Sequence[Pair], a: str, b: str) -> Table:
    """Figure 7: four means of PΔ, and how four columns of it correlate over pairs of sentences."""
    columns = (
        Column("suite", "suite"),
        Column("paradigm", "paradigm"),
        Column("condition", "condition"),
        Column("full_a", f"{a} full", "number"),
        Column("after_a", f"{a} after", "number"),
        Column("full_b", f"{b} full", "number"),
        Column("after_b", f"{b} after", "number"),
        Column("r_full", "r of models, full", "number"),
        Column("r_after", "r of models, after", "number"),
        Column("r_a", f"r {a}, full and after", "number"),
        Column("r_b", f"r {b}, full and after", "number"),
    )
    rows = tuple(
        (
            *(one.unit.suite, one.unit.name, one.condition, one.full, one.after, other.full, other.after),
            *(pearson(one.x, other.x), pearson(one.y, other.y), one.robustness, other.robustness),
        )
        for one, other in pairs
        if one.targeted
    )
    return Table(slug(f"models-{a}-{b}"), f"PΔ of {a} and {b}", columns, rows)


def _view(table: Table) -> View:
    heads = tuple(Head(column.title, number=column.kind == "number") for column in table.columns[1:])
    rows = tuple(
        (
            text(str(row[1]), "name"),
            text(str(row[2])),
            *(
                value(write.signed(number) if i < 4 else write.number(number), number)
                for i, number in enumerate(numbers(row[3:]))
            ),
        )
        for row in table.rows
    )
    return View(table.name, heads, rows)


def numbers(row: Sequence[object]) -> list[float | None]:
    """The numbers of a row, None for what is missing."""
    return [float(each) if isinstance(each, float) else None for each in row]
