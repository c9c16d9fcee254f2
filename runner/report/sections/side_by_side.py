"""Comparison of models under a single condition: the mean and the paradigms with the lowest accuracies."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from runner.report.accuracy_tables import accuracy_cell
from runner.report.section import Section, slug
from runner.report.statistics import Accuracy, Analysis, Unit
from runner.tables import Cell, Column, Table, Value

MAX_PARADIGMS = 9  # columns of paradigms in the table


def sections(analysis: Analysis) -> Iterator[Section]:
    """Yield a section with a table for each suite: models in rows, the suite's mean and worst paradigms in columns."""
    results = analysis.results
    if len(results.conditions) > 1 or len(results.models) < 2:
        return
    tables = [entry for suite in results.suites if (entry := _table(analysis, suite)) is not None]
    if not tables:
        return
    intro = (
        "Accuracy of each model in percent, over the whole suite and on the paradigms with the lowest mean over "
        "models. A high mean can hide phenomena that a model has not learned."
    )
    yield Section("side-by-side", "Models side by side", intro, (), tuple(tables))


def _table(analysis: Analysis, suite: str) -> Table | None:
    condition, models = analysis.results.conditions[0].name, analysis.results.models

    def accuracy_of(unit: Unit, model: str) -> Accuracy | None:
        return analysis.accuracies.get((unit, condition, model))

    def cell(unit: Unit, model: str) -> Cell | Value:
        return accuracy_cell(accuracy_of(unit, model))

    means: dict[Unit, float] = {}
    for paradigm in analysis.results.paradigms:
        unit = Unit("paradigm", suite, paradigm.name)
        values = [accuracy.mean for model in models if (accuracy := accuracy_of(unit, model))]
        if paradigm.suite == suite and len(values) == len(models):
            means[unit] = sum(values) / len(values)
    if not means:
        return None
    units = [Unit("suite", suite, suite), *sorted(means, key=lambda unit: means[unit])[:MAX_PARADIGMS]]
    columns = (
        Column("model", "model", "text", lambda model: model, look="name"),
        Column("mean", "mean", "percent", partial(cell, units[0]), "of all paradigms of the suite"),
        *(Column(unit.name, unit.name.replace("_", " "), "percent", partial(cell, unit)) for unit in units[1:]),
    )
    return Table(slug(f"side-by-side-{suite}"), suite, columns, models)


SECTIONS = {100: sections}
