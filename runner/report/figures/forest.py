"""The forest plot of targeted cells: the accuracy of every seed, and changes with their intervals."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import groupby

from runner import formatting
from runner.report.accuracy_tables import SIGNS, contrast_tooltip, verdict_class
from runner.report.charts import Axis
from runner.report.contrast_tables import main_contrast, targeted_cells
from runner.report.markup import box, drawing, escaped, line, svg_text, tag, tooltip
from runner.report.section import Figure
from runner.report.statistics import Accuracy, Analysis, Contrast, Unit, placebo_changes
from runner.score.intervals import METHODS

SECTION = "targeted"
# Pixels.
LEFT, DOTS_WIDTH, DELTA_LEFT, DELTA_WIDTH, WIDTH = 150.0, 340.0, 546.0, 270.0, 1046.0
TOP, HEADER, ROW = 46, 30, 40
DRAWS_ABOVE = 8  # between the draws of a placebo and the interval
_DIFFERENT_BASELINES = "the baseline"


def figures(analysis: Analysis) -> Iterator[Figure]:
    drawn = forest(analysis)
    if drawn is not None:
        yield Figure("targeted", "Accuracy by seed, and change against the baseline", drawn)


def forest(analysis: Analysis) -> str | None:
    cells = targeted_cells(analysis)
    if not cells:
        return None
    contrasts = {cell: main_contrast(analysis, *cell) for cell in cells}
    known_contrasts = [contrast for contrast in contrasts.values() if contrast is not None]
    accuracy_axis, delta_axis = _accuracy_axis(analysis, cells), _delta_axis(analysis, known_contrasts)
    references = {contrast.reference_kind for contrast in known_contrasts}
    baseline = "full" if references == {"full"} else "the control" if len(references) < 2 else _DIFFERENT_BASELINES
    body: list[str] = []
    y = float(TOP)
    for (unit, condition), group in groupby(cells, key=lambda cell: cell[:2]):
        spans = (
            tag("tspan", escaped(unit.name), class_="head"),
            tag("tspan", escaped(f"under {condition}"), class_="muted", dx=8),
        )
        body.append(tag("text", *spans, x=0, y=y + 19))
        y += HEADER
        for cell in group:
            body += _row(analysis, cell, contrasts[cell], accuracy_axis, delta_axis, baseline, y)
            y += ROW
    axes = _axes(accuracy_axis, delta_axis, y, baseline)
    legend, height = _legend(analysis, known_contrasts, y + 32)
    label = "Accuracy of every seed and the change of targeted paradigms"
    return drawing([*axes, *body, *legend], WIDTH, height, label)


def _accuracy_axis(analysis: Analysis, cells: list[tuple[Unit, str, str]]) -> Axis:
    accuracies = [accuracy for cell in cells for _, accuracy in _accuracy_series(analysis, *cell)]
    lowest = min(value for accuracy in accuracies for value in accuracy.by_seed.values())
    return Axis(min(0.4, math.floor(10 * lowest) / 10), 1.0, LEFT, DOTS_WIDTH)


def _delta_axis(analysis: Analysis, contrasts: list[Contrast]) -> Axis:
    sizes = [
        abs(value)
        for contrast in contrasts
        for value in (
            contrast.difference.delta,
            contrast.difference.low,
            contrast.difference.high,
            *_welch_ends(contrast),
            *(change for _, change in placebo_changes(analysis, contrast)),
        )
        if value is not None
    ]
    limit = min(1.0, math.ceil(20 * max([0.05, *sizes])) / 20)
    return Axis(-limit, limit, DELTA_LEFT, DELTA_WIDTH)


def _accuracy_series(analysis: Analysis, unit: Unit, condition: str, model: str) -> list[tuple[str, Accuracy]]:
    control = main_contrast(analysis, unit, condition, model, "control")
    names = {"full": analysis.full.name if analysis.full else "", "control": control.reference if control else ""}
    names["after"] = condition
    accuracies = ((series, analysis.accuracies.get((unit, name, model))) for series, name in names.items())
    return [(series, accuracy) for series, accuracy in accuracies if accuracy is not None]


def _welch_ends(contrast: Contrast) -> tuple[float, ...]:
    welch = contrast.differences_by_method["welch"]
    if not contrast.over_items or welch.low is None or welch.high is None:
        return ()
    return welch.low, welch.high


def _axes(accuracy_axis: Axis, delta_axis: Axis, bottom: float, baseline: str) -> list[str]:
    body = [
        svg_text("accuracy by seed, %", accuracy_axis.start, 14, class_="head"),
        svg_text(f"change against {baseline}, points", delta_axis.start, 14, class_="head"),
    ]
    for step in range(round(10 * accuracy_axis.low), 11):
        x = accuracy_axis(step / 10)
        body.append(line(x, TOP - 6, x, bottom, "axis" if step == 5 else "rule"))
        body.append(svg_text(str(10 * step), x, TOP - 12, class_="small muted middle"))
    body.append(line(delta_axis(0), TOP - 6, delta_axis(0), bottom, "zero"))
    for value in (delta_axis.low, delta_axis.low / 2, 0.0, delta_axis.high / 2, delta_axis.high):
        x = delta_axis(value)
        body.append(svg_text(formatting.points(value).removesuffix(".0"), x, TOP - 12, class_="small muted middle"))
        if value:
            body.append(line(x, TOP - 6, x, bottom, "rule"))
    return body


def _row(
    analysis: Analysis,
    cell: tuple[Unit, str, str],
    contrast: Contrast | None,
    accuracy_axis: Axis,
    delta_axis: Axis,
    baseline: str,
    y: float,
) -> list[str]:
    body = [svg_text(cell[2], 14, y + 17)]
    for i, (series, accuracy) in enumerate(_accuracy_series(analysis, *cell)):
        dot_y = y + 5 + 8 * i
        x = accuracy_axis(accuracy.mean)
        body.append(tag("line", x1=x, y1=dot_y - 4, x2=x, y2=dot_y + 4, class_=f"{series}-line mean"))
        for seed, value in accuracy.by_seed.items():
            tip = tooltip(f"{accuracy.condition}, seed {seed}: {formatting.percent(value)} %")
            dot = "hollow" if series == "full" else series
            body.append(tag("circle", tip, cx=accuracy_axis(value), cy=dot_y, r=3.2, class_=dot))
    if contrast is None:
        return body
    return [*body, tag("g", *_change(analysis, contrast, delta_axis, y), *_numbers(contrast, baseline, y))]


def _change(analysis: Analysis, contrast: Contrast, delta_axis: Axis, top: float) -> list[str]:
    difference, interval_y = contrast.difference, top + 13
    body = [tooltip(contrast_tooltip(analysis, contrast)), box(delta_axis.start, top, delta_axis.length, 30, "hit")]
    for draw, value in placebo_changes(analysis, contrast):
        tip = tooltip(f"draw {draw} of the placebo: {formatting.points(value)} against {contrast.reference}")
        body.append(tag("circle", tip, cx=delta_axis(value), cy=interval_y - DRAWS_ABOVE, r=2.4, class_="draw"))
    ends = _welch_ends(contrast)
    if ends:
        body.append(line(delta_axis(ends[0]), interval_y + 6, delta_axis(ends[1]), interval_y + 6, "thin"))
    if difference.low is not None and difference.high is not None:
        css = f"thick {verdict_class(contrast)}".strip()
        body.append(line(delta_axis(difference.low), interval_y, delta_axis(difference.high), interval_y, css))
    return [*body, tag("circle", cx=delta_axis(difference.delta), cy=interval_y, r=4, class_="estimate")]


def _numbers(contrast: Contrast, baseline: str, y: float) -> list[str]:
    points = formatting.points(contrast.difference.delta)
    change = f"{SIGNS.get(contrast.verdict, '')} {points} {contrast.verdict or ''}".strip()
    interval = formatting.interval(contrast.difference.low, contrast.difference.high)
    if baseline == _DIFFERENT_BASELINES:
        interval += f" against {'full' if contrast.reference_kind == 'full' else 'control'}"
    right = DELTA_LEFT + DELTA_WIDTH + 16
    return [
        svg_text(change, right, y + 13, class_="head"),
        svg_text(interval, right, y + 27, class_="small muted"),
    ]


def _legend(analysis: Analysis, contrasts: Sequence[Contrast], y: float) -> tuple[list[str], float]:
    body: list[str] = []
    x = LEFT
    for series, label in (("full", "full corpus"), ("control", "control"), ("after", "changed corpus")):
        body.append(tag("circle", cx=x + 4, cy=y - 4, r=3.2, class_="hollow" if series == "full" else series))
        body.append(svg_text(label, x + 12, y, class_="small muted"))
        x += 34 + 6.0 * len(label)
    methods = list(
        dict.fromkeys(contrast.difference.method for contrast in contrasts if contrast.difference.low is not None)
    )
    marks = [("thick", "; ".join(methods) or "no interval")]
    if any(_welch_ends(contrast) for contrast in contrasts):
        marks.append(("thin", f"{METHODS['welch'].name} only"))
    if any(placebo_changes(analysis, contrast) for contrast in contrasts):
        marks.append(("draw", "placebo draws, from the same baseline"))
    x = DELTA_LEFT
    for css, label in marks:
        dot = tag("circle", cx=x + 11, cy=y - 4, r=2.4, class_=css)
        body.append(dot if css == "draw" else line(x, y - 4, x + 22, y - 4, css))
        body.append(svg_text(label, x + 30, y, class_="small muted"))
        y += 16
    return body, y
