"""Line charts with bands over seeds."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from runner import formatting
from runner.report.render.plot import COLOURS, Axis, frame, short_number
from runner.report.render.svg import svg_text, tag, tooltip

MAX_DOTS = 40  # points with tooltips on one line
MIN_STAGE_DISTANCE = 18  # smallest distance between two stage numbers in pixels
LINE_HEIGHT = 15  # line height of text in pixels


@dataclass(frozen=True, slots=True)
class Series:
    """A line: its name, colour and points (x, mean, lowest, highest over seeds), and whether it is dashed."""

    name: str
    colour: int
    points: tuple[tuple[float, float, float, float], ...]
    dashed: bool = False


def seed_ranges(values: Mapping[int, Mapping[float, float]]) -> tuple[tuple[float, float, float, float], ...]:
    """Return (x, mean, lowest, highest) in the order of x, over the seeds whose range includes x.

    `values` are by seed and x. A seed's value between two of its points is interpolated linearly.
    """
    positions = sorted({x for points in values.values() for x in points})
    columns = [_interpolate(points, positions) for points in values.values()]
    ranges = []
    for index, x in enumerate(positions):
        values_at_x = [column[index] for column in columns if not math.isnan(column[index])]
        ranges.append((x, math.fsum(values_at_x) / len(values_at_x), min(values_at_x), max(values_at_x)))
    return tuple(ranges)


def _interpolate(values: Mapping[float, float], positions: Sequence[float]) -> list[float]:
    """Return the values at these positions, interpolated linearly, and NaN outside the measured range."""
    measured = sorted(values)
    interpolated: list[float] = np.interp(
        positions, measured, [values[x] for x in measured], math.nan, math.nan
    ).tolist()
    return [values.get(x, value) for x, value in zip(positions, interpolated, strict=True)]


def panel(
    series: Sequence[Series],
    x: Axis,
    y: Axis,
    title: str,
    *,
    title_x: str = "",
    title_y: str = "",
    factor: float = 1.0,
    stages: Sequence[tuple[str, float]] = (),
    format_x: Callable[[float], str] = short_number,
) -> list[str]:
    """Draw axes, bands over seeds, lines, points with tooltips, and dashed verticals at `stages`.

    A stage is its name and the x where it begins. Stages are numbered. `factor` scales the printed values of y.
    """
    body = [svg_text(title, x.start, y.start + y.length - 14, class_="head")]
    body += frame(x, y, title_x, title_y, factor=factor, format_x=format_x)
    body += _stages(stages, x, y)
    for line in series:
        colour = line.colour % COLOURS
        if any(high > low for _, _, low, high in line.points):
            upper = [(x(x_value), y(high)) for x_value, _, _, high in line.points]
            lower = [(x(x_value), y(low)) for x_value, _, low, _ in reversed(line.points)]
            body.append(tag("path", d=_path([*upper, *lower]) + "Z", class_=f"band f{colour}"))
        dash = _dash(line)
        mean_line = _path([(x(x_value), y(mean)) for x_value, mean, _, _ in line.points])
        body.append(tag("path", d=mean_line, class_=f"series s{colour}", stroke_dasharray=dash))
        dots = line.points if len(line.points) <= MAX_DOTS else line.points[:: -(-len(line.points) // MAX_DOTS)]
        for x_value, mean, low, high in dots:
            spread = (
                f", seeds {formatting.number(factor * low)} to {formatting.number(factor * high)}" if high > low else ""
            )
            tip = tooltip(f"{line.name}\nat {format_x(x_value)}: {formatting.number(factor * mean)}{spread}")
            body.append(tag("circle", tip, cx=x(x_value), cy=y(mean), r=2.6, class_=f"f{colour}"))
    return body


def _stages(stages: Sequence[tuple[str, float]], x: Axis, y: Axis) -> list[str]:
    """Draw a numbered dashed vertical where each stage begins. Numbers that would overlap are merged, as in `3–5`."""
    top = y.start + y.length
    marks: list[tuple[float, int, int]] = []  # position, first and last stage
    body = []
    for number, (name, x_value) in enumerate(stages, 1):
        if x_value > x.high:
            break
        position = x(max(x_value, x.low))
        if x_value > x.low:
            tip = tooltip(f"{number}: {name}\nfrom {formatting.count(round(x_value))} tokens on")
            body.append(tag("path", tip, d=f"M{position:.1f} {y.start:.1f}v{y.length:.1f}", class_="stage"))
        elif marks:
            marks.pop()  # the previous stage ended before the axis begins
        if marks and position - marks[-1][0] < MIN_STAGE_DISTANCE:
            marks[-1] = (marks[-1][0], marks[-1][1], number)
        else:
            marks.append((position, number, number))
    for position, first, last in marks:
        label = str(first) if first == last else f"{first}–{last}"
        body.append(svg_text(label, position + 3, top + 10, class_="small muted"))
    return body


def stage_legend(stages: Sequence[tuple[str, float]], x: float, y: float) -> list[str]:
    """Draw a legend of the stage numbers, one line each."""
    return [
        svg_text(
            f"{number} from {formatting.count(round(x_value))} tokens on: {name}",
            x,
            y + LINE_HEIGHT * number,
            class_="small muted",
        )
        for number, (name, x_value) in enumerate(stages, 1)
    ]


def legend(series: Sequence[Series], x: float, y: float) -> list[str]:
    """Draw the legend, one line per series."""
    body = []
    for i, line in enumerate(series):
        baseline, dash = y + LINE_HEIGHT * i, _dash(line)
        css_class = f"series s{line.colour % COLOURS}"
        body.append(tag("path", d=f"M{x:.1f} {baseline - 4:.1f}h18", class_=css_class, stroke_dasharray=dash))
        body.append(svg_text(line.name, x + 24, baseline, class_="small"))
    return body


def _dash(line: Series) -> str | None:
    """Return the dash pattern of a dashed line or of a reused colour, or None."""
    return "5 4" if line.dashed else "2 3" if line.colour >= COLOURS else None


def _path(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
