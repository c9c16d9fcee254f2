"""Charts: axes, lines with bands over seeds, and dots with intervals."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from runner import formatting
from runner.report.markup import box, drawing, line, svg_text, tag, tooltip
from runner.report.section import Figure

NUMBER = re.compile(r"[\W_]*\d+(?:\.\d+)?%?")


def split_series(amounts: Mapping[str, float], base: str | None = None) -> dict[str, tuple[str, ...]]:
    """Return the conditions of each line by label, so that no line has two conditions with equal amounts.

    If all amounts differ, there is one line, labelled ""; else conditions whose names differ only in numbers form a
    line, or each its own if their amounts are equal. `base` starts every line that lacks its amount.
    """
    others = [name for name in amounts if name != base]
    by_stem: dict[str, list[str]] = {}
    for name in others:
        by_stem.setdefault(NUMBER.sub("", name), []).append(name)
    candidates = ({"": others}, by_stem, {name: [name] for name in others})
    lines = next(
        lines
        for lines in candidates
        if all(len({amounts[name] for name in names}) == len(names) for names in lines.values())
    )
    if base is None or base not in amounts:
        return {label: tuple(names) for label, names in lines.items()}
    starts = {label for label, names in lines.items() if amounts[base] not in {amounts[name] for name in names}}
    extended = {label: (base, *names) if label in starts else tuple(names) for label, names in lines.items()}
    return extended if starts else {**extended, base: (base,)}


RELATIVE_TOLERANCE = 1e-12  # relative difference below which values count as equal
SMALLEST_RANGE = 1e-300  # of an axis; the steps of a smaller one would underflow
COLOURS = 8  # number of distinct colours; further series reuse them


@dataclass(frozen=True, slots=True)
class Axis:
    """A linear or logarithmic map from values to pixels. `start` is the pixel of `low`; `length` may be negative."""

    low: float
    high: float
    start: float
    length: float
    log: bool = False

    def __call__(self, value: float) -> float:
        clipped = min(max(value, self.low), self.high)
        low, high, position = (math.log10(x) if self.log else x for x in (self.low, self.high, clipped))
        return self.start + (position - low) / (high - low) * self.length

    def ticks(self) -> list[float]:
        """Return round values in steps of 1, 2 or 5 × 10ᵏ; on a logarithmic axis, powers of ten if two are visible."""
        if self.log:
            powers = range(math.floor(math.log10(self.low)), math.floor(math.log10(self.high) + 1e-9) + 1)
            for bases in ((1,), (1, 2, 5)):
                marks = [base * 10.0**power for power in powers for base in bases]
                visible = [mark for mark in marks if self.low * (1 - 1e-9) <= mark <= self.high * (1 + 1e-9)]
                if len(visible) > 1:
                    return visible
        step = _round_step((self.high - self.low) / 5)
        first = math.ceil(self.low / step - 1e-9)
        return [step * i for i in range(first, math.floor(self.high / step + 1e-9) + 1)]


def axis(values: Iterable[float], start: float, length: float, *, log: bool = False, zero: bool = False) -> Axis:
    """Return an axis that includes all finite values and, with `zero`, zero. With `log`, values must be positive."""
    finite_values = [value for value in values if math.isfinite(value)] + ([0.0] if zero else [])
    low, high = (min(finite_values), max(finite_values)) if finite_values else (0.0, 1.0)
    if log:
        return Axis(*((low, high) if high > low else (low / 2, low * 2)), start, length, log=True)
    magnitude = max(abs(low), abs(high))
    if high - low <= max(RELATIVE_TOLERANCE * magnitude, SMALLEST_RANGE):
        margin = max(0.5, magnitude / 1e6)
        low, high = low - margin, high + margin
    step = _round_step((high - low) / 5)
    return Axis(step * math.floor(low / step + 1e-9), step * math.ceil(high / step - 1e-9), start, length)


def symmetric(values: Iterable[float], start: float, length: float) -> Axis:
    bound = axis([max((abs(value) for value in values if math.isfinite(value)), default=1.0)], 0, 1, zero=True).high
    return Axis(-bound, bound, start, length)


def _round_step(minimum: float) -> float:
    power = 10.0 ** math.floor(math.log10(minimum))
    return next(base * power for base in (1, 2, 5, 10) if base * power >= minimum - 1e-12 * power)


def short_number(value: float) -> str:
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:g}{unit}".replace("-", "−")
    return f"{value:.6g}".replace("-", "−")


def frame(
    x: Axis,
    y: Axis,
    title_x: str = "",
    title_y: str = "",
    *,
    factor: float = 1.0,
    format_x: Callable[[float], str] = short_number,
) -> list[str]:
    """Draw grid lines with values and axis titles. `factor` scales the printed values of y, for example to percent."""
    left, right = x.start, x.start + x.length
    bottom, top = y.start, y.start + y.length
    body = []
    for value in y.ticks():
        body.append(line(left, y(value), right, y(value), "zero" if value == 0 and y.low < 0 else "rule"))
        body.append(svg_text(short_number(round(factor * value, 9)), left - 6, y(value) + 4, class_="small muted end"))
    for value in x.ticks():
        body.append(line(x(value), bottom, x(value), top, "zero" if value == 0 and x.low < 0 else "rule"))
        body.append(svg_text(format_x(round(value, 9)), x(value), bottom + 15, class_="small muted middle"))
    if title_x:
        body.append(svg_text(title_x, (left + right) / 2, bottom + 31, class_="small muted middle"))
    if title_y:
        body.append(svg_text(title_y, left - 34, top - 8, class_="small muted"))
    return body


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
    """Return (x, mean, lowest, highest) over the seeds whose range includes x, between points interpolated."""
    positions = sorted({x for points in values.values() for x in points})
    columns: list[dict[float, float]] = []
    for points in values.values():
        measured = sorted(points)
        heights = np.interp(positions, measured, [points[x] for x in measured], math.nan, math.nan).tolist()
        columns.append({x: points.get(x, value) for x, value in zip(positions, heights, strict=True)})
    ranges = []
    for x in positions:
        values_at_x = [column[x] for column in columns if not math.isnan(column[x])]
        ranges.append((x, math.fsum(values_at_x) / len(values_at_x), min(values_at_x), max(values_at_x)))
    return tuple(ranges)


def series_by_amount(
    lines: Iterable[tuple[str, Mapping[str, float], Mapping[str, Mapping[int, float]]]], base: str | None = None
) -> list[Series]:
    """Return lines, given their names, the amount of each condition, and values by condition and seed."""
    named_points = []
    for name, amounts, values in lines:
        for label, conditions in split_series({condition: amounts[condition] for condition in values}, base).items():
            by_seed: dict[int, dict[float, float]] = {}
            for condition in conditions:
                for seed, value in values[condition].items():
                    by_seed.setdefault(seed, {})[amounts[condition]] = value
            if points := seed_ranges(by_seed):
                named_points.append((f"{name}, {label}" if label else name, points))
    return [Series(name, colour, points) for colour, (name, points) in enumerate(named_points)]


def amount_chart(
    series: Sequence[Series], x: Axis, y: Axis, label: str, title: str, title_x: str, factor: float = 100.0
) -> str:
    body = panel(series, x, y, title, title_x=title_x, factor=factor)
    return drawing([*body, *legend(series, 494, 44)], 800, max(310, 50 + LINE_HEIGHT * len(series)), label)


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
    """Draw a chart with bands over seeds, and numbered dashed verticals at `stages` (names and places on x)."""
    body = [svg_text(title, x.start, y.start + y.length - 14, class_="head")]
    body += frame(x, y, title_x, title_y, factor=factor, format_x=format_x)
    body += _stages(stages, x, y)
    for curve in series:
        colour = curve.colour % COLOURS
        if any(high > low for _, _, low, high in curve.points):
            upper = [(x(x_value), y(high)) for x_value, _, _, high in curve.points]
            lower = [(x(x_value), y(low)) for x_value, _, low, _ in reversed(curve.points)]
            body.append(tag("path", d=_path([*upper, *lower]) + "Z", class_=f"band f{colour}"))
        dash = _dash(curve)
        mean_line = _path([(x(x_value), y(mean)) for x_value, mean, _, _ in curve.points])
        body.append(tag("path", d=mean_line, class_=f"series s{colour}", stroke_dasharray=dash))
        dots = curve.points if len(curve.points) <= MAX_DOTS else curve.points[:: -(-len(curve.points) // MAX_DOTS)]
        for x_value, mean, low, high in dots:
            spread = (
                f", seeds {formatting.number(factor * low)} to {formatting.number(factor * high)}" if high > low else ""
            )
            tip = tooltip(f"{curve.name}\nat {format_x(x_value)}: {formatting.number(factor * mean)}{spread}")
            body.append(tag("circle", tip, cx=x(x_value), cy=y(mean), r=2.6, class_=f"f{colour}"))
    return body


def _stages(stages: Sequence[tuple[str, float]], x: Axis, y: Axis) -> list[str]:
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
    texts = (
        f"{number} from {formatting.count(round(at))} tokens on: {name}" for number, (name, at) in enumerate(stages, 1)
    )
    return [svg_text(text, x, y + LINE_HEIGHT * line, class_="small muted") for line, text in enumerate(texts, 1)]


def legend(series: Sequence[Series], x: float, y: float) -> list[str]:
    body = []
    for i, curve in enumerate(series):
        baseline, dash = y + LINE_HEIGHT * i, _dash(curve)
        css_class = f"series s{curve.colour % COLOURS}"
        body.append(tag("path", d=f"M{x:.1f} {baseline - 4:.1f}h18", class_=css_class, stroke_dasharray=dash))
        body.append(svg_text(curve.name, x + 24, baseline, class_="small"))
    return body


def _dash(line: Series) -> str | None:
    return "5 4" if line.dashed else "2 3" if line.colour >= COLOURS else None


def _path(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


WIDTH, ROW, TOP = 420, 24, 40
# Entries of a legend: CSS class, label, radius in pixels.
ESTIMATE, SEED = ("estimate", "mean over seeds", 4.2), ("control", "single seed", 2.6)
BASELINE = ("hollow", "word frequencies", 3.2)


@dataclass(frozen=True, slots=True)
class Dot:
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
    group = [tooltip(dot.tip), box(x_axis.start, y - ROW / 2, x_axis.length, ROW, "hit")]
    if dot.low is not None and dot.high is not None:
        group.append(line(x_axis(dot.low), y, x_axis(dot.high), y, "thick"))
    if dot.baseline is not None:
        group.append(tag("circle", cx=x_axis(dot.baseline), cy=y, r=3.2, class_="hollow"))
    group += [tag("circle", cx=x_axis(seed), cy=y, r=2.6, class_="control") for seed in dot.seeds]
    group.append(tag("circle", cx=x_axis(dot.value), cy=y, r=4.2, class_="estimate"))
    return tag("g", *group)
