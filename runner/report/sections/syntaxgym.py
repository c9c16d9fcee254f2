"""How often SyntaxGym predictions hold, by condition and model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from runner.report.accuracy_tables import accuracy_cell, seeds_text
from runner.report.section import Section
from runner.report.statistics import Analysis, Unit
from runner.tables import Cell, Column, Table, Value, saved

if TYPE_CHECKING:
    from runner.score.syntaxgym import Prediction


def sections(analysis: Analysis) -> Iterator[Section]:
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
    def cell(condition: str, model: str, prediction: Prediction) -> Cell | Value:
        return accuracy_cell(analysis.accuracies.get((Unit.of(prediction), condition, model)))

    columns = (
        Column("prediction", "prediction", "text", "name", css_class="name"),
        Column(
            *("formula", "formula"),
            help="terms are surprisals of regions, (region;%condition%); * is the whole sentence",
            css_class="quiet",
        ),
        Column("items", "items", "count", lambda prediction: len(prediction.items)),
        *(
            Column(
                *(f"{condition}, {model}", model, "percent", partial(cell, condition, model)),
                f"share of items for which it holds, under {condition}, %",
            )
            for condition, model in analysis.results.condition_models
        ),
    )
    spans = (("", 3), *((each.name, len(analysis.results.models)) for each in analysis.results.conditions))
    return Table("syntaxgym-predictions", "", columns, predictions, spans=spans, saved=False)


def _long_table(analysis: Analysis, predictions: Sequence[Prediction]) -> Table:
    columns = saved(
        suite="prediction.suite",
        syntaxgym_suite="prediction.phenomenon",
        prediction="prediction.name",
        formula="prediction.formula",
        condition="accuracy.condition",
        model="accuracy.model",
        accuracy="accuracy.mean",
        by_seed=lambda row: seeds_text(row["accuracy"].by_seed),
        items=lambda row: len(row["prediction"].items),
        applicable="applicable",  # items with known surprisals, minimum over seeds
    )
    rows = []
    for prediction in predictions:
        counts: dict[tuple[str, str], list[int]] = {}
        for cell, holds in prediction.holds.items():
            counts.setdefault((cell.condition, cell.model), []).append(len(holds))
        for key, applicable in counts.items():
            accuracy = analysis.accuracies.get((Unit.of(prediction), *key))
            if accuracy is not None:
                rows.append({"prediction": prediction, "accuracy": accuracy, "applicable": min(applicable)})
    return Table("syntaxgym", "SyntaxGym", columns, rows, shown=False)


SECTIONS = {160: sections}
