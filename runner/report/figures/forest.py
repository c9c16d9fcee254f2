"""The forest plot of targeted cells: the accuracy of every seed, and changes with their intervals."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import groupby

from runner.report.analysis.statistics import Accuracy, Analysis, Contrast, Unit, full_condition
from runner.report.render import formatting
from runner.report.render.figure import Figure
from runner.report.render.plot import Scale
from runner.report.render.svg import box, drawing, escaped, line, svg_text, tag, tooltip
from runner.report.tables.cells import SIGNS, contrast_tooltip, css_class
from runner.report.tables.contrasts import main_contrast, targeted_cells
from runner.score.statistics.intervals import METHODS

SECTION = "targeted"
LEFT, DOTS, SPACE, DELTA, RIGHT = 150, 340, 56, 270, 170
ROW, HEADER, TOP = 40, 30, 46
_DIFFERENT_BASELINES = "the baseline"


def figures(analysis: Analysis) -> Iterator[Figure]:
    """Yield the figure if a scored paradigm is targeted."""
    drawn = forest(analysis)
    if drawn is not None:
        yield Figure("targeted", "Accuracy by seed, and change against the baseline", drawn)


def forest(analysis: Analysis) -> str | None:
    """Return the figure as SVG without its style, or None if nothing is targeted."""
    cells = targeted_cells(analysis)
    if not cells:
        return None
    contrasts = {cell: main_contrast(analysis, *cell) for cell in cells}
    accuracies = _scale(analysis, cells)
    deltas = _delta_scale(analysis, [contrast for contrast in contrasts.values() if contrast is not None])
    rows = sum(HEADER + ROW * len(list(group)) for _, group in groupby(cells, key=lambda cell: cell[:2]))
    height = TOP + rows + 44
    baseline = _baseline(list(contrasts.values()))
    body = _axes(accuracies, deltas, TOP + rows, baseline)
    y = float(TOP)
    for (unit, condition), group in groupby(cells, key=lambda cell: cell[:2]):
        heading = tag("tspan", escaped(unit.name), class_="head")
        condition_label = tag("tspan", escaped(f"under {condition}"), dx=8, class_="muted")
        body.append(tag("text", heading, condition_label, x=0, y=y + 19))
        y += HEADER
        for cell in group:
            body += _row(analysis, cell, contrasts[cell], accuracies, deltas, baseline, y=y)
            y += ROW
    body += _legend(analysis, height - 12)
    width = LEFT + DOTS + SPACE + DELTA + RIGHT
    return drawing(body, width, height, "Accuracy of every seed and the change of targeted paradigms")


def _scale(analysis: Analysis, cells: list[tuple[Unit, str, str]]) -> Scale:
    """Return the scale of accuracies, from the largest multiple of ten percent below all values (at most 40) to 100."""
    values = [
        value
        for unit, condition, model in cells
        for _, accuracy in _corpora(analysis, unit, condition, model)
        for value in accuracy.by_seed.values()
    ]
    return Scale(min(0.4, math.floor(10 * min(values)) / 10), 1.0, LEFT, DOTS)


def _delta_scale(analysis: Analysis, contrasts: list[Contrast]) -> Scale:
    ends = [
        abs(end)
        for contrast in contrasts
        for end in (
            contrast.difference.delta,
            contrast.difference.low,
            contrast.difference.high,
            *_classical_ends(contrast),
            *(value for _, value in _draws(analysis, contrast)),
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


def _classical_ends(contrast: Contrast) -> tuple[float, ...]:
    """Return the ends of Welch's interval, or an empty tuple if it is the main interval."""
    welch = contrast.methods["welch"]
    if not contrast.over_items or welch.low is None or welch.high is None:
        return ()
    return welch.low, welch.high


def _draws(analysis: Analysis, contrast: Contrast) -> tuple[tuple[int, float], ...]:
    """Return the changes of the placebo draws for a contrast with full; other contrasts have none."""
    if contrast.against != "full":
        return ()
    cell = (contrast.condition, contrast.model, f"{contrast.unit.suite}/{contrast.unit.name}")
    tests = (test for test in analysis.placebos if (test.condition, test.model, test.paradigm) == cell)
    return tuple(draw for test in tests for draw in test.draws)


def _baseline(contrasts: Sequence[Contrast | None]) -> str:
    """Return the baseline that the axis names. If rows have different baselines, each row names its own."""
    kinds = {contrast.against for contrast in contrasts if contrast is not None}
    if len(kinds) > 1:
        return _DIFFERENT_BASELINES
    return "full" if kinds == {"full"} else "the control"


