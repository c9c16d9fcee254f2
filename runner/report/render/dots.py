"""Draw estimates with their intervals as dots, one row each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runner import formatting
from runner.report.render.figure import Figure
from runner.report.render.plot import Axis, axis, short_number
from runner.report.render.svg import box, drawing, line, svg_text, tag, tooltip

WIDTH, ROW, TOP = 420, 24, 40
# Entries of a legend: CSS class, label, radius in pixels.
ESTIMATE, SEED = ("estimate", "mean over seeds", 4.2), ("control", "single seed", 2.6)
BASELINE = ("hollow", "word frequencies", 3.2)


@dataclass(frozen=True, slots=True)
class Dot:
    """An estimate with its label, its interval if any, the values of seeds, a baseline if any, and a tooltip."""

    label: str
    value: float
    low: float | None
    high: float | None
    seeds: Sequence[float]
    tip: str
    baseline: float | None = None


def interval_dots(
    name: str, title: str, dots: Sequence[Dot], heading: str, legend: Sequence[tuple[str, str, float]]
) -> Figure:
    """Return a figure with one row per dot. `legend` has the CSS class, label and radius of each kind of dot."""
    left = max(len(dot.label) for dot in dots) * 6.6 + 16
    ends = [end for dot in dots for end in (dot.value, dot.low, dot.high, dot.baseline)]
    x_axis = axis([end for end in ends if end is not None], left, WIDTH, zero=True)
    bottom = TOP + ROW * len(dots)
    body = [svg_text(heading, left, 12, class_="head")]
    for tick in x_axis.ticks():
        css_class = "zero" if tick == 0 else "rule"
        body.append(line(x_axis(tick), TOP - 8, x_axis(tick), bottom, css_class))
        body.append(svg_text(short_number(round(tick, 9)), x_axis(tick), TOP - 14, class_="small muted middle"))
    for i, dot in enumerate(dots):
        y = TOP + ROW * (i + 1) - ROW / 2
        body.append(_dot(dot, x_axis, y))
        body.append(svg_text(dot.label, left - 10, y + 4, class_="end"))
        body.append(svg_text(formatting.number(dot.value), left + WIDTH + 14, y + 4))
    x, y = left, bottom + 18
    for css_class, label, radius in legend:
        body.append(tag("circle", cx=x + 4, cy=y - 4, r=radius, class_=css_class))
        body.append(svg_text(label, x + 13, y, class_="small muted"))
        x += 34 + 6.0 * len(label)
    return Figure(name, title, drawing(body, left + WIDTH + 60, bottom + 28, title))


def _dot(dot: Dot, x_axis: Axis, y: float) -> str:
    """Draw an estimate, its interval, its baseline and its seeds, with a tooltip."""
    group = [tooltip(dot.tip), box(x_axis.start, y - ROW / 2, x_axis.length, ROW, "hit")]
    if dot.low is not None and dot.high is not None:
        group.append(line(x_axis(dot.low), y, x_axis(dot.high), y, "thick"))
    if dot.baseline is not None:
        group.append(tag("circle", cx=x_axis(dot.baseline), cy=y, r=3.2, class_="hollow"))
    group += [tag("circle", cx=x_axis(seed), cy=y, r=2.6, class_="control") for seed in dot.seeds]
    group.append(tag("circle", cx=x_axis(dot.value), cy=y, r=4.2, class_="estimate"))
    return tag("g", *group)
