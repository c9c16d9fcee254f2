"""The wide tables of accuracies: paradigms and groups in rows, conditions and models in columns."""

from __future__ import annotations

import numpy as np

from runner.report.analysis.accuracies import unigram_accuracy
from runner.report.analysis.statistics import Accuracy, Analysis, Unit
from runner.report.results.items import Paradigm
from runner.report.tables.cells import accuracy_cell
from runner.report.tables.table import Cell, Column, Row, Table

LEVELS = ("suite", "field", "phenomenon")


def columns(analysis: Analysis) -> tuple[tuple[str, str], ...]:
    """Return the (condition, model) columns of the wide table, without those that have no score."""
    scored = {(condition, model) for _, condition, model in analysis.accuracies}
    return tuple(
        (condition.name, model)
        for condition in analysis.results.conditions
        for model in analysis.results.models
        if (condition.name, model) in scored
    )


def paradigms(analysis: Analysis, suite: str) -> Table:
    """Return the accuracies of every paradigm of a suite, in its order. Rows open the paradigm's pairs."""
    fixed = (
        Column("paradigm", "paradigm"),
        Column("phenomenon", "phenomenon", look="quiet"),
        Column("pairs", "pairs", "count"),
        Column(
            "ties", "ties", "percent", "share of scored pairs with equal scores, %, mean over conditions and models"
        ),
        Column("identical", "identical", "count", "pairs that a tokenizer makes identical; not applicable"),
        Column("unknown", "unknown", "count", "pairs with an unknown word"),
        Column("unigram", "unigram", "percent", "accuracy of word frequencies alone, %"),
    )
    found = [(i, p) for i, p in enumerate(analysis.results.paradigms) if p.suite == suite]
    targets = frozenset().union(*analysis.targets.values())
    rows = tuple(_paradigm(analysis, paradigm, targeted=paradigm.key in targets) for _, paradigm in found)
    items = tuple(index if len(paradigm.item) else None for index, paradigm in found)
    return _wide(analysis, f"paradigms-{suite}", fixed, rows, items)


def _paradigm(analysis: Analysis, paradigm: Paradigm, *, targeted: bool) -> Row:
    unit = Unit("paradigm", paradigm.suite, paradigm.name)
    cells = _accuracies(analysis, unit)
    ties = [cell.ties for cell in cells if cell is not None]
    known = len(paradigm.item) > 0  # without pairs, nothing is known of them
    return (
        Cell(unit.name, look="name targeted" if targeted else "name"),
        paradigm.phenomenon.replace("_", " "),
        len(paradigm.item) if known else None,
        float(np.mean(ties)) if ties and known else None,
        int(paradigm.identical.any(axis=0).sum()) if known else None,
        int(paradigm.unknown.any(axis=0).sum()) if known else None,
        unigram_accuracy(analysis, unit),
        *map(accuracy_cell, cells),
    )


def groups(analysis: Analysis, suite: str) -> Table:
    """Return the accuracies of a suite, its fields and phenomena."""
    fixed = (
        Column("group", "group", look="name"),
        Column("level", "level"),
        Column("paradigms", "paradigms", "count"),
        Column("unigram", "unigram", "percent", "accuracy of word frequencies alone, %"),
    )
    units = dict.fromkeys(unit for unit, _, _ in analysis.accuracies if unit.suite == suite)
    ordered = [unit for level in LEVELS for unit in units if unit.level == level]
    return _wide(analysis, f"groups-{suite}", fixed, tuple(_group(analysis, unit) for unit in ordered))


def _group(analysis: Analysis, unit: Unit) -> Row:
    cells = _accuracies(analysis, unit)
    return (
        "mean over paradigms" if unit.level == "suite" else unit.name,
        unit.level,
        max((cell.pairs for cell in cells if cell is not None), default=0),
        unigram_accuracy(analysis, unit),
        *map(accuracy_cell, cells),
    )


def _accuracies(analysis: Analysis, unit: Unit) -> list[Accuracy | None]:
    return [analysis.accuracies.get((unit, *column)) for column in columns(analysis)]


def _wide(
    analysis: Analysis,
    name: str,
    fixed: tuple[Column, ...],
    rows: tuple[Row, ...],
    items: tuple[int | None, ...] = (),
) -> Table:
    across = columns(analysis)
    cells = (
        Column(f"{condition}, {model}", model, "percent", f"accuracy under {condition}, %, mean over seeds")
        for condition, model in across
    )
    spans = [("", len(fixed))]
    for condition, _ in across:
        if spans[-1][0] == condition:
            spans[-1] = (condition, spans[-1][1] + 1)
        else:
            spans.append((condition, 1))
    return Table(name, "", (*fixed, *cells), rows, spans=tuple(spans), items=items, saved=False)
