"""Probability deltas of one targeted paradigm to a scatter of items: before filtering against after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from runner.report.analysis.statistics import ProbabilityDelta
from runner.report.figures.forest import Scale
from runner.report.render import format as write
from runner.report.render.svg import box, drawing, escaped, line, tag, words
from runner.score.statistics.inference import Floats, pearson

SIZE, GAP, LEFT, TOP, BOTTOM = 220, 56, 46, 40, 40
QUADRANTS = (("kept", "right in both"), ("gained", "gained"), ("lost", "lost"), ("never", "wrong in both"))


def scatter(rows: Sequence[ProbabilityDelta], unit: str) -> str:
    """One panel a model, for one paradigm and condition; axes in `unit`, the same in all panels."""
    limit = _limit([array for row in rows for array in (row.x, row.y)])
    body: list[str] = []
    for i, row in enumerate(rows):
        body += _panel(row, LEFT + i * (SIZE + GAP), limit, unit)
    width = LEFT + len(rows) * (SIZE + GAP) - GAP + 12
    name = f"{rows[0].unit.name}, full against {rows[0].condition}"
    return drawing(body, width, TOP + SIZE + BOTTOM, f"Probability delta of every pair of {name}")


def _limit(arrays: Sequence[Floats]) -> float:
    """A round number that holds 99 % of the values; the rest is drawn on the border."""
    values = np.abs(np.concatenate(arrays))
    values = values[np.isfinite(values)]
    bound = float(np.quantile(values, 0.99)) if len(values) else 1.0
    steps = [base * 10.0**exponent for exponent in range(-3, 4) for base in (1, 2, 3, 4, 5, 6, 8)]
    return next((step for step in steps if step >= bound), bound)


def _panel(row: ProbabilityDelta, left: float, limit: float, unit: str) -> list[str]:
    panel = Panel(row.model, _summary(row), row.x, row.y, f"PΔ full, {unit}", f"PΔ {row.condition}", QUADRANTS)
    return drawn(panel, left, limit)


@dataclass(frozen=True, slots=True)
class Panel:
    """Two values a pair with titles, and for each quadrant its look and what it is called, right above first."""

    title: str
    summary: str
    x: Floats
    y: Floats
    across: str
    up: str
    quadrants: tuple[tuple[str, str], tuple[str, str], tuple[str, str], tuple[str, str]]


def architectures(one: ProbabilityDelta, other: ProbabilityDelta, unit: str) -> str:
    """Two models on the pairs of a paradigm, under full and under the condition (FiCT's figure 4)."""
    limit = _limit([one.x, one.y, other.x, other.y])
    names = (f"{other.model} alone", f"{one.model} alone")
    looks = (("kept", "both"), ("gained", names[0]), ("gained", names[1]), ("lost", "neither"))
    body: list[str] = []
    for i, (title, x, y) in enumerate((("full", one.x, other.x), (one.condition, one.y, other.y))):
        across, up = f"PΔ {one.model}, {unit}", f"PΔ {other.model}"
        panel = Panel(title, f"r {write.number(pearson(x, y))}", x, y, across, up, looks)
        body += drawn(panel, LEFT + i * (SIZE + GAP), limit)
    name = f"{one.unit.name}, {other.model} against {one.model}"
    return drawing(body, LEFT + 2 * (SIZE + GAP) - GAP + 12, TOP + SIZE + BOTTOM, f"Probability delta of {name}")


def drawn(panel: Panel, left: float, limit: float) -> list[str]:
    """A panel with its axes, quadrants and points."""
    across, up = Scale(-limit, limit, left, SIZE), Scale(limit, -limit, TOP, SIZE)
    x0, y0, half = across(0), up(0), SIZE / 2
    body = [
        words(panel.title, left, 14, class_="head"),
        words(panel.summary, left, 30, class_="small muted"),
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
    for (look, label), (x, y), (at, level, anchor) in zip(panel.quadrants, _groups(panel), corners, strict=True):
        if len(x):
            dots = "".join(f"M{across(a):.1f} {up(b):.1f}h0" for a, b in zip(x.tolist(), y.tolist(), strict=True))
            body.append(tag("path", d=dots, class_=f"points points-{look}"))
        body.append(words(f"{label} {len(x)}", at, level, class_=f"small {anchor}".strip()))
    for value in (-limit, 0.0, limit):
        shown = write.number(value, 0 if limit >= 1 else 2)
        body.append(words(shown, across(value), TOP + SIZE + 14, class_="small muted middle"))
        body.append(words(shown, left - 5, up(value) + 4, class_="small muted end"))
    body.append(words(panel.across, x0, TOP + SIZE + 30, class_="small muted middle"))
    place = f"translate({left - 30:.1f} {y0:.1f}) rotate(-90)"
    body.append(tag("text", escaped(panel.up), transform=place, class_="small muted middle"))
    return body


def _summary(row: ProbabilityDelta) -> str:
    ceiling = f", ceiling {write.number(row.ceiling)}" if row.ceiling is not None else ""
    return f"r {write.number(row.robustness)}{ceiling}"


def _groups(panel: Panel) -> list[tuple[Floats, Floats]]:
    """Pairs by their signs: above zero on both axes, upwards alone, across alone, on neither (a tie is not above)."""
    usable = np.isfinite(panel.x) & np.isfinite(panel.y)
    x, y = panel.x[usable], panel.y[usable]
    masks = ((x > 0) & (y > 0), ~(x > 0) & (y > 0), (x > 0) & ~(y > 0), ~(x > 0) & ~(y > 0))
    return [(x[mask], y[mask]) for mask in masks]
