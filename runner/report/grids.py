"""Grids of accuracies and changes: rows, columns, cells and their colours."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from runner import formatting
from runner.report.accuracy_tables import SIGNS, accuracy_tooltip, contrast_tooltip, target_order
from runner.report.contrast_tables import main_contrast
from runner.report.contrasts import is_target
from runner.report.markup import box, tag
from runner.report.records import Condition
from runner.report.statistics import Analysis, Unit, controls_of

ACCURACY_EDGES = (40, 50, 60, 70, 80, 90)  # percent
DELTA_EDGES = (1, 3, 6, 10, 15, 25)  # points


def accuracy_class(value: float) -> str:
    """Return the CSS class of an accuracy: 0.863 → `a5`, the number of edges (in percent) that it reaches."""
    return f"a{bisect_right(ACCURACY_EDGES, 100 * value)}"


def delta_class(value: float) -> str:
    """Return the CSS class of a delta: −0.302 → `n6`, 0.004 → `z`, 0.04 → `p2`."""
    step = bisect_right(DELTA_EDGES, abs(100 * value))
    return "z" if step == 0 else f"{'p' if value > 0 else 'n'}{step}"


def shades(shade: str, *, pale: bool) -> tuple[str, str]:
    return (f"{shade} pale", "") if pale else (shade, f"on-{shade}")


def frozen(labels: Sequence[str], width: float, top: float, bottom: float) -> str:
    """Return labels on an opaque background, drawn after the cells, which the script moves with the scroll bar."""
    return tag("g", box(0, top, width, bottom - top, "ground", radius=0), *labels, class_="frozen")


@dataclass(frozen=True, slots=True)
class GridCell:
    value: float
    text: str
    tip: str
    shade: str
    ink: str
    targeted: bool


def grid_cell(
    analysis: Analysis, unit: Unit, condition: str, model: str, reference_kind: str | None
) -> GridCell | None:
    if reference_kind is None:
        accuracy = analysis.accuracies.get((unit, condition, model))
        if accuracy is None:
            return None
        colours = shades(accuracy_class(accuracy.mean), pale=False)
        targeted = is_target(analysis.targets, unit, condition)
        text = formatting.percent(accuracy.mean)
        return GridCell(accuracy.mean, text, accuracy_tooltip(accuracy), *colours, targeted)
    contrast = main_contrast(analysis, unit, condition, model, reference_kind)
    if contrast is None:
        return None
    delta = contrast.difference.delta
    mark = f" {SIGNS[contrast.verdict]}" if contrast.verdict in SIGNS else ""
    colours = shades(delta_class(delta), pale=not contrast.targeted)
    tip = contrast_tooltip(analysis, contrast)
    return GridCell(delta, formatting.points(delta) + mark, tip, *colours, contrast.targeted)


MEAN_LABEL = "mean over paradigms"
TARGETED = "targeted by a filter"
BLOCK_TITLES = {None: "accuracy, %", "full": "Δ full", "control": "Δ control"}


def row_sections(analysis: Analysis, suite: str) -> list[tuple[str, list[Unit]]]:
    keys = target_order(analysis)
    targeted = [unit for unit in map(Unit.of_key, keys) if unit.suite == suite]
    groups: dict[str, list[Unit]] = {}
    for paradigm in analysis.results.paradigms:
        if paradigm.suite == suite and paradigm.key not in keys:
            groups.setdefault(paradigm.phenomenon or "other paradigms", []).append(Unit.of(paradigm))
    sections = [(TARGETED, targeted)] if targeted else []
    sections += [(name, groups[name]) for name in sorted(groups)]
    mean = Unit.of_suite(suite)
    return [*sections, ("all", [mean])] if any(unit == mean for unit, _, _ in analysis.accuracies) else sections


def label(unit: Unit) -> str:
    return MEAN_LABEL if unit.level == "suite" else unit.name


def heading(title: str) -> str:
    return title.replace("_", " ").upper()


def blocks(analysis: Analysis, condition: Condition, *, only_accuracies: bool) -> tuple[str | None, ...]:
    """Return the blocks of a condition's columns: None for accuracies, otherwise the baseline of its changes."""
    if only_accuracies or condition.kind == "full" or analysis.full is None:
        return (None,)
    if analysis.results.is_control(condition):
        return ()
    return ("full", "control") if controls_of(analysis.results, condition.name) else ("full",)
