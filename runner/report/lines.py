"""Series of values to a panel of lines with bands."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from runner.report import format as write
from runner.report.plot import SERIES, Axis, frame, short
from runner.report.svg import hint, line, tag, words

DOTS = 40  # points of a line that can be pointed at


@dataclass(frozen=True, slots=True)
class Series:
    """A line: its name, colour, and at each x the mean and the extremes over seeds; dashed lines are the other kind."""

    name: str
    colour: int
    points: tuple[tuple[float, float, float, float], ...]
    dashed: bool = False


def over_seeds(values: Mapping[int, Mapping[float, float]]) -> tuple[tuple[float, float, float, float], ...]:
    """By seed and x to (x, mean, lowest, highest) in order of x, over the seeds that go so far.

    Seeds may be measured at other places: between two of its values a seed's is on the straight line.
    """
    at = sorted({x for each in values.values() for x in each})
    columns = [_between(each, at) for each in values.values()]
    found = []
    for place, x in enumerate(at):
        here = [column[place] for column in columns if not math.isnan(column[place])]
        found.append((x, math.fsum(here) / len(here), min(here), max(here)))
    return tuple(found)


def _between(values: Mapping[float, float], at: Sequence[float]) -> list[float]:
    """The values at some places; NaN before the first and behind the last."""
    known = sorted(values)
    ends: list[float] = np.interp(at, known, [values[x] for x in known], math.nan, math.nan).tolist()
    return [values.get(x, end) for x, end in zip(at, ends, strict=True)]


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
) -> list[str]:
    """Axes, bands over seeds, lines and their points with tips; `stages` are dashed verticals with names."""
    body = [words(title, x.start, y.start + y.length - 14, class_="head")]
    body += frame(x, y, title_x, title_y, factor=factor)
    for name, at in stages:
        if x.low <= at <= x.high:
            body.append(line(x(at), y.start, x(at), y.start + y.length, "stage"))
            body.append(words(name, x(at) + 3, y.start + y.length + 10, class_="small muted"))
    for one in series:
        colour = one.colour % SERIES
        if any(high > low for _, _, low, high in one.points):
            above = [(x(at), y(high)) for at, _, _, high in one.points]
            below = [(x(at), y(low)) for at, _, low, _ in reversed(one.points)]
            body.append(tag("path", d=_path([*above, *below]) + "Z", class_=f"band f{colour}"))
        dash = _dash(one)
        middle = _path([(x(at), y(mean)) for at, mean, _, _ in one.points])
        body.append(tag("path", d=middle, class_=f"series s{colour}", stroke_dasharray=dash))
        dots = one.points if len(one.points) <= DOTS else one.points[:: -(-len(one.points) // DOTS)]
        for at, mean, low, high in dots:
            spread = f", seeds {write.number(factor * low)} to {write.number(factor * high)}" if high > low else ""
            tip = hint(f"{one.name}\nat {short(at)}: {write.number(factor * mean)}{spread}")
            body.append(tag("circle", tip, cx=x(at), cy=y(mean), r=2.6, class_=f"f{colour}"))
    return body


def keys(series: Sequence[Series], x: float, y: float) -> list[str]:
    """The legend: one line a series, drawn as in the panel, before its name."""
    body = []
    for i, one in enumerate(series):
        at, dash = y + 15 * i, _dash(one)
        look = f"series s{one.colour % SERIES}"
        body.append(tag("path", d=f"M{x:.1f} {at - 4:.1f}h18", class_=look, stroke_dasharray=dash))
        body.append(words(one.name, x + 24, at, class_="small"))
    return body


def _dash(one: Series) -> str | None:
    """Dashes of the other kind, or of a colour that comes again."""
    return "5 4" if one.dashed else "2 3" if one.colour >= SERIES else None


def _path(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
