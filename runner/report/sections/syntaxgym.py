"""How often SyntaxGym predictions hold, by condition and model."""

from __future__ import annotations

from runner.report.analysis.statistics import Accuracy, Analysis, Unit
from runner.report.render import format as write
from runner.report.results.predictions import Predicted
from runner.report.tables.table import Column, Table
from runner.report.tables.tables import seeds_text
from runner.report.views.section import Section
from runner.report.views.views import Head, View, accuracy, text, value


def syntaxgym(analysis: Analysis) -> Section | None:
    """Return one row per prediction, with a column per condition and model. None without SyntaxGym suites."""
    predicted = analysis.results.predicted
    if not predicted:
        return None
    cells = [(c.name, m) for c in analysis.results.conditions for m in analysis.results.models]
    heads = (
        Head("prediction", number=False),
        Head("formula", "over surprisals of regions (number;%condition%); * is the whole sentence", number=False),
        Head("items"),
        *(Head(model, f"share of items for which it holds, under {condition}, %") for condition, model in cells),
    )
    rows = tuple(
        (
            text(prediction.name, "name"),
            text(prediction.formula, "quiet"),
            value(write.count(len(prediction.items)), len(prediction.items)),
            *(accuracy(_accuracy_of(analysis, prediction, *cell)) for cell in cells),
        )
        for prediction in predicted
    )
    models = len(analysis.results.models)
    spans = (("", 3), *((condition.name, models) for condition in analysis.results.conditions))
    intro = (
        "A prediction is an inequality between surprisals of parts of sentences. Its accuracy is the share of items "
        "for which it holds, in percent, mean over seeds. The section on paradigms also lists predictions, with "
        "their tests."
    )
    view = View("syntaxgym", heads, rows, spans)
    return Section("syntaxgym", "SyntaxGym", intro, (), (("", view),), (_table(analysis),))


def _accuracy_of(analysis: Analysis, prediction: Predicted, condition: str, model: str) -> Accuracy | None:
    return analysis.accuracies.get((Unit("paradigm", prediction.suite, prediction.name), condition, model))


def _table(analysis: Analysis) -> Table:
    columns = (
        *(Column(name, name) for name in ("suite", "syntaxgym_suite", "prediction", "formula", "condition", "model")),
        Column("accuracy", "accuracy", "percent"),
        Column("by_seed", "by seed", "list"),
        Column("items", "items", "count"),
        Column("applicable", "applicable", "count", "items with known surprisals, minimum over seeds"),
    )
    rows = []
    for prediction in analysis.results.predicted:
        for condition, model in dict.fromkeys((cell.condition, cell.model) for cell in prediction.holds):
            score = _accuracy_of(analysis, prediction, condition, model)
            item_counts = [
                len(holds)
                for cell, holds in prediction.holds.items()
                if (cell.condition, cell.model) == (condition, model)
            ]
            if score is not None:
                head = (prediction.suite, prediction.phenomenon, prediction.name, prediction.formula, condition, model)
                rows.append((*head, score.mean, seeds_text(score.by_seed), len(prediction.items), min(item_counts)))
    return Table("syntaxgym", "SyntaxGym", columns, tuple(rows))
