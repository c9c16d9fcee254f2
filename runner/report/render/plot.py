"""Axes of charts: the mapping of values to pixels, ticks and grid lines."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from runner.report.render.svg import line, svg_text

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
        """Return the pixel of a value, clipped to the axis."""
        clipped = min(max(value, self.low), self.high)
        low, high, position = (math.log10(x) if self.log else x for x in (self.low, self.high, clipped))
        return self.start + (position - low) / (high - low) * self.length

    def ticks(self) -> list[float]:
        """Return round values along the axis, in steps of 1, 2 or 5 × 10ᵏ.

        On a logarithmic axis, return powers of ten. If fewer than two are visible, add 2 and 5 × 10ᵏ. If there are
        still fewer than two, return linear steps.
        """
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
    """Return an axis centred at zero."""
    bound = axis([max((abs(value) for value in values if math.isfinite(value)), default=1.0)], 0, 1, zero=True).high
    return Axis(-bound, bound, start, length)


def _round_step(minimum: float) -> float:
    """Return the smallest step of 1, 2 or 5 × 10ᵏ that is not below `minimum`."""
    power = 10.0 ** math.floor(math.log10(minimum))
    return next(base * power for base in (1, 2, 5, 10) if base * power >= minimum - 1e-12 * power)


def short_number(value: float) -> str:
    """Abbreviate a number: 1500000 → `1.5M`, 0.25 → `0.25`."""
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