def _axes(accuracies: Scale, deltas: Scale, bottom: float, baseline: str) -> list[str]:
    body = [
        svg_text("accuracy by seed, %", accuracies.start, 14, class_="head"),
        svg_text(f"change against {baseline}, points", deltas.start, 14, class_="head"),
    ]
    for step in range(round(10 * accuracies.low), 11):
        x = accuracies(step / 10)
        body.append(line(x, TOP - 6, x, bottom, "axis" if step == 5 else "rule"))
        body.append(svg_text(str(10 * step), x, TOP - 12, class_="small muted middle"))
    body.append(line(deltas(0), TOP - 6, deltas(0), bottom, "zero"))
    for value in (deltas.low, deltas.low / 2, 0.0, deltas.high / 2, deltas.high):
        x = deltas(value)
        body.append(svg_text(formatting.points(value).removesuffix(".0"), x, TOP - 12, class_="small muted middle"))
        if value:
            body.append(line(x, TOP - 6, x, bottom, "rule"))
    return body


def _row(
    analysis: Analysis,
    cell: tuple[Unit, str, str],
    contrast: Contrast | None,
    accuracies: Scale,
    deltas: Scale,
    baseline: str,
    *,
    y: float,
) -> list[str]:
    body = [svg_text(cell[2], 14, y + 17)]
    for i, (side, accuracy) in enumerate(_corpora(analysis, *cell)):
        dot_y = y + 5 + 8 * i
        x = accuracies(accuracy.mean)
        body.append(tag("line", x1=x, y1=dot_y - 4, x2=x, y2=dot_y + 4, class_=f"{side}-line mean"))
        for seed, value in accuracy.by_seed.items():
            tip = tooltip(f"{accuracy.condition}, seed {seed}: {formatting.percent(value)} %")
            dot = "hollow" if side == "full" else side
            body.append(tag("circle", tip, cx=accuracies(value), cy=dot_y, r=3.2, class_=dot))
    if contrast is None:
        return body
    difference, interval_y = contrast.difference, y + 13
    group = [tooltip(contrast_tooltip(analysis, contrast))]
    group.append(box(deltas.start, y, deltas.width, ROW - 10, "hit"))
    for draw, value in _draws(analysis, contrast):
        tip = tooltip(f"draw {draw} of the placebo: {formatting.points(value)}")
        group.append(tag("circle", tip, cx=deltas(value), cy=interval_y, r=2.4, class_="draw"))
    ends = _classical_ends(contrast)
    if ends:
        group.append(line(deltas(ends[0]), interval_y + 6, deltas(ends[1]), interval_y + 6, "thin"))
    if difference.low is not None and difference.high is not None:
        group.append(
            line(
                deltas(difference.low),
                interval_y,
                deltas(difference.high),
                interval_y,
                f"thick {css_class(contrast)}".strip(),
            )
        )
    group.append(tag("circle", cx=deltas(difference.delta), cy=interval_y, r=4, class_="estimate"))
    shown = f"{SIGNS.get(contrast.verdict, '')} {formatting.points(difference.delta)} {contrast.verdict or ''}".strip()
    group.append(svg_text(shown, deltas.start + DELTA + 16, y + 13, class_="head"))
    interval = formatting.interval(difference)
    if baseline == _DIFFERENT_BASELINES:
        interval += f" against {'full' if contrast.against == 'full' else 'control'}"
    group.append(svg_text(interval, deltas.start + DELTA + 16, y + 27, class_="small muted"))
    return [*body, tag("g", *group)]


def _legend(analysis: Analysis, y: float) -> list[str]:
    body = []
    x = float(LEFT)
    for side, label in (("full", "full corpus"), ("control", "control"), ("after", "changed corpus")):
        dot = "hollow" if side == "full" else side
        body.append(tag("circle", cx=x + 4, cy=y - 4, r=3.2, class_=dot))
        body.append(svg_text(label, x + 12, y, class_="small muted"))
        x += 34 + 6.0 * len(label)
    x = LEFT + DOTS + SPACE
    body.append(line(x, y - 4, x + 22, y - 4, "thick"))
    methods = list(dict.fromkeys(c.difference.method for c in analysis.targeted if c.difference.low is not None))
    method_names = "; ".join(methods) or "no interval"
    body.append(svg_text(method_names, x + 30, y, class_="small muted"))
    if any(_classical_ends(contrast) for contrast in analysis.targeted):
        x += 48 + 5.4 * len(method_names)
        body.append(line(x, y - 4, x + 22, y - 4, "thin"))
        body.append(svg_text(f"{METHODS['welch'].name} only", x + 30, y, class_="small muted"))
    if any(_draws(analysis, contrast) for contrast in analysis.targeted):
        body.append(tag("circle", cx=LEFT + DOTS + SPACE + 4, cy=y - 20, r=2.4, class_="draw"))
        body.append(svg_text("placebo draws", LEFT + DOTS + SPACE + 14, y - 16, class_="small muted"))
    return body
