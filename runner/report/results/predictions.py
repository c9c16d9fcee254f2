"""The SyntaxGym predictions of a run, and whether they hold for each item, by cell."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from runner.report.results.columns import require_columns
from runner.report.results.items import Cell

if TYPE_CHECKING:
    import pyarrow as pa

COLUMNS = ("condition", "model", "seed", "suite", "phenomenon", "paradigm", "prediction", "item", "holds")


@dataclass(frozen=True, slots=True)
class Prediction:
    """The prediction `name` of a suite of the manifest. `phenomenon` is its SyntaxGym suite.

    `holds` lists, by cell, whether the prediction holds for each item, excluding items with unknown surprisals.
    """

    suite: str
    name: str
    phenomenon: str
    formula: str
    items: set[int] = field(default_factory=set)
    holds: dict[Cell, list[bool]] = field(default_factory=dict)


def predictions_of(table: pa.Table, path: Path) -> tuple[Prediction, ...]:
    """Return the predictions of a table with the columns of `syntaxgym.parquet`, in order of first appearance.

    Errors name `path`. Raises InputError (FICT891) for a missing column.
    """
    require_columns(table, COLUMNS, path)
    predictions: dict[tuple[str, str], Prediction] = {}
    for row in table.select(COLUMNS).to_pylist():
        key = row["suite"], row["paradigm"]
        prediction = predictions.setdefault(key, Prediction(*key, row["phenomenon"], row["prediction"]))
        prediction.items.add(row["item"])
        if row["holds"] is not None:
            prediction.holds.setdefault(Cell(row["condition"], row["model"], row["seed"]), []).append(row["holds"])
    return tuple(predictions.values())
