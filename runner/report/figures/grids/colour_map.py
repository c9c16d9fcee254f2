"""An overview for narrow screens: the colours of all cells, without names of rows and without numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from runner.report.analysis.statistics import Analysis, Unit, full_condition
from runner.report.figures.grids.cells import grid_cell
from runner.report.figures.grids.rows import heading, row_sections
from runner.report.render.figure import NARROW
from runner.report.render.svg import box, drawing, escaped, line, svg_text, tag, tooltip

WIDTH = NARROW - 8  # pixels
ROW, HEADING, GROUP = 9, 18, 2  # height of a row and of a heading; space between conditions
MIN_CELL, MAX_CELL = 4.0, 20.0  # width of a cell; a map with narrower cells is not drawn
CHARACTER_WIDTH = 4.4  # width of a character of a slanted heading
SLANT = 50  # degrees of the headings
NOTE = "Each row is a paradigm. The numbers are in the cards of the heatmap."


@dataclass(frozen=True, slots=True)
class Columns:
    """The width of a cell, and the left edge of each condition, whose models are side by side."""

    cell_width: float
    models: tuple[str, ...]
    starts: dict[str, float]

    @classmethod
    def of(cls, conditions: Sequence[str], models: tuple[str, ...]) -> Columns:
        """Return the widest columns with which no heading extends beyond the screen."""
        model_count, condition_count = len(models), len(conditions)
        limits = [(WIDTH - GROUP * condition_count) / (model_count * condition_count), MAX_CELL]
        for i, name in enumerate(conditions):
            limits.append((WIDTH - CHARACTER_WIDTH * (len(name) + 1) - GROUP * i) / (model_count * (i + 0.5)))
        cell_width = max(0.0, min(limits))
        starts = {name: i * (model_count * cell_width + GROUP) for i, name in enumerate(conditions)}
        return cls(cell_width, models, starts)

    @property
    def right(self) -> float:
        """The right edge of the last column."""
        return max(self.starts.values()) + len(self.models) * self.cell_width


def colour_map(analysis: Analysis, suite: str, conditions: Sequence[str]) -> str:
    """Return the map of a suite as `<svg>`, or an empty string if there are too many conditions.

    Targeted cells have a frame and a tooltip.
    """
    columns = Columns.of(conditions, analysis.results.models)
    if columns.cell_width < MIN_CELL:
        return ""
    y = 28 + 4.6 * max(map(len, conditions))
    body = [svg_text(NOTE, 0, 12, class_="small muted"), *_headings(columns, y - 4)]
    tiles: dict[str, list[str]] = defaultdict(list)
    frames: list[str] = []
    for title, units in row_sections(analysis, suite):
        body.append(svg_text(heading(title), 0, y + 12, class_="section"))
        body.append(line(0, y + 15, columns.right, y + 15, "rule"))
        y += HEADING
        for unit in units:
            _add_row(analysis, unit, columns, y, tiles, frames)
            y += ROW
    paths = [tag("path", d="".join(parts), class_=shade) for shade, parts in sorted(tiles.items())]
    return drawing([*body, *paths, *frames], WIDTH, y + 4, f"Colours of accuracies and changes on {suite}")


def _headings(columns: Columns, y: float) -> list[str]:
    half = len(columns.models) * columns.cell_width / 2
    transforms = (
        (name, f"translate({start + half:.1f} {y:.1f}) rotate(-{SLANT})") for name, start in columns.starts.items()
    )
    return [tag("text", escaped(name), transform=transform, class_="small head") for name, transform in transforms]


def _add_row(
    analysis: Analysis, unit: Unit, columns: Columns, y: float, tiles: dict[str, list[str]], frames: list[str]
) -> None:
    """Add the tiles of a paradigm to the paths of their shades, and the frames of targeted cells."""
    full, width = full_condition(analysis.results), columns.cell_width - 0.6
    for condition, start in columns.starts.items():
        reference_kind = None if full is None or condition == full.name else "full"
        for i, model in enumerate(columns.models):
            cell = grid_cell(analysis, unit, condition, model, reference_kind)
            if cell is None:
                continue
            x = start + i * columns.cell_width
            tiles[cell.shade].append(f"M{x:.1f} {y:.1f}h{width:.1f}v{ROW - 1}h-{width:.1f}z")
            if cell.targeted:
                frames.append(tag("g", tooltip(cell.tip), box(x, y, width, ROW - 1, "target slim hit", radius=0)))
