"""How often the predictions of SyntaxGym's suites hold, by condition and model."""

from __future__ import annotations

from runner.report.analysis.statistics import Accuracy, Analysis, Unit
from runner.report.render import format as write
from runner.report.results.predictions import Predicted
from runner.report.tables.table import Column, Table
from runner.report.tables.tables import seeds_text
from runner.report.views.section import Section
from runner.report.views.views import Head, View, accuracy, text, value


def syntaxgym(analysis: Analysis) -> Section | None:
    """A row a prediction, a column a condition and model; nothing without such suites."""
    predicted = analysis.results.predicted
    if not predicted:
        return None
    across = [(c.name, m) for c in analysis.results.conditions for m in analysis.results.models]
    heads = (
        Head("prediction", number=False),
        Head("formula", "of the surprisals of regions (number;%condition%), * the whole sentence", number=False),
        Head("items"),
        *(Head(model, f"share of items of which it holds, under {condition}, %") for condition, model in across),
    )
    rows = tuple(
        (
            text(one.name, "name"),
            text(one.formula, "quiet"),
            value(write.count(len(one.items)), len(one.items)),
            *(accuracy(_found(analysis, one, *cell)) for cell in across),
        )
        for one in predicted
    )
    models = len(analysis.results.models)
    spans = (("", 3), *((condition.name, models) for condition in analysis.results.conditions))
    said = (
        "A prediction is an inequality between surprisals of parts of sentences; its accuracy is the share of items "
        "of which it holds, in percent, mean over seeds. They stand among the paradigms above too, with their tests."
    )
    view = View("syntaxgym", heads, rows, spans)
    return Section("syntaxgym", "SyntaxGym", said, (), (("", view),), (_table(analysis),))


def _found(analysis: Analysis, one: Predicted, condition: str, model: str) -> Accuracy | None:
    return analysis.accuracies.get((Unit("paradigm", one.suite, one.name), condition, model))


def _table(analysis: Analysis) -> Table:
    columns = (
        *(Column(name, name) for name in ("suite", "syntaxgym_suite", "prediction", "formula", "condition", "model")),
        Column("accuracy", "accuracy", "percent"),
        Column("by_seed", "by seed", "list"),
        Column("items", "items", "count"),
        Column("applicable", "applicable", "count", "items whose surprisals are known, the least over seeds"),
    )
    rows = []
    for one in analysis.results.predicted:
        for condition, model in dict.fromkeys((cell.condition, cell.model) for cell in one.holds):
            found = _found(analysis, one, condition, model)
            known = [
                len(holds) for cell, holds in one.holds.items() if (cell.condition, cell.model) == (condition, model)
            ]
            if found is not None:
                head = (one.suite, one.phenomenon, one.name, one.formula, condition, model)
                rows.append((*head, found.mean, seeds_text(found.by_seed), len(one.items), min(known)))
    return Table("syntaxgym", "SyntaxGym", columns, tuple(rows))
