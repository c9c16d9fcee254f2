"""Cells of grids: an accuracy, or a change with the sign of its verdict."""

from __future__ import annotations

from dataclasses import dataclass

from runner import formatting
from runner.report.analysis.contrasts import is_target
from runner.report.analysis.statistics import Analysis, Unit
from runner.report.figures.grids.shades import accuracy_class, delta_class, shades
from runner.report.tables.cells import SIGNS, accuracy_tooltip, contrast_tooltip
from runner.report.tables.contrasts import main_contrast


@dataclass(frozen=True, slots=True)
class GridCell:
    """The text and the tooltip of a cell, and the CSS classes of its box (`shade`) and of its text (`ink`)."""

    text: str
    tip: str
    shade: str
    ink: str
    targeted: bool


def grid_cell(
    analysis: Analysis, unit: Unit, condition: str, model: str, reference_kind: str | None
) -> GridCell | None:
    """Return the cell of an accuracy or, with a `reference_kind`, of a change; None without scores."""
    if reference_kind is None:
        return _accuracy_cell(analysis, unit, condition, model)
    contrast = main_contrast(analysis, unit, condition, model, reference_kind)
    if contrast is None:
        return None
    mark = f" {SIGNS[contrast.verdict]}" if contrast.verdict in SIGNS else ""
    delta = contrast.difference.delta
    shade, ink = shades(delta_class(delta), pale=not contrast.targeted)
    text = formatting.points(delta) + mark
    return GridCell(text, contrast_tooltip(analysis, contrast), shade, ink, contrast.targeted)


def _accuracy_cell(analysis: Analysis, unit: Unit, condition: str, model: str) -> GridCell | None:
    accuracy = analysis.accuracies.get((unit, condition, model))
    if accuracy is None:
        return None
    shade, ink = shades(accuracy_class(accuracy.mean), pale=False)
    targeted = is_target(analysis.targets, unit, condition)
    return GridCell(formatting.percent(accuracy.mean), accuracy_tooltip(accuracy), shade, ink, targeted)
