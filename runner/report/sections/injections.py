"""What injected text does to the paradigms it is about (tables 2 and 3 of the injection paper)."""

from __future__ import annotations

from runner.report.analysis.statistics import Analysis, Unit, amount, controls_of, full_of
from runner.report.figures.lines import Series, keys, over_seeds, panel
from runner.report.figures.series import strands
from runner.report.render import format as write
from runner.report.render.names import slug
from runner.report.render.plot import Axis, axis
from runner.report.render.svg import drawing
from runner.report.results.results import Condition
from runner.report.sections.injected_amounts import amounts
from runner.report.tables.table import Column, Table
from runner.report.views.section import Figure, Section
from runner.report.views.views import Head, View, accuracy, delta, text, value


def injections(analysis: Analysis) -> Section | None:
    """Full, control and injected accuracy of each targeted paradigm, and accuracy by the share that was injected."""
    injected = [c for c in analysis.results.conditions if c.kind == "inject" and analysis.targets.get(c.name)]
    full = full_of(analysis.results)
    if not injected or full is None:
        return None
    columns = (
        Column("suite", "suite"),
        Column("paradigm", "paradigm"),
        Column("model", "model"),
        Column("condition", "condition"),
        Column("share", "share", "number", "injected tokens of all, as achieved"),
        Column("full", "full", "percent"),
        Column("control", "control", "percent"),
        Column("after", "injected", "percent"),
        Column("delta", "injected − full", "points"),
        Column("mean_full", "mean of suite, full", "percent"),
        Column("mean_after", "mean of suite, injected", "percent"),
    )
    rows, cells = [], []
    for condition in injected:
        controls = controls_of(analysis.results, condition.name)
        for key in sorted(analysis.targets[condition.name]):
            suite, _, name = key.rpartition("/")
            unit, whole = Unit("paradigm", suite, name), Unit("suite", suite, suite)
            for model in analysis.results.models:
                mine = analysis.accuracies.get((unit, condition.name, model))
                if mine is None:
                    continue
                before = analysis.accuracies.get((unit, full.name, model))
                control = next((a for c in controls if (a := analysis.accuracies.get((unit, c.name, model)))), None)
                means = [analysis.accuracies.get((whole, c, model)) for c in (full.name, condition.name)]
                contrast = analysis.contrasts.get((unit, condition.name, model, full.name))
                part = share(condition)
                values = (before, control, mine)
                rows.append(
                    (
                        *(suite, name, model, condition.name, part, *(one.mean if one else None for one in values)),
                        mine.mean - before.mean if before else None,
                        *(one.mean if one else None for one in means),
                    )
                )
                cells.append(
                    (
                        *(text(name, "name"), text(model), text(condition.name)),
                        value(write.MISSING if part is None else f"{100 * part:.4g}", part),
                        *(accuracy(one) for one in values),
                        delta(analysis, contrast),
                        *(accuracy(one) for one in means),
                    )
                )
    if not rows:
        return None
    heads = (
        *(Head(name, number=False) for name in ("paradigm", "model", "condition")),
        Head("share, %", "injected tokens of all training tokens, as achieved"),
        Head("full"),
        Head("control", "as much text without a target"),
        Head("injected"),
        Head("Δ full"),
        Head("suite, full", "mean over all paradigms of the suite"),
        Head("suite, injected", "mean over all paradigms of the suite"),
    )
    said = (
        "Accuracy on the paradigms that the injected text is about, in percent: under the full corpus, with as much "
        "text without a target, and with it; beside it the mean of the whole suite."
    )
    table = Table("injections", "Injected text", columns, tuple(rows))
    view = View("injections", heads, tuple(cells))
    wide = [(m, one) for m in analysis.results.models if (one := amounts(analysis, m)) is not None]
    views = (*((f"By amount, {model}", one[0]) for model, one in wide), ("Each condition", view))
    tables = (*(one[1] for _, one in wide), table)
    return Section("injections", "Injected text", said, tuple(_figures(analysis, injected)), views, tables)


def share(condition: Condition) -> float | None:
    """The part of the training tokens that was injected."""
    if condition.injected_tokens is None or not condition.tokens:
        return None
    return condition.injected_tokens / condition.tokens


def _figures(analysis: Analysis, injected: list[Condition]) -> list[Figure]:
    """Accuracy against the share, where a paradigm was injected at two shares or more: a line a paradigm.

    Where conditions of a paradigm share an amount, they are lines of their own.
    """
    asked: dict[str, dict[str, float]] = {}  # by paradigm and condition
    for condition in injected:
        for key in sorted(analysis.targets[condition.name]):
            if part := amount(condition):
                asked.setdefault(key, {})[condition.name] = 100 * part
    names = [key.rpartition("/")[2] for key in asked]
    found = []
    for model in analysis.results.models:
        lines: dict[str, dict[int, dict[float, float]]] = {}
        for key, shares in asked.items():
            suite, _, name = key.rpartition("/")
            unit, shown = Unit("paradigm", suite, name), name if names.count(name) == 1 else key
            scored = {c: at for c, at in shares.items() if (unit, c, model) in analysis.accuracies}
            if len(set(scored.values())) < 2:
                continue
            for label, conditions in strands(scored).items():
                line = lines.setdefault(f"{shown}, {label}" if label else shown, {})
                for each in conditions:
                    for seed, mean in analysis.accuracies[unit, each, model].by_seed.items():
                        line.setdefault(seed, {})[scored[each]] = mean
        if lines:
            series = [Series(name, n, over_seeds(by)) for n, (name, by) in enumerate(lines.items())]
            across = axis([point[0] for one in series for point in one.points], 54, 420, log=True)
            title = f"Accuracy by injected share, {model}"
            body = panel(
                series,
                across,
                Axis(0.0, 1.0, 264, -230),
                "accuracy, %",
                title_x="of the tokens, as asked, %",
                factor=100,
            )
            svg = drawing([*body, *keys(series, 494, 44)], 800, max(310, 50 + 15 * len(series)), title)
            found.append(Figure(slug(f"injected-{model}"), title, svg))
    return found
