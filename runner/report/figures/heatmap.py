"""The heatmap of accuracies and deltas (Patil et al. 2024, figure 2): paradigms by conditions and models."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from runner import formatting
from runner.report.grids import (
    ACCURACY_EDGES,
    BLOCK_TITLES,
    DELTA_EDGES,
    MEAN_LABEL,
    blocks,
    frozen,
    grid_cell,
    heading,
    label,
    row_sections,
)
from runner.report.markup import CHARACTER_WIDTH, box, drawing, escaped, line, svg_text, tag, tooltip
from runner.report.section import Figure, slug
from runner.report.statistics import Analysis, Unit

SECTION = "heatmap"
WIDTH, HEIGHT, GAP = 64, 22, 2  # pixels: size of a cell, space between cells
TITLE_CHARACTER_WIDTH = 8.0  # width of a character in bold
MIN_WIDTH = 560  # smallest width of the figure


# condition, model, and the reference of its changes, or None for its accuracies; the left edge
HeatmapColumn: TypeAlias = tuple[tuple[str, str, str | None], float]
Heading: TypeAlias = tuple[str, float, float]  # a text, and the edges of the columns that it spans


def figures(analysis: Analysis) -> Iterator[Figure]:
    for suite in analysis.results.suites if analysis.results.models else ():
        svg = heatmap(analysis, suite)
        yield Figure(slug(f"heatmap-{suite}"), f"Accuracy and its change: {suite}", svg)


def heatmap(analysis: Analysis, suite: str, *, only_accuracies: bool = False) -> str:
    sections = row_sections(analysis, suite)
    names = [unit.name for _, units in sections for unit in units]
    left = max(max(map(len, names), default=0) * CHARACTER_WIDTH, len(MEAN_LABEL) * TITLE_CHARACTER_WIDTH) + 16
    labels: list[str] = []
    columns, titles, subtitles, right = _layout(analysis, left, only_accuracies=only_accuracies)
    top = 44 + max(len(model) for model in analysis.results.models) * 4.6
    body = [svg_text(text, start, 16, class_="head") for text, start, _ in titles]
    body += [line(start, 22, end, 22, "axis") for _, start, end in titles]
    body += [svg_text(text, start, 37, class_="muted small") for text, start, _ in subtitles]
    for (_, model, _), x in columns:
        slant = f"translate({x + WIDTH / 2 - 4:.1f} {top - 6:.1f}) rotate(-35)"
        body.append(tag("text", escaped(model), transform=slant, class_="small"))
    y = top
    for title, units in sections:
        if title:
            body.append(line(left, y + 23.5, right, y + 23.5, "rule"))
            labels.append(svg_text(heading(title), 0, y + 17, class_="section"))
            labels.append(line(0, y + 23.5, left, y + 23.5, "rule"))
            y += 27
        for unit in units:
            labels.append(
                svg_text(label(unit), left - 10, y + 15, class_="end head" if unit.level == "suite" else "end")
            )
            body += [_cell(analysis, unit, column, y) for column in columns]
            y += HEIGHT + GAP
        y += 6
    deltas = any(reference_kind is not None for (_, _, reference_kind), _ in columns)
    legend, height = _legend(y + 10, analysis, deltas=deltas)
    overhang = max(len(model) for model in analysis.results.models) * 5.4 - WIDTH / 2
    width = max(right + max(8, overhang), MIN_WIDTH)
    body.append(frozen(labels, left, 0, y))
    return drawing([*body, *legend], width, y + 10 + height, f"Accuracy and accuracy deltas on {suite}")


def _layout(
    analysis: Analysis, left: float, *, only_accuracies: bool
) -> tuple[list[HeatmapColumn], list[Heading], list[Heading], float]:
    results = analysis.results
    columns: list[HeatmapColumn] = []
    titles: list[Heading] = []
    subtitles: list[Heading] = []
    x = left
    for condition in results.conditions:
        reference_kinds = blocks(analysis, condition, only_accuracies=only_accuracies)
        if not reference_kinds:
            continue
        start = x
        for reference_kind in reference_kinds:
            subtitle_start = x
            for model in results.models:
                columns.append(((condition.name, model, reference_kind), x))
                x += WIDTH + GAP
            subtitles.append((BLOCK_TITLES[reference_kind], subtitle_start, x - GAP))
            x += 6
        titles.append((condition.name, start, x - 6 - GAP))
        x = max(x + 12, start + len(condition.name) * TITLE_CHARACTER_WIDTH + 18)
    return columns, titles, subtitles, x - 18 - GAP


def _cell(analysis: Analysis, unit: Unit, column: HeatmapColumn, y: float) -> str:
    key, x = column
    cell = grid_cell(analysis, unit, *key)
    if cell is None:
        return box(x, y, WIDTH, HEIGHT, "none")
    content = [tooltip(cell.tip), box(x, y, WIDTH, HEIGHT, cell.shade)]
    if cell.targeted:
        content.append(box(x + 1, y + 1, WIDTH - 2, HEIGHT - 2, "target"))
    content.append(svg_text(cell.text, x + WIDTH / 2, y + 15, class_=f"middle {cell.ink}".strip()))
    return tag("g", *content)


def _legend(y: float, analysis: Analysis, *, deltas: bool) -> tuple[list[str], float]:
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
    targeted = "targeted by the condition's filters"
    verdicts = (
        f"{targeted}, with the verdict of its {analysis.level} interval:",
        "▾ fell  ▴ rose  ▿ ▵ the same within the margin  = held  ? undecided. Other changes are pale: no test.",
    )
    for text in verdicts if deltas else (targeted,):
        body.append(svg_text(text, 32, y + 53, class_="small muted"))
        y += 16
    return body, y - top + 50


def _delta_scale(x: float, y: float) -> list[str]:
    body = [svg_text("delta, points", x, y + 14, class_="small muted")]
    x += 82
    shades = [*(f"n{i}" for i in range(6, 0, -1)), "z", *(f"p{i}" for i in range(1, 7))]
    edges = [*(formatting.MINUS + str(edge) for edge in reversed(DELTA_EDGES)), *(f"+{edge}" for edge in DELTA_EDGES)]
    for i, shade in enumerate(shades):
        body.append(box(x, y + 3, 28, 14, shade))
        if i:
            body.append(svg_text(edges[i - 1], x, y + 29, class_="small muted middle"))
        x += 29
    return body
