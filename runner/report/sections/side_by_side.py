"""Models side by side where no corpus is compared: the mean, and what they do worst on (injection paper, table 1)."""

from __future__ import annotations

from runner.report.analysis.statistics import Accuracy, Analysis, Unit
from runner.report.render.names import slug
from runner.report.tables.table import Column, Table
from runner.report.views.section import Section
from runner.report.views.views import Head, View, accuracy, text

WORST = 9  # paradigms that are shown


def side_by_side(analysis: Analysis) -> Section | None:
    """A table a suite with models down, the mean of the suite and its worst paradigms across."""
    results = analysis.results
    if len(results.conditions) > 1 or len(results.models) < 2:
        return None
    made = [one for suite in results.suites if (one := _suite(analysis, suite)) is not None]
    if not made:
        return None
    said = (
        "Each model's accuracy over a whole suite, in percent, and on the paradigms that models do worst on, by "
        "their mean: a high mean may hide what is not learned at all."
    )
    return Section(
        "side-by-side", "Models side by side", said, (), tuple(view for view, _ in made), tuple(t for _, t in made)
    )


def _suite(analysis: Analysis, suite: str) -> tuple[tuple[str, View], Table] | None:
    condition, models = analysis.results.conditions[0].name, analysis.results.models

    def found(unit: Unit, model: str) -> Accuracy | None:
        return analysis.accuracies.get((unit, condition, model))

    means: dict[Unit, float] = {}
    for paradigm in analysis.results.paradigms:
        unit = Unit("paradigm", suite, paradigm.name)
        values = [one.mean for model in models if (one := found(unit, model))]
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
    rows = tuple((text(model, "name"), *(accuracy(found(unit, model)) for unit in units)) for model in models)
    columns = (
        Column("model", "model"),
        Column("mean", "mean of the suite", "percent"),
        *(Column(unit.name, unit.name, "percent") for unit in units[1:]),
    )
    cells = tuple((model, *(one.mean if (one := found(unit, model)) else None for unit in units)) for model in models)
    name = slug(f"side-by-side-{suite}")
    return (suite, View(name, heads, rows)), Table(name, f"Models side by side: {suite}", columns, cells)
