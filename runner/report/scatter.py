"""Probability deltas of one targeted paradigm to a scatter of items: before filtering against after."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runner.report import format as write
from runner.report.forest import Scale
from runner.report.statistics import ProbabilityDelta
from runner.report.svg import box, drawing, escaped, line, tag, words
from runner.score.inference import Floats

SIZE, GAP, LEFT, TOP, BOTTOM = 220, 56, 46, 40, 40
QUADRANTS = ("kept", "lost", "gained", "never")


def scatter(rows: Sequence[ProbabilityDelta]) -> str:
    """One panel a model, for one paradigm and condition; axes in nats, the same in all panels."""
    limit = _limit([array for row in rows for array in (row.x, row.y)])
    body: list[str] = []
    for i, row in enumerate(rows):
        body += _panel(row, LEFT + i * (SIZE + GAP), limit)
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


def _panel(row: ProbabilityDelta, left: float, limit: float) -> list[str]:
    across, up = Scale(-limit, limit, left, SIZE), Scale(limit, -limit, TOP, SIZE)
    x0, y0, half = across(0), up(0), SIZE / 2
    body = [
        words(row.model, left, 14, class_="head"),
        words(_summary(row), left, 30, class_="small muted"),
        box(left, TOP, SIZE, SIZE, "none", radius=0),
        box(x0, TOP, half, half, "kept", radius=0),
        box(x0, y0, half, half, "lost", radius=0),
        line(left, TOP + SIZE, left + SIZE, TOP, "dashed"),
        line(left, y0, left + SIZE, y0, "axis"),
        line(x0, TOP, x0, TOP + SIZE, "axis"),
    ]
    groups = _groups(row)
    for name in QUADRANTS:
        x, y = groups[name]
        if len(x):
            dots = "".join(f"M{across(a):.1f} {up(b):.1f}h0" for a, b in zip(x.tolist(), y.tolist(), strict=True))
            body.append(tag("path", d=dots, class_=f"points points-{name}"))
    corners = {
        "kept": (left + SIZE - 5, TOP + 14, "end"),
        "lost": (left + SIZE - 5, TOP + SIZE - 6, "end"),
        "gained": (left + 5, TOP + 14, ""),
        "never": (left + 5, TOP + SIZE - 6, ""),
    }
    labels = {"kept": "right in both", "lost": "lost", "gained": "gained", "never": "wrong in both"}
    for name, (x_, y_, anchor) in corners.items():
        text = f"{labels[name]} {len(groups[name][0])}"
        body.append(words(text, x_, y_, class_=f"small {anchor}".strip()))
    for value in (-limit, 0.0, limit):
        shown = write.number(value, 0 if limit >= 1 else 2)
        body.append(words(shown, across(value), TOP + SIZE + 14, class_="small muted middle"))
        body.append(words(shown, left - 5, up(value) + 4, class_="small muted end"))
    body.append(words("PΔ full, nats", x0, TOP + SIZE + 30, class_="small muted middle"))
    place = f"translate({left - 30:.1f} {y0:.1f}) rotate(-90)"
    body.append(tag("text", f"PΔ {escaped(row.condition)}", transform=place, class_="small muted middle"))
    return body


def _summary(row: ProbabilityDelta) -> str:
    ceiling = f", ceiling {write.number(row.ceiling)}" if row.ceiling is not None else ""
    return f"r {write.number(row.robustness)}{ceiling}"


def _groups(row: ProbabilityDelta) -> dict[str, tuple[Floats, Floats]]:
    """Items by their signs: right before and after, lost, gained, wrong in both (a tie counts as wrong)."""
    usable = np.isfinite(row.x) & np.isfinite(row.y)
    x, y = row.x[usable], row.y[usable]
    masks = {
        "kept": (x > 0) & (y > 0),
        "lost": (x > 0) & ~(y > 0),
        "gained": ~(x > 0) & (y > 0),
        "never": ~(x > 0) & ~(y > 0),
    }
    return {name: (x[mask], y[mask]) for name, mask in masks.items()}
