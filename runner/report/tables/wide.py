"""Wide tables of accuracies, with paradigms or groups in rows and conditions and models in columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import Any

import numpy as np

from runner.report.analysis.accuracies import unigram_accuracy
from runner.report.analysis.statistics import Accuracy, Analysis, Unit
from runner.report.render.names import slug
from runner.report.results.items import Paradigm
from runner.report.tables.cells import accuracy_cell
from runner.tables import Cell, Column, Table, Value

LEVELS = ("suite", "field", "phenomenon")


def condition_models(analysis: Analysis) -> tuple[tuple[str, str], ...]:
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
    order = list(target_order(analysis))
    counts = (
        _pair_count("pairs", "pairs", "", lambda paradigm: len(paradigm.item)),
        Column(
            *("ties", "ties", "percent", lambda paradigm: _mean_ties(analysis, paradigm)),
            "share of scored pairs with equal scores, %, mean over conditions and models",
        ),
        _pair_count("identical", "identical", "pairs that a tokenizer makes identical"),
        _pair_count("unknown", "unknown", "pairs with an unknown word"),
    )
    columns = (
        Column(
            *("paradigm", "paradigm", "text"),
            lambda paradigm: Cell(paradigm.name, look="name targeted" if paradigm.key in order else "name"),
        ),
        *_accuracy_columns(analysis, _unit),
        Column("phenomenon", "phenomenon", "text", lambda row: row.phenomenon.replace("_", " "), look="quiet"),
        *counts,
        _unigram_column(analysis, _unit),
    )
    indexed_paradigms = [
        (index, paradigm) for index, paradigm in enumerate(analysis.results.paradigms) if paradigm.suite == suite
    ]
    indexed_paradigms.sort(key=lambda pair: order.index(pair[1].key) if pair[1].key in order else len(order))
    table = Table(
        slug(f"paradigms-{suite}"),
        "",
        columns,
        tuple(paradigm for _, paradigm in indexed_paradigms),
        opens=tuple(index if len(paradigm.item) else None for index, paradigm in indexed_paradigms),
        saved=False,
    )
    first = 1 + len(condition_models(analysis))
    trailing = {column.key for column in columns[first:]}
    shown_table = table.showing(lambda column, has_values: has_values or column.key not in trailing)
    return replace(shown_table, spans=_spans(analysis, 1, sum(column.shown for column in shown_table.columns[first:])))


def target_order(analysis: Analysis) -> dict[str, None]:
    """Return the keys of targeted paradigms in the order of conditions, which puts targeted cells near the diagonal."""
    paradigms = analysis.results.paradigms
    keys_by_condition = (analysis.targets[condition.name] for condition in analysis.results.conditions)
    return dict.fromkeys(paradigm.key for keys in keys_by_condition for paradigm in paradigms if paradigm.key in keys)


def _unit(paradigm: Paradigm) -> Unit:
    return Unit("paradigm", paradigm.suite, paradigm.name)


def _pair_count(key: str, title: str, help_text: str, count: Callable[[Paradigm], int] | None = None) -> Column:
    """Return a column with a number of pairs; by default, the pairs for which the attribute `key` holds in any cell."""

    def value(paradigm: Paradigm) -> int | None:
        if not len(paradigm.item):
            return None
        return count(paradigm) if count else int(getattr(paradigm, key).any(axis=0).sum())

    return Column(key, title, "count", value, help_text)


def _mean_ties(analysis: Analysis, paradigm: Paradigm) -> float | None:
    ties = [cell.ties for cell in _accuracies(analysis, _unit(paradigm)) if cell is not None]
    return float(np.mean(ties)) if ties and len(paradigm.item) else None


def groups(analysis: Analysis, suite: str) -> Table:
    """Return the accuracies of a suite, its fields and phenomena."""
    columns = (
        Column(
            *("group", "group", "text", lambda unit: "mean over paradigms" if unit.level == "suite" else unit.name),
            look="name",
        ),
        Column("level", "level"),
        Column(
            *("paradigms", "paradigms", "count"),
            lambda unit: max((cell.size for cell in _accuracies(analysis, unit) if cell is not None), default=0),
        ),
        _unigram_column(analysis, lambda unit: unit),
        *_accuracy_columns(analysis, lambda unit: unit),
    )
    units = dict.fromkeys(unit for unit, _, _ in analysis.accuracies if unit.suite == suite)
    suite_paradigms = [paradigm for paradigm in analysis.results.paradigms if paradigm.suite == suite]
    levels: tuple[str, ...] = LEVELS
    if all(paradigm.phenomenon == paradigm.field for paradigm in suite_paradigms):
        levels = tuple(level for level in LEVELS if level != "field")  # fields would repeat the phenomena
    ordered_units = [unit for level in levels for unit in units if unit.level == level]
    return Table(slug(f"groups-{suite}"), "", columns, ordered_units, spans=_spans(analysis, 4, 0), saved=False)


def _unigram_column(analysis: Analysis, unit_of: Callable[[Any], Unit]) -> Column:
    return Column(
        *("unigram", "unigram", "percent", lambda item: unigram_accuracy(analysis, unit_of(item))),
        "accuracy of word frequencies alone, %",
    )


def _accuracies(analysis: Analysis, unit: Unit) -> list[Accuracy | None]:
    return [analysis.accuracies.get((unit, *column)) for column in condition_models(analysis)]


def _accuracy_columns(analysis: Analysis, unit_of: Callable[[Any], Unit]) -> Iterator[Column]:
    """Yield a column of accuracies for each condition and model."""

    def value(condition: str, model: str, item: object) -> Cell | Value:
        return accuracy_cell(analysis.accuracies.get((unit_of(item), condition, model)))

    for condition, model in condition_models(analysis):
        help_text = f"accuracy under {condition}, %, mean over seeds"
        yield Column(f"{condition}, {model}", model, "percent", partial(value, condition, model), help_text)


def _spans(analysis: Analysis, leading: int, trailing: int) -> tuple[tuple[str, int], ...]:
    """Return the conditions as headings over their models, between numbers of other columns."""
    by_condition = groupby(condition for condition, _ in condition_models(analysis))
    spans = [("", leading), *((condition, len(list(models))) for condition, models in by_condition), ("", trailing)]
    return tuple(span for span in spans if span[1])
