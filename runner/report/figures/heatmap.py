"""The heatmap of accuracies and deltas (Patil et al. 2024, figure 2): paradigms by conditions and models."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from runner.report.analysis.statistics import Analysis, Unit, full_condition, random_controls
from runner.report.render import formatting
from runner.report.render.figure import Figure
from runner.report.render.names import slug
from runner.report.render.svg import CHARACTER, box, drawing, escaped, line, svg_text, tag, tooltip
from runner.report.tables.cells import SIGNS, accuracy_tooltip, contrast_tooltip
from runner.report.tables.contrasts import main_contrast
from runner.report.tables.wide import target_order

SECTION = "heatmap"
ACCURACY_EDGES = (40, 50, 60, 70, 80, 90)  # percent
DELTA_EDGES = (1, 3, 6, 10, 15, 25)  # points
WIDTH, HEIGHT, GAP = 64, 22, 2
TITLE_CHARACTER = 8.0  # width of a character in bold
MEAN_LABEL = "mean over paradigms"
LEGEND = 560  # smallest width of the figure


@dataclass(frozen=True, slots=True)
class HeatmapColumn:
    """A column: the accuracy of a condition if `against` is None, otherwise its change from full or its control."""

    condition: str
    model: str
    against: str | None
    x: float


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading that spans adjacent columns."""

    text: str
    start: float
    end: float


def accuracy_class(value: float) -> str:
    """Return the CSS class of an accuracy: 0.863 → `a5`, the number of edges (in percent) that it reaches."""
    return f"a{bisect_right(ACCURACY_EDGES, 100 * value)}"


def delta_class(value: float) -> str:
    """Return the CSS class of a delta: −0.302 → `n6`, 0.004 → `z`, 0.04 → `p2`."""
    step = bisect_right(DELTA_EDGES, abs(100 * value))
    return "z" if step == 0 else f"{'p' if value > 0 else 'n'}{step}"


def figures(analysis: Analysis) -> Iterator[Figure]:
    """Yield a figure per suite."""
    for suite in analysis.results.suites:
        yield Figure(slug(f"heatmap-{suite}"), f"Accuracy and its change: {suite}", heatmap(analysis, suite))


def heatmap(analysis: Analysis, suite: str, *, only_accuracies: bool = False) -> str:
    """Return the unstyled `<svg>` of one suite. With `only_accuracies`, all conditions show accuracies, not deltas."""
    sections = row_sections(analysis, suite)
    names = [unit.name for _, units in sections for unit in units]
    left = max(max(map(len, names), default=0) * CHARACTER, len(MEAN_LABEL) * TITLE_CHARACTER) + 16
    columns, titles, subtitles, right = _layout(analysis, left, only_accuracies=only_accuracies)
    top = 44 + max(len(model) for model in analysis.results.models) * 4.6
    body = [svg_text(span.text, span.start, 16, class_="head") for span in titles]
    body += [line(s.start, 22, s.end, 22, "axis") for s in titles]
    body += [svg_text(span.text, span.start, 37, class_="muted small") for span in subtitles]
    body += [_slanted(column, top - 6) for column in columns]
    y = top
    for title, units in sections:
        if title:
            body.append(svg_text(title.replace("_", " ").upper(), 0, y + 17, class_="section"))
            body.append(line(0, y + 23.5, right, y + 23.5, "rule"))
            y += 27
        for unit in units:
            bold = "head" if unit.level == "suite" else None
            label = MEAN_LABEL if unit.level == "suite" else unit.name
            body.append(svg_text(label, left - 10, y + 15, class_=f"end {bold or ''}".strip()))
            body += [_cell(analysis, unit, column, y) for column in columns]
            y += HEIGHT + GAP
        y += 6
    deltas = any(column.against is not None for column in columns)
    legend, height = _legend(y + 10, analysis, deltas=deltas)
    overhang = max(len(model) for model in analysis.results.models) * 5.4 - WIDTH / 2
    width = max(right + max(8, overhang), LEGEND)
    return drawing([*body, *legend], width, y + 10 + height, f"Accuracy and accuracy deltas on {suite}")


def row_sections(analysis: Analysis, suite: str) -> list[tuple[str, list[Unit]]]:
    """Return the rows by section: targeted paradigms, other paradigms by phenomenon, and the mean."""
    targets = frozenset().union(*analysis.targets.values())
    paradigms = [p for p in analysis.results.paradigms if p.suite == suite]
    keys = target_order(analysis)
    targeted = [Unit("paradigm", suite, key.rpartition("/")[2]) for key in keys if key.rpartition("/")[0] == suite]
    groups: dict[str, list[Unit]] = {}
    for paradigm in paradigms:
        if paradigm.key not in targets:
            group = paradigm.phenomenon or "other paradigms"
            groups.setdefault(group, []).append(Unit("paradigm", suite, paradigm.name))
    sections = [("targeted by a filter", targeted)] if targeted else []
    sections += [(name, groups[name]) for name in sorted(groups)]
    suite_unit = Unit("suite", suite, suite)
    return (
        [*sections, ("all", [suite_unit])]
        if any(unit == suite_unit for unit, _, _ in analysis.accuracies)
        else sections
    )


