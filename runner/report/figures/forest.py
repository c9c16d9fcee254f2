"""The forest plot of targeted cells: accuracy of every seed, and deltas with their intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import groupby

from runner.report.analysis.statistics import Accuracy, Analysis, Contrast, Unit, full_condition
from runner.report.figures.heatmap import contrast_tooltip
from runner.report.render import format as write
from runner.report.render.svg import box, drawing, escaped, line, svg_text, tag, tooltip
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
        """Return the pixel of a value, clipped to the panel."""
        clipped = min(max(value, min(self.low, self.high)), max(self.low, self.high))
        return self.start + (clipped - self.low) / (self.high - self.low) * self.width


def forest(analysis: Analysis) -> str | None:
    """Return the figure without style, or None if nothing is targeted."""
    cells = targeted_cells(analysis)
    if not cells:
        return None
    contrasts = {cell: _reference(analysis, *cell) for cell in cells}
    accuracies = _scale(analysis, cells)
    deltas = _delta_scale([contrast for contrast in contrasts.values() if contrast is not None])
    rows = sum(HEADER + ROW * len(list(group)) for _, group in groupby(cells, key=lambda cell: cell[:2]))
    height = TOP + rows + 44
    body = _axes(accuracies, deltas, TOP + rows)
    y = float(TOP)
    for (unit, condition), group in groupby(cells, key=lambda cell: cell[:2]):
        heading = tag("tspan", escaped(unit.name), class_="head")
        condition_label = tag("tspan", escaped(f"under {condition}"), dx=8, class_="muted")
        body.append(tag("text", heading, condition_label, x=0, y=y + 19))
        y += HEADER
        for cell in group:
            body += _row(analysis, cell, contrasts[cell], accuracies, deltas, y=y)
            y += ROW
    body += _legend(height - 12)
    width = LEFT + DOTS + SPACE + DELTA + RIGHT
    return drawing(body, width, height, "Accuracy of every seed and the delta of targeted paradigms")


def _reference(analysis: Analysis, unit: Unit, condition: str, model: str) -> Contrast | None:
    control = main_contrast(analysis, unit, condition, model, "control")
    return control or main_contrast(analysis, unit, condition, model, "full")


def _scale(analysis: Analysis, cells: list[tuple[Unit, str, str]]) -> Scale:
    """Return the scale of accuracies, from the largest multiple of ten percent below all values (at most 40) to 100."""
    values = [
        value
        for unit, condition, model in cells
        for _, accuracy in _corpora(analysis, unit, condition, model)
        for value in accuracy.by_seed.values()
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


def _corpora(analysis: Analysis, unit: Unit, condition: str, model: str) -> list[tuple[str, Accuracy]]:
    full = full_condition(analysis.results)
    control = main_contrast(analysis, unit, condition, model, "control")
    names = [("full", full.name if full else None), ("control", control.reference if control else None)]
    names.append(("after", condition))
    accuracies = ((side, analysis.accuracies.get((unit, name, model))) for side, name in names if name is not None)
    return [(side, accuracy) for side, accuracy in accuracies if accuracy is not None]


def _axes(accuracies: Scale, deltas: Scale, bottom: float) -> list[str]:
    body = [
        svg_text("accuracy by seed, %", accuracies.start, 14, class_="head"),
        svg_text("delta against the control, points", deltas.start, 14, class_="head"),
    ]
    for step in range(round(10 * accuracies.low), 11):
        x = accuracies(step / 10)
        body.append(line(x, TOP - 6, x, bottom, "axis" if step == 5 else "rule"))
        body.append(svg_text(str(10 * step), x, TOP - 12, class_="small muted middle"))
    body.append(line(deltas(0), TOP - 6, deltas(0), bottom, "zero"))
    for value in (deltas.low, deltas.low / 2, 0.0, deltas.high / 2, deltas.high):
        x = deltas(value)
        body.append(svg_text(write.points(value).removesuffix(".0"), x, TOP - 12, class_="small muted middle"))
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
    body = [svg_text(cell[2], 14, y + 17)]
    for i, (side, accuracy) in enumerate(_corpora(analysis, *cell)):
        level = y + 5 + 8 * i
        x = accuracies(accuracy.mean)
        body.append(tag("line", x1=x, y1=level - 4, x2=x, y2=level + 4, class_=f"{side}-line mean"))
        for seed, value in accuracy.by_seed.items():
            tip = tooltip(f"{accuracy.condition}, seed {seed}: {write.percent(value)} %")
            dot = "hollow" if side == "full" else side
            body.append(tag("circle", tip, cx=accuracies(value), cy=level, r=3.2, class_=dot))
    if contrast is None:
        return body
    difference, middle = contrast.difference, y + 13
    group = [tooltip(contrast_tooltip(analysis, contrast))]
    group.append(box(deltas.start, y, deltas.width, ROW - 10, "hit"))
    if contrast.bootstrap is not None:
        low, high = contrast.bootstrap
        group.append(line(deltas(low), middle + 6, deltas(high), middle + 6, "thin"))
    if difference.low is not None and difference.high is not None:
        group.append(line(deltas(difference.low), middle, deltas(difference.high), middle, "thick"))
    group.append(tag("circle", cx=deltas(difference.delta), cy=middle, r=4, class_="estimate"))
    group.append(svg_text(write.points(difference.delta), deltas.start + DELTA + 16, y + 13, class_="head"))
    group.append(svg_text(write.interval(difference), deltas.start + DELTA + 16, y + 27, class_="small muted"))
    if contrast.against == "full":
        group.append(svg_text("against full", deltas.start + DELTA + 66, y + 13, class_="small muted"))
    return [*body, tag("g", *group)]


def _legend(y: float) -> list[str]:
    body = []
    x = float(LEFT)
    for side, label in (("full", "full corpus"), ("control", "random control"), ("after", "changed corpus")):
        dot = "hollow" if side == "full" else side
        body.append(tag("circle", cx=x + 4, cy=y - 4, r=3.2, class_=dot))
        body.append(svg_text(label, x + 12, y, class_="small muted"))
        x += 34 + 6.0 * len(label)
    x = LEFT + DOTS + SPACE
    body.append(line(x, y - 4, x + 22, y - 4, "thick"))
    body.append(svg_text("Welch t over seeds", x + 30, y, class_="small muted"))
    body.append(line(x + 150, y - 4, x + 172, y - 4, "thin"))
    body.append(svg_text("bootstrap, seed × item", x + 180, y, class_="small muted"))
    return body
