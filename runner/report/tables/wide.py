"""Wide tables of accuracies, with paradigms or groups in rows and conditions and models in columns."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from runner.report.analysis.accuracies import unigram_accuracy
from runner.report.analysis.statistics import Accuracy, Analysis, Unit
from runner.report.render.names import slug
from runner.report.results.items import Paradigm
from runner.report.tables.cells import accuracy_cell
from runner.report.tables.table import Cell, Column, Row, Table, plain

LEVELS = ("suite", "field", "phenomenon")


def columns(analysis: Analysis) -> tuple[tuple[str, str], ...]:
    """Return the (condition, model) pairs with scores, which are the columns of a wide table."""
    scored = {(condition, model) for _, condition, model in analysis.accuracies}
    return tuple(
        (condition.name, model)
        for condition in analysis.results.conditions
        for model in analysis.results.models
        if (condition.name, model) in scored
    )


def paradigms(analysis: Analysis, suite: str) -> Table:
    """Return the accuracies of all paradigms of a suite: targeted ones in the order of conditions, then the others.

    Each row opens the pairs of its paradigm on the page.
    """
    trailing = (
        Column("phenomenon", "phenomenon", look="quiet"),
        Column("pairs", "pairs", "count"),
        Column(
            "ties", "ties", "percent", "share of scored pairs with equal scores, %, mean over conditions and models"
        ),
        Column("identical", "identical", "count", "pairs that a tokenizer makes identical"),
        Column("unknown", "unknown", "count", "pairs with an unknown word"),
        Column("unigram", "unigram", "percent", "accuracy of word frequencies alone, %"),
    )
    order = list(target_order(analysis))
    indexed_paradigms = [
        (index, paradigm) for index, paradigm in enumerate(analysis.results.paradigms) if paradigm.suite == suite
    ]
    indexed_paradigms.sort(key=lambda pair: order.index(pair[1].key) if pair[1].key in order else len(order))
    rows = tuple(_paradigm_row(analysis, paradigm, targeted=paradigm.key in order) for _, paradigm in indexed_paradigms)
    items = tuple(index if len(paradigm.item) else None for index, paradigm in indexed_paradigms)
    return _wide(analysis, slug(f"paradigms-{suite}"), (Column("paradigm", "paradigm"),), trailing, rows, items)


def target_order(analysis: Analysis) -> dict[str, None]:
    """Return the keys of targeted paradigms in the order of conditions, which puts targeted cells near the diagonal."""
    paradigms = analysis.results.paradigms
    keys_by_condition = (analysis.targets[condition.name] for condition in analysis.results.conditions)
    return dict.fromkeys(paradigm.key for keys in keys_by_condition for paradigm in paradigms if paradigm.key in keys)


def _paradigm_row(analysis: Analysis, paradigm: Paradigm, *, targeted: bool) -> Row:
    unit = Unit("paradigm", paradigm.suite, paradigm.name)
    cells = _accuracies(analysis, unit)
    ties = [cell.ties for cell in cells if cell is not None]
    has_pairs = len(paradigm.item) > 0
    return (
        Cell(unit.name, look="name targeted" if targeted else "name"),
        *map(accuracy_cell, cells),
        paradigm.phenomenon.replace("_", " "),
        len(paradigm.item) if has_pairs else None,
        float(np.mean(ties)) if ties and has_pairs else None,
        int(paradigm.identical.any(axis=0).sum()) if has_pairs else None,
        int(paradigm.unknown.any(axis=0).sum()) if has_pairs else None,
        unigram_accuracy(analysis, unit),
    )


def groups(analysis: Analysis, suite: str) -> Table:
    """Return the accuracies of a suite, its fields and phenomena."""
    leading = (
        Column("group", "group", look="name"),
        Column("level", "level"),
        Column("paradigms", "paradigms", "count"),
        Column("unigram", "unigram", "percent", "accuracy of word frequencies alone, %"),
    )
    units = dict.fromkeys(unit for unit, _, _ in analysis.accuracies if unit.suite == suite)
    suite_paradigms = [paradigm for paradigm in analysis.results.paradigms if paradigm.suite == suite]
    levels: tuple[str, ...] = LEVELS
    if all(paradigm.phenomenon == paradigm.field for paradigm in suite_paradigms):
        levels = tuple(level for level in LEVELS if level != "field")  # fields would repeat the phenomena
    ordered_units = [unit for level in levels for unit in units if unit.level == level]
    return _wide(
        analysis, slug(f"groups-{suite}"), leading, (), tuple(_group_row(analysis, unit) for unit in ordered_units)
    )


def _group_row(analysis: Analysis, unit: Unit) -> Row:
    cells = _accuracies(analysis, unit)
    return (
        "mean over paradigms" if unit.level == "suite" else unit.name,
        unit.level,
        max((cell.size for cell in cells if cell is not None), default=0),
        unigram_accuracy(analysis, unit),
        *map(accuracy_cell, cells),
    )


def _accuracies(analysis: Analysis, unit: Unit) -> list[Accuracy | None]:
    return [analysis.accuracies.get((unit, *column)) for column in columns(analysis)]


def _wide(
    analysis: Analysis,
    name: str,
    leading: tuple[Column, ...],
    trailing: tuple[Column, ...],
    rows: tuple[Row, ...],
    items: tuple[int | None, ...] = (),
) -> Table:
    condition_models = columns(analysis)
    accuracy_columns = (
        Column(f"{condition}, {model}", model, "percent", f"accuracy under {condition}, %, mean over seeds")
        for condition, model in condition_models
    )
    spans = [("", len(leading))]
    for condition, _ in condition_models:
        if spans[-1][0] == condition:
            spans[-1] = (condition, spans[-1][1] + 1)
        else:
            spans.append((condition, 1))
    spans += [("", len(trailing))] if trailing else []
    columns_with_values = [any(plain(row[i]) is not None for row in rows) for i in range(-len(trailing), 0)]
    trailing_columns = tuple(
        replace(column, shown=has_values) for column, has_values in zip(trailing, columns_with_values, strict=True)
    )
    if trailing:
        spans[-1] = ("", sum(columns_with_values))
    spans = [span for span in spans if span[1]]
    return Table(
        name, "", (*leading, *accuracy_columns, *trailing_columns), rows, spans=tuple(spans), items=items, saved=False
    )
