"""Effects of injected text on targeted paradigms (tables 2 and 3 of the paper in `experiments/injection`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runner import formatting
from runner.report.accuracy_tables import accuracy_cell, delta_cell
from runner.report.charts import Axis, amount_chart, axis, series_by_amount
from runner.report.records import Condition
from runner.report.section import Figure, Section, slug
from runner.report.statistics import Analysis, Unit, controls_of, injected_share, injects
from runner.tables import Cell, Column, Table, Value, saved


def sections(analysis: Analysis) -> Iterator[Section]:
    injected = [each for each in analysis.results.conditions if injects(each)]
    targeted = [condition for condition in injected if analysis.targets.get(condition.name)]
    full = analysis.full
    rows = [row for condition in targeted if full for row in _rows(analysis, condition, full.name)]
    if not rows or full is None:
        return
    columns = (
        *saved("suite"),
        Column("paradigm", "paradigm", css_class="name"),
        Column("model", "model"),
        Column("condition", "condition"),
        Column(
            *("share", "share, %", "percent"),
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
    intro = (
        "Accuracy in percent on the paradigms that the injected text targets: under the full corpus, with the same "
        "amount of text without a target, and with the injected text. The last columns are means over the whole "
        "suite."
    )
    controls = [condition for condition in injected if condition not in targeted]
    shared = [condition for condition in targeted if injected_share(condition) is not None]
    models = analysis.results.models if shared else ()
    amounts = [_amount_table(analysis, full.name, controls, shared, model) for model in models]
    tables = (*amounts, Table("injections", "Each condition", columns, rows))
    yield Section("injections", "Injected text", intro, tuple(_figures(analysis, targeted)), tables)


def _rows(analysis: Analysis, condition: Condition, full: str) -> Iterator[dict[str, Cell | Value]]:
    name, tokens, words = condition.name, condition.injected_tokens, condition.words
    for unit in map(Unit.of_key, sorted(analysis.targets[name])):
        suite = Unit.of_suite(unit.suite)
        for model in analysis.results.models:
            if (unit, name, model) in analysis.accuracies:
                controls = (_cell(analysis, unit, each.name, model) for each in controls_of(analysis.results, name))
                yield {
                    "suite": unit.suite,
                    "paradigm": unit.name,
                    "model": model,
                    "condition": name,
                    "share": tokens / words if tokens is not None and words else None,
                    "full": _cell(analysis, unit, full, model),
                    "control": next((cell for cell in controls if cell is not None), None),
                    "after": _cell(analysis, unit, name, model),
                    "delta": delta_cell(analysis, analysis.contrasts.get((unit, name, model, full))),
                    "mean_full": _cell(analysis, suite, full, model),
                    "mean_after": _cell(analysis, suite, name, model),
                }


def _cell(analysis: Analysis, unit: Unit, condition: str, model: str) -> Cell | Value:
    return accuracy_cell(analysis.accuracies.get((unit, condition, model)))


def _amount_table(
    analysis: Analysis, full: str, controls: Sequence[Condition], targeted: Sequence[Condition], model: str
) -> Table:
    """Return accuracies by share of injected text; the change is missing if the largest share is not unique."""
    amounts = _amounts(analysis, targeted)
    first = 1 + len(controls)
    rows = []
    for key in dict.fromkeys(key for condition in targeted for key in sorted(analysis.targets[condition.name])):
        unit = Unit.of_key(key)
        names = [full, *(each.name for each in controls), *(conditions.get(key, "") for _, _, conditions in amounts)]
        accuracies = [analysis.accuracies.get((unit, name, model)) for name in names]
        scored = [
            (share, accuracy) for (share, _, _), accuracy in zip(amounts, accuracies[first:], strict=True) if accuracy
        ]
        largest = [accuracy for share, accuracy in scored if share == scored[-1][0]]
        contrast = analysis.contrasts.get((unit, largest[0].condition, model, full)) if len(largest) == 1 else None
        cells = {str(i): accuracy_cell(accuracy) for i, accuracy in enumerate(accuracies)}
        delta = delta_cell(analysis, contrast)
        rows.append({"suite": unit.suite, "paradigm": unit.name, "accuracies": cells, "delta": delta})
    columns = (
        *saved("suite"),
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
                *(f"{_percent(share)}{f', {name}' if name else ''}", "percent", f"accuracies.{i}"),
                help="share of tokens in text for the paradigm",
            )
            for i, (share, name, _) in enumerate(amounts, first)
        ),
        Column("delta", "Δ", "points", help="largest share − full; missing if two conditions have the largest share"),
    )
    return Table(slug(f"injected-amounts-{model}"), f"By amount, {model}", columns, rows)


def _amounts(analysis: Analysis, targeted: Sequence[Condition]) -> list[tuple[float, str, dict[str, str]]]:
    by_share: dict[float, dict[str, frozenset[str]]] = {}
    for condition in targeted:
        share = injected_share(condition)
        if share is not None:
            by_share.setdefault(share, {})[condition.name] = analysis.targets[condition.name]
    columns = []
    for share, targets in sorted(by_share.items()):
        if sum(map(len, targets.values())) == len(frozenset().union(*targets.values())):
            columns.append((share, "", {key: name for name, keys in targets.items() for key in keys}))
        else:
            columns += [(share, name, dict.fromkeys(keys, name)) for name, keys in targets.items()]
    return columns


def _percent(share: float | None) -> str:
    return formatting.MISSING if share is None else f"{100 * share:g} %"


def _figures(analysis: Analysis, injected: list[Condition]) -> Iterator[Figure]:
    shares_by_key: dict[str, dict[str, float]] = {}  # by paradigm and condition
    for condition in injected:
        for key in sorted(analysis.targets[condition.name]):
            if requested_share := injected_share(condition):
                shares_by_key.setdefault(key, {})[condition.name] = 100 * requested_share
    names = [key.rpartition("/")[2] for key in shares_by_key]
    for model in analysis.results.models:
        lines = []
        for (key, shares), name in zip(shares_by_key.items(), names, strict=True):
            accuracies = {each: analysis.accuracies.get((Unit.of_key(key), each, model)) for each in shares}
            values = {each: accuracy.by_seed for each, accuracy in accuracies.items() if accuracy}
            if len({shares[each] for each in values}) > 1:
                lines.append((name if names.count(name) == 1 else key, shares, values))
        series = series_by_amount(lines)
        if series:
            x_axis = axis([point[0] for line in series for point in line.points], 54, 420, log=True)
            title, title_x = f"Accuracy by injected share, {model}", "requested share of tokens, %"
            svg = amount_chart(series, x_axis, Axis(0.0, 1.0, 264, -230), title, "accuracy, %", title_x)
            yield Figure(slug(f"injected-{model}"), title, svg)


SECTIONS = {110: sections}