def _layout(
    analysis: Analysis, left: float, *, only_accuracies: bool
) -> tuple[list[HeatmapColumn], list[Heading], list[Heading], float]:
    """Return the columns with their positions, the headings of conditions and of references, and the right edge."""
    results = analysis.results
    full = full_condition(results)
    columns: list[HeatmapColumn] = []
    titles: list[Heading] = []
    subtitles: list[Heading] = []
    x = left
    for condition in results.conditions:
        blocks: list[str | None] = []
        if only_accuracies or condition.kind == "full" or full is None:
            blocks = [None]
        elif condition.control_of is None:
            blocks = ["full", "control"] if random_controls(results, condition.name) else ["full"]
        if not blocks:
            continue
        start = x
        for against in blocks:
            label = {None: "accuracy, %", "full": "Δ full", "control": "Δ control"}[against]
            subtitle_start = x
            for model in results.models:
                columns.append(HeatmapColumn(condition.name, model, against, x))
                x += WIDTH + GAP
            subtitles.append(Heading(label, subtitle_start, x - GAP))
            x += 6
        titles.append(Heading(condition.name, start, x - 6 - GAP))
        x = max(x + 12, start + len(condition.name) * TITLE_CHARACTER + 18)
    return columns, titles, subtitles, x - 18 - GAP


def _slanted(column: HeatmapColumn, y: float) -> str:
    x = column.x + WIDTH / 2 - 4
    transform_text = f"translate({x:.1f} {y:.1f}) rotate(-35)"
    return tag("text", escaped(column.model), transform=transform_text, class_="small")


def _cell(analysis: Analysis, unit: Unit, column: HeatmapColumn, y: float) -> str:
    if column.against is None:
        accuracy = analysis.accuracies.get((unit, column.condition, column.model))
        if accuracy is None:
            return box(column.x, y, WIDTH, HEIGHT, "none")
        shade = shades(accuracy_class(accuracy.mean), pale=False)
        targeted = (
            f"{unit.suite}/{unit.name}" in analysis.targets.get(column.condition, ()) and unit.level == "paradigm"
        )
        return _tile(
            column.x, y, *shade, formatting.percent(accuracy.mean), tip=accuracy_tooltip(accuracy), targeted=targeted
        )
    contrast = main_contrast(analysis, unit, column.condition, column.model, column.against)
    if contrast is None:
        return box(column.x, y, WIDTH, HEIGHT, "none")
    mark = f" {SIGNS[contrast.verdict]}" if contrast.verdict in SIGNS else ""
    text = formatting.points(contrast.difference.delta) + mark
    tip = contrast_tooltip(analysis, contrast)
    shade = shades(delta_class(contrast.difference.delta), pale=not contrast.targeted)
    return _tile(column.x, y, *shade, text, tip=tip, targeted=contrast.targeted)


def shades(shade: str, *, pale: bool) -> tuple[str, str]:
    """Return the CSS classes of a cell and of its number. Changes that are not targeted are pale."""
    return (f"{shade} pale", "") if pale else (shade, f" on-{shade}")


def _tile(x: float, y: float, shade: str, ink: str, text: str, *, tip: str, targeted: bool = False) -> str:
    content = [tooltip(tip), box(x, y, WIDTH, HEIGHT, shade)]
    if targeted:
        content.append(box(x + 1, y + 1, WIDTH - 2, HEIGHT - 2, "target"))
    content.append(svg_text(text, x + WIDTH / 2, y + 15, class_=f"middle{ink}"))
    return tag("g", *content)


def _legend(y: float, analysis: Analysis, *, deltas: bool) -> tuple[list[str], float]:
    """Draw the colour scales in use and a legend of the marks. Return the elements and their height."""
    top = y
    body = [svg_text("accuracy, %", 0, y + 14, class_="small muted")]
    x = 92.0
    for step in range(7):
        body.append(box(x, y + 3, 30, 14, f"a{step}"))
        if step:
            body.append(svg_text(str(ACCURACY_EDGES[step - 1]), x, y + 29, class_="small muted middle"))
        x += 31
    if deltas:
        y += 38
        body += _delta_scale(0, y)
    if not any(analysis.targets.values()):
        return body, y - top + 36
    body.append(box(1, y + 42, 22, 13, "target"))
    for text in _marks(analysis) if deltas else ("targeted by the condition's filters",):
        body.append(svg_text(text, 32, y + 53, class_="small muted"))
        y += 16
    return body, y - top + 50


def _marks(analysis: Analysis) -> tuple[str, str]:
    level = formatting.percentage(analysis.results.run.report.confidence)
    return (
        f"targeted by the condition's filters, with the verdict of its {level} interval:",
        "▾ fell  ▴ rose  = held  ? undecided. Other changes are pale; no test is made of them.",
    )


def _delta_scale(x: float, y: float) -> list[str]:
    body = [svg_text("delta, points", x, y + 14, class_="small muted")]
    x += 82
    shades = [*(f"n{i}" for i in range(6, 0, -1)), "z", *(f"p{i}" for i in range(1, 7))]
    edges = [*(formatting.MINUS + str(e) for e in reversed(DELTA_EDGES)), *(f"+{e}" for e in DELTA_EDGES)]
    for i, shade in enumerate(shades):
        body.append(box(x, y + 3, 28, 14, shade))
        if i:
            body.append(svg_text(edges[i - 1], x, y + 29, class_="small muted middle"))
        x += 29
    return body
