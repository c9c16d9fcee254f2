"""Effects of injected text on the paradigms that it targets.

Accuracy of targeted paradigms by share of injected text.
See tables 2 and 3 of the paper that `experiments/injection` reproduces.

Effects of injected text on the paradigms that it targets.
See tables 2 and 3 of the paper that `experiments/injection` reproduces.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runner import formatting
from runner.report.accuracy_tables import accuracy_cell, delta_cell
from runner.report.charts import Axis, Series, axis, legend, panel, seed_ranges, split_series
from runner.report.markup import drawing
from runner.report.records import Condition
from runner.report.section import Figure, Section, slug
from runner.report.statistics import Accuracy, Analysis, Unit, controls_of, injected_share, injects
from runner.tables import Cell, Column, Table, Value


def amount_table(analysis: Analysis, model: str) -> Table | None:
    """Return a table with one row for each targeted paradigm, or None.

    Its columns are the accuracy on the full corpus, under each control and with each share of injected text, and the
    change with the largest share. If several conditions inject the largest share for a paradigm, the change is missing.
    Returns None without a full condition, or if no condition with targets has a known share.
    """
    full = analysis.full
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
        Column("paradigm", "paradigm", css_class="name"),
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


def sections(analysis: Analysis) -> Iterator[Section]:
    """Yield a section with the accuracies of targeted paradigms under full, under controls and with injected text."""
    injected = [
        condition
        for condition in analysis.results.conditions
        if injects(condition) and analysis.targets.get(condition.name)
    ]
    full = analysis.full
    if not injected or full is None:
        return
    columns = (
        Column("suite", "suite", shown=False),
        Column("paradigm", "paradigm", css_class="name"),
        Column("model", "model"),
        Column("condition", "condition"),
        Column(
            "share",
            "share, %",
            "percent",
            help="achieved share of the injected text in the training corpus, in words",
            digits=2,
        ),
        Column("full", "full", "percent"),
        Column("control", "control", "percent", help="the same amount of text without a target"),
        Column("after", "injected", "percent"),
        Column("delta", "Δ full", "points"),
        Column("mean_full", "mean of suite, full", "percent"),
        Column("mean_after", "mean of suite, injected", "percent"),
    )
    rows: list[dict[str, Cell | Value]] = []
    for condition in injected:
        controls = controls_of(analysis.results, condition.name)
        for key in sorted(analysis.targets[condition.name]):
            suite, _, name = key.rpartition("/")
            unit, suite_unit = Unit("paradigm", suite, name), Unit.of_suite(suite)
            for model in analysis.results.models:
                injected_accuracy = analysis.accuracies.get((unit, condition.name, model))
                if injected_accuracy is None:
                    continue
                full_accuracy = analysis.accuracies.get((unit, full.name, model))
                control_accuracies = (analysis.accuracies.get((unit, control.name, model)) for control in controls)
                control_accuracy = next(filter(None, control_accuracies), None)
                contrast = analysis.contrasts.get((unit, condition.name, model, full.name))
                rows.append(
                    {
                        "suite": suite,
                        "paradigm": name,
                        "model": model,
                        "condition": condition.name,
                        "share": _achieved_share(condition),
                        "full": accuracy_cell(full_accuracy),
                        "control": accuracy_cell(control_accuracy),
                        "after": accuracy_cell(injected_accuracy),
                        "delta": delta_cell(analysis, contrast),
                        "mean_full": accuracy_cell(analysis.accuracies.get((suite_unit, full.name, model))),
                        "mean_after": accuracy_cell(analysis.accuracies.get((suite_unit, condition.name, model))),
                    }
                )
    if not rows:
        return
    intro = (
        "Accuracy in percent on the paradigms that the injected text targets: under the full corpus, with the same "
        "amount of text without a target, and with the injected text. The last columns are means over the whole "
        "suite."
    )
    amount_tables = tuple(
        table for model in analysis.results.models if (table := amount_table(analysis, model)) is not None
    )
    table = Table("injections", "Each condition", columns, rows)
    yield Section("injections", "Injected text", intro, tuple(_figures(analysis, injected)), (*amount_tables, table))


def _achieved_share(condition: Condition) -> float | None:
    """Return the share of injected words in the training corpus, or None if it is unknown."""
    if condition.injected_tokens is None or not condition.words:
        return None
    return condition.injected_tokens / condition.words


def _figures(analysis: Analysis, injected: list[Condition]) -> list[Figure]:
    """Return figures of accuracy by injected share, with a line for each paradigm with two or more shares.

    Conditions that inject the same share for a paradigm are on separate lines.
    """
    shares_by_key: dict[str, dict[str, float]] = {}  # by paradigm and condition
    for condition in injected:
        for key in sorted(analysis.targets[condition.name]):
            if requested_share := injected_share(condition):
                shares_by_key.setdefault(key, {})[condition.name] = 100 * requested_share
    names = [key.rpartition("/")[2] for key in shares_by_key]
    figures = []
    for model in analysis.results.models:
        lines: dict[str, dict[int, dict[float, float]]] = {}
        for key, shares in shares_by_key.items():
            suite, _, name = key.rpartition("/")
            unit, paradigm_label = Unit("paradigm", suite, name), name if names.count(name) == 1 else key
            scored_shares = {
                condition_name: condition_share
                for condition_name, condition_share in shares.items()
                if (unit, condition_name, model) in analysis.accuracies
            }
            if len(set(scored_shares.values())) < 2:
                continue
            for label, conditions in split_series(scored_shares).items():
                line = lines.setdefault(f"{paradigm_label}, {label}" if label else paradigm_label, {})
                for condition_name in conditions:
                    for seed, mean in analysis.accuracies[unit, condition_name, model].by_seed.items():
                        line.setdefault(seed, {})[scored_shares[condition_name]] = mean
        if lines:
            series = [Series(name, colour, seed_ranges(values)) for colour, (name, values) in enumerate(lines.items())]
            x_axis = axis([point[0] for drawn_line in series for point in drawn_line.points], 54, 420, log=True)
            title = f"Accuracy by injected share, {model}"
            body = panel(
                series,
                x_axis,
                Axis(0.0, 1.0, 264, -230),
                "accuracy, %",
                title_x="requested share of tokens, %",
                factor=100,
            )
            svg = drawing([*body, *legend(series, 494, 44)], 800, max(310, 50 + 15 * len(series)), title)
            figures.append(Figure(slug(f"injected-{model}"), title, svg))
    return figures


SECTIONS = {110: sections}
