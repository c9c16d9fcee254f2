"""Targeted cells to a figure: accuracy of every seed under full, control and filtered, and the delta's intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import groupby

from runner.report.analysis.statistics import Accuracy, Analysis, Contrast, Unit, full_of
from runner.report.figures.heatmap import contrast_hint
from runner.report.render import format as write
from runner.report.render.svg import box, drawing, escaped, hint, line, tag, words
from runner.report.tables.tables import main_contrast, targeted_cells

LEFT, DOTS, SPACE, DELTA, RIGHT = 150, 340, 56, 270, 150
ROW, HEADER, TOP = 40, 30, 46


@dataclass(frozen=True, slots=True)
class Scale:
    """A linear map from values to pixels."""

    low: float
    high: float
    start: float
    width: float

    def __call__(self, value: float) -> float:
        """The pixel of a value, kept inside the panel."""
        inside = min(max(value, min(self.low, self.high)), max(self.low, self.high))
        return self.start + (inside - self.low) / (self.high - self.low) * self.width


def forest(analysis: Analysis) -> str | None:
    """The figure, without style; None where nothing is targeted."""
    cells = targeted_cells(analysis)
    if not cells:
        return None
    against = {cell: _reference(analysis, *cell) for cell in cells}
    accuracies = _scale(analysis, cells)
    deltas = _delta_scale([contrast for contrast in against.values() if contrast is not None])
    rows = sum(HEADER + ROW * len(list(group)) for _, group in groupby(cells, key=lambda cell: cell[:2]))
    height = TOP + rows + 44
    body = _axes(accuracies, deltas, TOP + rows)
    y = float(TOP)
    for (unit, condition), group in groupby(cells, key=lambda cell: cell[:2]):
        heading = tag("tspan", escaped(unit.name), class_="head")
        under = tag("tspan", escaped(f"under {condition}"), dx=8, class_="muted")
        body.append(tag("text", heading, under, x=0, y=y + 19))
        y += HEADER
        for cell in group:
            body += _row(analysis, cell, against[cell], accuracies, deltas, y=y)
            y += ROW
    body += _legend(height - 12)
    width = LEFT + DOTS + SPACE + DELTA + RIGHT
    return drawing(body, width, height, "Accuracy of every seed and the delta of targeted paradigms")


def _reference(analysis: Analysis, unit: Unit, condition: str, model: str) -> Contrast | None:
    control = main_contrast(analysis, unit, condition, model, "control")
    return control or main_contrast(analysis, unit, condition, model, "full")


def _scale(analysis: Analysis, cells: list[tuple[Unit, str, str]]) -> Scale:
    """From the lowest accuracy that is drawn, a step of ten below it, to 1."""
    values = [
        value
        for unit, condition, model in cells
        for _, one in _sides(analysis, unit, condition, model)
        for value in one.by_seed.values()
    ]
    return Scale(min(0.4, math.floor(10 * min(values)) / 10), 1.0, LEFT, DOTS)


def _delta_scale(contrasts: list[Contrast]) -> Scale:
    ends = [
        abs(end)
        for contrast in contrasts
        for end in (
            contrast.difference.delta,
            contrast.difference.low,
            contrast.difference.high,
            *(contrast.bootstrap or ()),
        )
        if end is not None
    ]
    limit = min(1.0, math.ceil(20 * max([0.05, *ends])) / 20)
    return Scale(-limit, limit, LEFT + DOTS + SPACE, DELTA)


def _sides(analysis: Analysis, unit: Unit, condition: str, model: str) -> list[tuple[str, Accuracy]]:
    full = full_of(analysis.results)
    control = main_contrast(analysis, unit, condition, model, "control")
    names = [("full", full.name if full else None), ("control", control.reference if control else None)]
    names.append(("after", condition))
    found = ((side, analysis.accuracies.get((unit, name, model))) for side, name in names if name is not None)
    return [(side, one) for side, one in found if one is not None]


def _axes(accuracies: Scale, deltas: Scale, bottom: float) -> list[str]:
    body = [
        words("accuracy by seed, %", accuracies.start, 14, class_="head"),
        words("delta against the control, points", deltas.start, 14, class_="head"),
    ]
    for step in range(round(10 * accuracies.low), 11):
        x = accuracies(step / 10)
        body.append(line(x, TOP - 6, x, bottom, "axis" if step == 5 else "rule"))
        body.append(words(str(10 * step), x, TOP - 12, class_="small muted middle"))
    body.append(line(deltas(0), TOP - 6, deltas(0), bottom, "zero"))
    for value in (deltas.low, deltas.low / 2, 0.0, deltas.high / 2, deltas.high):
        x = deltas(value)
        body.append(words(write.points(value).removesuffix(".0"), x, TOP - 12, class_="small muted middle"))
        if value:
            body.append(line(x, TOP - 6, x, bottom, "rule"))
    return body


def _row(
    analysis: Analysis,
    cell: tuple[Unit, str, str],
    contrast: Contrast | None,
    accuracies: Scale,
    deltas: Scale,
    *,
    y: float,
) -> list[str]:
    body = [words(cell[2], 14, y + 17)]
    for i, (side, one) in enumerate(_sides(analysis, *cell)):
        level = y + 5 + 8 * i
        x = accuracies(one.mean)
        body.append(tag("line", x1=x, y1=level - 4, x2=x, y2=level + 4, class_=f"{side}-line mean"))
        for seed, value in one.by_seed.items():
            tip = hint(f"{one.condition}, seed {seed}: {write.percent(value)} %")
            dot = "hollow" if side == "full" else side
            body.append(tag("circle", tip, cx=accuracies(value), cy=level, r=3.2, class_=dot))
    if contrast is None:
        return body
    d, middle = contrast.difference, y + 13
    inside = [hint(contrast_hint(analysis, contrast))]
    inside.append(box(deltas.start, y, deltas.width, ROW - 10, "hit"))
    if contrast.bootstrap is not None:
        low, high = contrast.bootstrap
        inside.append(line(deltas(low), middle + 6, deltas(high), middle + 6, "thin"))
    if d.low is not None and d.high is not None:
        inside.append(line(deltas(d.low), middle, deltas(d.high), middle, "thick"))
    inside.append(tag("circle", cx=deltas(d.delta), cy=middle, r=4, class_="estimate"))
    inside.append(words(write.points(d.delta), deltas.start + DELTA + 16, y + 13, class_="head"))
    inside.append(words(write.interval(d), deltas.start + DELTA + 16, y + 27, class_="small muted"))
    if contrast.against == "full":
        inside.append(words("against full", deltas.start + DELTA + 66, y + 13, class_="small muted"))
    return [*body, tag("g", *inside)]


def _legend(y: float) -> list[str]:
    body = []
    x = float(LEFT)
    for side, label in (("full", "full corpus"), ("control", "random control"), ("after", "changed corpus")):
        dot = "hollow" if side == "full" else side
        body.append(tag("circle", cx=x + 4, cy=y - 4, r=3.2, class_=dot))
        body.append(words(label, x + 12, y, class_="small muted"))
        x += 34 + 6.0 * len(label)
    x = LEFT + DOTS + SPACE
    body.append(line(x, y - 4, x + 22, y - 4, "thick"))
    body.append(words("Welch t over seeds", x + 30, y, class_="small muted"))
    body.append(line(x + 150, y - 4, x + 172, y - 4, "thin"))
    body.append(words("bootstrap, seed × item", x + 180, y, class_="small muted"))
    return body
