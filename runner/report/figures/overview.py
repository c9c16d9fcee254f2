"""A static overview of many conditions: all accuracies and changes in a figure as wide as the page.

The heatmap and the table of all paradigms scroll sideways if there are many conditions. This figure has small cells
with rounded numbers, so that all columns are visible at once, on the page and in print.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fictdsl.words import listed
from runner import formatting
from runner.report.grids import MEAN_LABEL, frozen, grid_cell, heading, label, row_sections
from runner.report.markup import box, drawing, escaped, line, svg_text, tag, tooltip
from runner.report.section import Figure, slug
from runner.report.statistics import Analysis, Unit

SECTION = "paradigms"
WIDTH = 1150  # pixels of a figure on a page of 1,280
CHARACTER_WIDTH = 6.2  # mean width of a character of a label
ROW, GROUP = 15, 5  # height of a row; space between conditions and between groups
MIN_CELL, MAX_CELL = 18.0, 44.0  # width of a cell; a figure with narrower cells is not drawn
MIN_COLUMNS = 12  # fewer columns fit into the heatmap
SLANT = 50  # degrees of the headings


@dataclass(frozen=True, slots=True)
class Grid:
    left: float
    cell_width: float
    x: dict[tuple[str, str], float]

    @property
    def right(self) -> float:
        return max(self.x.values()) + self.cell_width


def figures(analysis: Analysis) -> Iterator[Figure]:
    for suite in analysis.results.suites:
        grid = _grid(analysis, suite)
        if grid is not None:
            baseline = analysis.full.name if analysis.full else "each condition"
            title = f"All conditions: accuracy under {baseline}, and change from it"
            yield Figure(slug(f"overview-{suite}"), title, overview(analysis, suite, grid))


def _grid(analysis: Analysis, suite: str) -> Grid | None:
    models = analysis.results.models
    scored = {condition for unit, condition, model in analysis.accuracies if unit.suite == suite and model in models}
    conditions = [condition.name for condition in analysis.results.conditions if condition.name in scored]
    names = [unit.name for _, units in row_sections(analysis, suite) for unit in units]
    if len(conditions) * len(models) < MIN_COLUMNS or not names:
        return None
    left = CHARACTER_WIDTH * max(map(len, [MEAN_LABEL, *names])) + 12
    available_width = WIDTH - left - _overhang(conditions) - GROUP * len(conditions)
    cell_width = min(MAX_CELL, available_width / (len(conditions) * len(models)))
    if cell_width < MIN_CELL:
        return None
    x = {
        (condition, model): left + i * (len(models) * cell_width + GROUP) + j * cell_width
        for i, condition in enumerate(conditions)
        for j, model in enumerate(models)
    }
    return Grid(left, cell_width, x)


def overview(analysis: Analysis, suite: str, grid: Grid) -> str:
    conditions = list(dict.fromkeys(condition for condition, _ in grid.x))
    top = 26 + 4.6 * max(map(len, conditions))
    models, full = analysis.results.models, analysis.full
    order = f"from left to right {listed(list(models))}; " if len(models) > 1 else ""
    values = f"accuracy in percent under {full.name}, change in points elsewhere" if full else "accuracy in percent"
    note = f"{order}{values}; targeted paradigms have a frame, other changes are pale"
    body = [svg_text(note, 0, 12, class_="small muted")]
    for condition in conditions:
        middle = grid.x[condition, models[0]] + len(models) * grid.cell_width / 2
        transform = f"translate({middle - 2:.1f} {top - 6:.1f}) rotate(-{SLANT})"
        body.append(tag("text", escaped(condition), transform=transform, class_="small head"))
    labels: list[str] = []
    y = top
    for title, units in row_sections(analysis, suite):
        labels.append(svg_text(heading(title), 0, y + 11, class_="section"))
        labels.append(line(0, y + 14.5, grid.left, y + 14.5, "rule"))
        body.append(line(grid.left, y + 14.5, grid.right, y + 14.5, "rule"))
        y += ROW + 2
        for unit in units:
            labels.append(svg_text(label(unit), grid.left - 6, y + 11, class_="small end"))
            body += [_cell(analysis, unit, *key, x, y, grid.cell_width) for key, x in grid.x.items()]
            y += ROW
        y += GROUP
    body.append(frozen(labels, grid.left, 18, y))
    return drawing(body, grid.right + _overhang(conditions), y + 4, f"Accuracy and its change on {suite}")


def _overhang(conditions: list[str]) -> float:
    return 3.7 * len(conditions[-1])


def _cell(analysis: Analysis, unit: Unit, condition: str, model: str, x: float, y: float, width: float) -> str:
    changes = analysis.full is not None and condition != analysis.full.name
    change = grid_cell(analysis, unit, condition, model, "full") if changes else None
    cell = change or grid_cell(analysis, unit, condition, model, None)
    if cell is None:
        return ""
    text = f"{100 * cell.value:.0f}" if change is None else whole_points(change.value)
    content = [tooltip(cell.tip), box(x, y, width - 1, ROW - 1, cell.shade, radius=1)]
    if cell.targeted:
        content.append(box(x + 0.5, y + 0.5, width - 2, ROW - 2, "target slim", radius=1))
    content.append(svg_text(text, x + width / 2 - 0.5, y + 10.5, class_=f"tiny middle {cell.ink}".strip()))
    return tag("g", *content)


def whole_points(delta: float) -> str:
    rounded = round(100 * delta)
    return f"{'+' if rounded > 0 else formatting.MINUS}{abs(rounded)}" if rounded else "0"
