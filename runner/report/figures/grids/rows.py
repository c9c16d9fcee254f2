"""Rows and columns of grids."""

from __future__ import annotations

from runner.report.analysis.statistics import Analysis, Unit, controls_of, full_condition
from runner.report.results.results import Condition
from runner.report.tables.wide import target_order

MEAN_LABEL = "mean over paradigms"
TARGETED = "targeted by a filter"
BLOCK_TITLES = {None: "accuracy, %", "full": "Δ full", "control": "Δ control"}


def row_sections(analysis: Analysis, suite: str) -> list[tuple[str, list[Unit]]]:
    """Return the rows by section: targeted paradigms, other paradigms by phenomenon, and the mean."""
    targets = frozenset().union(*analysis.targets.values())
    paradigms = [paradigm for paradigm in analysis.results.paradigms if paradigm.suite == suite]
    keys = target_order(analysis)
    targeted = [Unit("paradigm", suite, key.rpartition("/")[2]) for key in keys if key.rpartition("/")[0] == suite]
    groups: dict[str, list[Unit]] = {}
    for paradigm in paradigms:
        if paradigm.key not in targets:
            group = paradigm.phenomenon or "other paradigms"
            groups.setdefault(group, []).append(Unit("paradigm", suite, paradigm.name))
    sections = [(TARGETED, targeted)] if targeted else []
    sections += [(name, groups[name]) for name in sorted(groups)]
    suite_unit = Unit("suite", suite, suite)
    return (
        [*sections, ("all", [suite_unit])]
        if any(unit == suite_unit for unit, _, _ in analysis.accuracies)
        else sections
    )


def label(unit: Unit) -> str:
    """Return the label of a row."""
    return MEAN_LABEL if unit.level == "suite" else unit.name


def heading(title: str) -> str:
    """Return the heading of a section of rows."""
    return title.replace("_", " ").upper()


def blocks(analysis: Analysis, condition: Condition, *, only_accuracies: bool) -> tuple[str | None, ...]:
    """Return the blocks of columns of a condition: None for its accuracies, otherwise the baseline of its changes.

    A control has no columns of its own, unless there are only accuracies.
    """
    if only_accuracies or condition.kind == "full" or full_condition(analysis.results) is None:
        return (None,)
    if analysis.results.is_control(condition):
        return ()
    return ("full", "control") if controls_of(analysis.results, condition.name) else ("full",)
