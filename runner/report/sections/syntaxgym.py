"""How often SyntaxGym predictions hold, by condition and model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from runner.report.accuracy_tables import accuracy_cell, seeds_text
from runner.report.section import Section
from runner.report.statistics import Accuracy, Analysis, Unit
from runner.tables import Cell, Column, Table, Value

if TYPE_CHECKING:
    from runner.score.syntaxgym import Prediction


def sections(analysis: Analysis) -> Iterator[Section]:
    """Yield a section if there are predictions, with a row for each and a column for each condition and model."""
    if not analysis.results.matrices:
        return
    from runner.score.syntaxgym import Prediction

    predictions = analysis.results.of(Prediction)
    if not predictions:
        return
    intro = (
        "A prediction is an inequality between the surprisals of regions of sentences. Its accuracy is the percentage "
        "of items for which it holds, averaged over seeds. The section on paradigms also lists predictions, with "
        "their tests."
    )
    yield Section(
        "syntaxgym", "SyntaxGym", intro, (), (_wide_table(analysis, predictions), _long_table(analysis, predictions))
    )


def _wide_table(analysis: Analysis, predictions: Sequence[Prediction]) -> Table:
    cells = [(condition.name, model) for condition in analysis.results.conditions for model in analysis.results.models]
    columns = (
        Column("prediction", "prediction", "text", "name", css_class="name"),
        Column(
            *("formula", "formula", "text"),
            help="terms are surprisals of regions, (region;%condition%); * is the whole sentence",
            css_class="quiet",
        ),
        Column("items", "items", "count", lambda prediction: len(prediction.items)),
        *(
            Column(
                *(f"{condition}, {model}", model, "percent"),
                partial(_accuracy_cell, analysis, condition, model),
                f"share of items for which it holds, under {condition}, %",
            )
            for condition, model in cells
        ),
    )
    model_count = len(analysis.results.models)
    spans = (("", 3), *((condition.name, model_count) for condition in analysis.results.conditions))
    return Table("syntaxgym-predictions", "", columns, predictions, spans=spans, saved=False)


def _accuracy_of(analysis: Analysis, prediction: Prediction, condition: str, model: str) -> Accuracy | None:
    return analysis.accuracies.get((Unit.of(prediction), condition, model))


def _accuracy_cell(analysis: Analysis, condition: str, model: str, prediction: Prediction) -> Cell | Value:
    return accuracy_cell(_accuracy_of(analysis, prediction, condition, model))


def _long_table(analysis: Analysis, predictions: Sequence[Prediction]) -> Table:
    columns = (
        Column("suite", "suite", "text", "prediction.suite"),
        Column("syntaxgym_suite", "syntaxgym_suite", "text", "prediction.phenomenon"),
        Column("prediction", "prediction", "text", "prediction.name"),
        Column("formula", "formula", "text", "prediction.formula"),
        Column("condition", "condition", "text", "accuracy.condition"),
        Column("model", "model", "text", "accuracy.model"),
        Column("accuracy", "accuracy", "percent", "accuracy.mean"),
        Column("by_seed", "by seed", "list", lambda row: seeds_text(row["accuracy"].by_seed)),
        Column("items", "items", "count"),
        Column("applicable", "applicable", "count", help="items with known surprisals, minimum over seeds"),
    )
    rows = []
    for prediction in predictions:
        for condition, model in dict.fromkeys((cell.condition, cell.model) for cell in prediction.holds):
            accuracy = _accuracy_of(analysis, prediction, condition, model)
            item_counts = [
                len(holds)
                for cell, holds in prediction.holds.items()
                if (cell.condition, cell.model) == (condition, model)
            ]
            if accuracy is not None:
                counts = {"items": len(prediction.items), "applicable": min(item_counts)}
                rows.append({"prediction": prediction, "accuracy": accuracy, **counts})
    return Table("syntaxgym", "SyntaxGym", columns, rows, shown=False)


SECTIONS = {160: sections}
