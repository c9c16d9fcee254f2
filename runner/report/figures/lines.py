"""Series of values to a panel of lines with bands."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from runner.report.render import format as write
from runner.report.render.plot import SERIES, Axis, frame, short
from runner.report.render.svg import hint, tag, words

DOTS = 40  # points of a line that can be pointed at
NARROW = 18  # pixels between two numbers of stages
LINE = 15  # pixels from a line of text to the next


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
    """Axes, bands over seeds, lines and their points with tips; `stages` are dashed verticals with their numbers."""
    body = [words(title, x.start, y.start + y.length - 14, class_="head")]
    body += frame(x, y, title_x, title_y, factor=factor)
    body += _stages(stages, x, y)
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


def _stages(stages: Sequence[tuple[str, float]], x: Axis, y: Axis) -> list[str]:
    """A dashed vertical where a stage begins, under its number; numbers that would touch stand as one, `3–5`."""
    top = y.start + y.length
    marks: list[tuple[float, int, int]] = []  # place, first and last stage
    body = []
    for number, (name, at) in enumerate(stages, 1):
        if at > x.high:
            break
        place = x(max(at, x.low))
        if at > x.low:
            tip = hint(f"{number}: {name}\nfrom {write.count(round(at))} tokens on")
            body.append(tag("path", tip, d=f"M{place:.1f} {y.start:.1f}v{y.length:.1f}", class_="stage"))
        elif marks:
            marks.pop()  # it was over before the axis begins
        if marks and place - marks[-1][0] < NARROW:
            marks[-1] = (marks[-1][0], marks[-1][1], number)
        else:
            marks.append((place, number, number))
    for place, first, last in marks:
        shown = str(first) if first == last else f"{first}–{last}"
        body.append(words(shown, place + 3, top + 10, class_="small muted"))
    return body


def stage_keys(stages: Sequence[tuple[str, float]], x: float, y: float) -> list[str]:
    """What the numbers of the stages mean, a line each."""
    return [
        words(f"{number} from {write.count(round(at))} tokens on: {name}", x, y + LINE * number, class_="small muted")
        for number, (name, at) in enumerate(stages, 1)
    ]


def keys(series: Sequence[Series], x: float, y: float) -> list[str]:
    """The legend: one line a series, drawn as in the panel, before its name."""
    body = []
    for i, one in enumerate(series):
        at, dash = y + LINE * i, _dash(one)
        look = f"series s{one.colour % SERIES}"
        body.append(tag("path", d=f"M{x:.1f} {at - 4:.1f}h18", class_=look, stroke_dasharray=dash))
        body.append(words(one.name, x + 24, at, class_="small"))
    return body


def _dash(one: Series) -> str | None:
    """Dashes of the other kind, or of a colour that comes again."""
    return "5 4" if one.dashed else "2 3" if one.colour >= SERIES else None


def _path(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
