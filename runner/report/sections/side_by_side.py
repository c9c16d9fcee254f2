"""Comparison of models if there is only one corpus: the mean and the worst paradigms (injection paper, table 1)."""

from __future__ import annotations

from runner.report.analysis.statistics import Accuracy, Analysis, Unit
from runner.report.render.names import slug
from runner.report.tables.table import Column, Table
from runner.report.views.section import Section
from runner.report.views.views import Head, View, accuracy, text

WORST = 9  # paradigms in the table


def side_by_side(analysis: Analysis) -> Section | None:
    """Return a table per suite: models in rows, the suite's mean and its worst paradigms in columns."""
    results = analysis.results
    if len(results.conditions) > 1 or len(results.models) < 2:
        return None
    tables_by_suite = [entry for suite in results.suites if (entry := _suite(analysis, suite)) is not None]
    if not tables_by_suite:
        return None
    intro = (
        "Accuracy of each model in percent, over the whole suite and on the paradigms with the lowest mean over "
        "models. A high mean can hide phenomena that a model has not learned."
    )
    return Section(
        "side-by-side",
        "Models side by side",
        intro,
        (),
        tuple(view for view, _ in tables_by_suite),
        tuple(table for _, table in tables_by_suite),
    )


def _suite(analysis: Analysis, suite: str) -> tuple[tuple[str, View], Table] | None:
    condition, models = analysis.results.conditions[0].name, analysis.results.models

    def accuracy_of(unit: Unit, model: str) -> Accuracy | None:
        return analysis.accuracies.get((unit, condition, model))

    means: dict[Unit, float] = {}
    for paradigm in analysis.results.paradigms:
        unit = Unit("paradigm", suite, paradigm.name)
        values = [score.mean for model in models if (score := accuracy_of(unit, model))]
        if paradigm.suite == suite and len(values) == len(models):
            means[unit] = sum(values) / len(values)
    if not means:
        return None
    units = [Unit("suite", suite, suite), *sorted(means, key=lambda unit: means[unit])[:WORST]]
    heads = (
        Head("model", number=False),
        Head("mean", "of all paradigms of the suite"),
        *(Head(unit.name.replace("_", " "), unit.name) for unit in units[1:]),
    )
    rows = tuple((text(model, "name"), *(accuracy(accuracy_of(unit, model)) for unit in units)) for model in models)
    columns = (
        Column("model", "model"),
        Column("mean", "mean of the suite", "percent"),
        *(Column(unit.name, unit.name, "percent") for unit in units[1:]),
    )
    cells = tuple(
        (model, *(score.mean if (score := accuracy_of(unit, model)) else None for unit in units)) for model in models
    )
    name = slug(f"side-by-side-{suite}")
    return (suite, View(name, heads, rows)), Table(name, f"Models side by side: {suite}", columns, cells)
