"""Scatter plots of the PΔ of a paradigm's items: full against a condition, or one model against another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from runner import formatting
from runner.report.charts import Axis
from runner.report.markup import box, drawing, escaped, line, svg_text, tag
from runner.report.section import Figure, slug
from runner.report.statistics import Analysis, ProbabilityDelta, Unit, score_name
from runner.score.inference import Floats, pearson

SECTION = "probability"
SIZE, GAP, LEFT, TOP, BOTTOM = 220, 64, 54, 40, 40
QUADRANTS = (("kept", "right in both"), ("gained", "gained"), ("lost", "lost"), ("never", "wrong in both"))


def figures(analysis: Analysis) -> Iterator[Figure]:
    groups: dict[tuple[str, Unit], list[ProbabilityDelta]] = {}
    for condition in analysis.results.conditions:
        for row in analysis.probability_deltas:
            if row.targeted and row.condition == condition.name:
                groups.setdefault((row.condition, row.unit), []).append(row)
    for (condition_name, unit), rows in groups.items():
        title = f"PΔ of pairs of {unit.name}, full against {condition_name}"
        svg = scatter(rows, score_name(analysis.results.run, [unit.suite]).unit)
        yield Figure(slug(f"items-{condition_name}-{unit.suite}-{unit.name}"), title, svg)


def scatter(rows: Sequence[ProbabilityDelta], score_unit: str) -> str:
    limit = _limit([array for row in rows for array in (row.full_deltas, row.condition_deltas)])
    body: list[str] = []
    for i, row in enumerate(rows):
        ceiling = f", ceiling {formatting.number(row.ceiling)}" if row.ceiling is not None else ""
        summary = f"r {formatting.number(row.robustness)}{ceiling}"
        titles = f"PΔ full, {score_unit}", f"PΔ {row.condition}"
        panel = Panel(row.model, summary, row.full_deltas, row.condition_deltas, *titles, QUADRANTS)
        body += draw_panel(panel, LEFT + i * (SIZE + GAP), limit)
    width = LEFT + len(rows) * (SIZE + GAP) - GAP + 12
    name = f"{rows[0].unit.name}, full against {rows[0].condition}"
    return drawing(body, width, TOP + SIZE + BOTTOM, f"Probability delta of every pair of {name}")


def _limit(arrays: Sequence[Floats]) -> float:
    """Return the limit of the axes, a round number above 99 % of the absolute values. Larger ones are clipped to it."""
    values = np.abs(np.concatenate(arrays))
    values = values[np.isfinite(values)]
    bound = float(np.quantile(values, 0.99)) if len(values) else 1.0
    steps = [base * 10.0**exponent for exponent in range(-3, 4) for base in (1, 2, 3, 4, 5, 6, 8)]
    return next((step for step in steps if step >= bound), bound)


@dataclass(frozen=True, slots=True)
class Panel:
    """Two values for each pair. `quadrants` are (CSS class, label): top right, top left, bottom right, bottom left."""

    title: str
    summary: str
    x: Floats
    y: Floats
    x_title: str
    y_title: str
    quadrants: tuple[tuple[str, str], tuple[str, str], tuple[str, str], tuple[str, str]]


def model_scatter(first: ProbabilityDelta, second: ProbabilityDelta, score_unit: str) -> str:
    panels = (
        ("full", first.full_deltas, second.full_deltas),
        (first.condition, first.condition_deltas, second.condition_deltas),
    )
    limit = _limit([array for _, *arrays in panels for array in arrays])
    alone = (f"{second.model} alone", f"{first.model} alone")
    quadrants = (("kept", "both"), ("gained", alone[0]), ("gained", alone[1]), ("lost", "neither"))
    body: list[str] = []
    for i, (title, x, y) in enumerate(panels):
        titles = f"PΔ {first.model}, {score_unit}", f"PΔ {second.model}"
        panel = Panel(title, f"r {formatting.number(pearson(x, y))}", x, y, *titles, quadrants)
        body += draw_panel(panel, LEFT + i * (SIZE + GAP), limit)
    name = f"{first.unit.name}, {second.model} against {first.model}"
    return drawing(body, LEFT + 2 * (SIZE + GAP) - GAP + 12, TOP + SIZE + BOTTOM, f"Probability delta of {name}")


def draw_panel(panel: Panel, left: float, limit: float) -> list[str]:
    x_axis, y_axis = Axis(-limit, limit, left, SIZE), Axis(-limit, limit, TOP + SIZE, -SIZE)
    x0, y0, half = x_axis(0), y_axis(0), SIZE / 2
    body = [
        svg_text(panel.title, left, 14, class_="head"),
        svg_text(panel.summary, left, 30, class_="small muted"),
        box(left, TOP, SIZE, SIZE, "none", radius=0),
        box(x0, TOP, half, half, panel.quadrants[0][0], radius=0),
        *([box(x0, y0, half, half, "lost", radius=0)] if panel.quadrants is QUADRANTS else []),
        line(left, TOP + SIZE, left + SIZE, TOP, "dashed"),
        line(left, y0, left + SIZE, y0, "axis"),
        line(x0, TOP, x0, TOP + SIZE, "axis"),
    ]
    corners = (
        (left + SIZE - 5, TOP + 14, "end"),
        (left + 5, TOP + 14, ""),
        (left + SIZE - 5, TOP + SIZE - 6, "end"),
        (left + 5, TOP + SIZE - 6, ""),
    )
    is_finite = np.isfinite(panel.x) & np.isfinite(panel.y)
    all_x, all_y = panel.x[is_finite], panel.y[is_finite]
    above_x, above_y = all_x > 0, all_y > 0  # zero counts as not positive
    masks = (above_x & above_y, ~above_x & above_y, above_x & ~above_y, ~above_x & ~above_y)
    for (css_class, label), mask, (label_x, label_y, anchor) in zip(panel.quadrants, masks, corners, strict=True):
        x, y = all_x[mask], all_y[mask]
        if len(x):
            dots = "".join(f"M{x_axis(a):.1f} {y_axis(b):.1f}h0" for a, b in zip(x.tolist(), y.tolist(), strict=True))
            body.append(tag("path", d=dots, class_=f"points points-{css_class}"))
        body.append(svg_text(f"{label} {len(x)}", label_x, label_y, class_=f"small {anchor}".strip()))
    for value in (-limit, 0.0, limit):
        label_text = formatting.number(value, 0 if limit >= 1 else 2)
        body.append(svg_text(label_text, x_axis(value), TOP + SIZE + 14, class_="small muted middle"))
        body.append(svg_text(label_text, left - 5, y_axis(value) + 4, class_="small muted end"))
    body.append(svg_text(panel.x_title, x0, TOP + SIZE + 30, class_="small muted middle"))
    transform_text = f"translate({left - 42:.1f} {y0:.1f}) rotate(-90)"
    body.append(tag("text", escaped(panel.y_title), transform=transform_text, class_="small muted middle"))
    return body
