"""Accuracy of targeted paradigms by share of injected text.

See tables 2 and 3 of the paper that `experiments/injection` reproduces.
"""

from __future__ import annotations

from collections.abc import Sequence

from runner import formatting
from runner.report.analysis.statistics import Accuracy, Analysis, Unit, full_condition, injected_share, injects
from runner.report.render.names import slug
from runner.report.results.results import Condition
from runner.report.tables.cells import accuracy_cell, delta_cell
from runner.tables import Column, Table


def amount_table(analysis: Analysis, model: str) -> Table | None:
    """Return a table with one row for each targeted paradigm, or None.

    Its columns are the accuracy on the full corpus, under each control and with each share of injected text, and the
    change with the largest share. If several conditions inject the largest share for a paradigm, the change is missing.
    Returns None without a full condition, or if no condition with targets has a known share.
    """
    full = full_condition(analysis.results)
    injected = [condition for condition in analysis.results.conditions if injects(condition)]
    targeted = [
        condition
        for condition in injected
        if analysis.targets.get(condition.name) and injected_share(condition) is not None
    ]
    controls = [condition for condition in injected if not analysis.targets.get(condition.name)]
    if full is None or not targeted:
        return None
    keys = list(dict.fromkeys(key for condition in targeted for key in sorted(analysis.targets[condition.name])))
    amount_columns = _amount_columns(analysis, targeted)
    columns = (
        Column("suite", "suite", shown=False),
        Column("paradigm", "paradigm", look="name"),
        Column("full", "full", "percent", "accuracies.0", "the base corpus"),
        *(
            Column(
                *(f"control_{control.name}", control.name, "percent", f"accuracies.{i}"),
                f"text without a target, {_percent(injected_share(control))}",
            )
            for i, control in enumerate(controls, 1)
        ),
        *(
            Column(
                f"share_{share:g}{f'_{name}' if name else ''}",
                *(_title(share, name), "percent", f"accuracies.{i}", "share of tokens in text for the paradigm"),
            )
            for i, (share, name, _) in enumerate(amount_columns, 1 + len(controls))
        ),
        Column("delta", "Δ", "points", help="largest share − full; missing if two conditions have the largest share"),
    )
    rows = []
    for key in keys:
        suite, _, name = key.rpartition("/")
        unit = Unit("paradigm", suite, name)
        names = [
            full.name,
            *(control.name for control in controls),
            *(conditions.get(key, "") for _, _, conditions in amount_columns),
        ]
        accuracies: list[Accuracy | None] = [analysis.accuracies.get((unit, condition, model)) for condition in names]
        scored = [
            (column[0], accuracy)
            for column, accuracy in zip(amount_columns, accuracies[1 + len(controls) :], strict=True)
            if accuracy
        ]
        largest = [accuracy for share, accuracy in scored if share == scored[-1][0]]
        contrast = analysis.contrasts.get((unit, largest[0].condition, model, full.name)) if len(largest) == 1 else None
        cells = {str(i): accuracy_cell(accuracy) for i, accuracy in enumerate(accuracies)}
        rows.append({"suite": suite, "paradigm": name, "accuracies": cells, "delta": delta_cell(analysis, contrast)})
    return Table(slug(f"injected-amounts-{model}"), f"By amount, {model}", columns, rows)


def _amount_columns(analysis: Analysis, targeted: Sequence[Condition]) -> list[tuple[float, str, dict[str, str]]]:
    """Return a (share, condition, conditions by paradigm) triple for each column.

    `condition` is empty unless a paradigm has several conditions with this share.
    """
    columns = []
    for share in sorted({share for condition in targeted if (share := injected_share(condition)) is not None}):
        targets_by_condition = {
            condition.name: analysis.targets[condition.name]
            for condition in targeted
            if injected_share(condition) == share
        }
        if sum(map(len, targets_by_condition.values())) == len(frozenset().union(*targets_by_condition.values())):
            columns.append((share, "", {key: name for name, keys in targets_by_condition.items() for key in keys}))
        else:
            columns += [(share, name, dict.fromkeys(keys, name)) for name, keys in targets_by_condition.items()]
    return columns


def _title(share: float, name: str) -> str:
    return f"{_percent(share)}, {name}" if name else _percent(share)


def _percent(share: float | None) -> str:
    return formatting.MISSING if share is None else f"{100 * share:g} %"
