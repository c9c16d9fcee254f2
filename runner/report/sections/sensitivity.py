"""The same scores counted in other ways: what a tie is worth, sums or means over tokens."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from runner.report.analysis.statistics import Analysis
from runner.report.render import format as write
from runner.report.results.items import Paradigm
from runner.report.sections.between_models import numbers
from runner.report.tables.table import Column, Table
from runner.report.views.section import Section
from runner.report.views.views import Head, View, text, value
from runner.score.statistics.inference import Floats
from runner.score.statistics.measures import Ties, decisions
from runner.score.suites.winobias import opposed

WAYS: tuple[tuple[Ties, str], ...] = (("half", "ties a half"), ("strict", "ties wrong"), ("argmax", "ties right"))


def sensitivity(analysis: Analysis) -> Section | None:
    """Means over paradigms of a suite under each way to count, seeds averaged; only where pairs are at hand."""
    every = analysis.results.paradigms
    paradigms = [one for one in every if len(one.item) and not opposed(one.name)]
    if not paradigms:
        return None
    columns = (
        Column("suite", "suite"),
        Column("condition", "condition"),
        Column("model", "model"),
        *(Column(name, title, "percent") for name, title in WAYS),
        Column("per_token", "means over tokens", "percent", "scores divided by the number of tokens, ties a half"),
    )
    rows = []
    for suite in analysis.results.suites:
        for condition in analysis.results.conditions:
            for model in analysis.results.models:
                mine = [p for p in paradigms if p.suite == suite]
                ways = [_mean(mine, condition.name, model, _judged(ties)) for ties, _ in WAYS]
                per_token = _mean(mine, condition.name, model, _per_token)
                if ways[0] is not None:
                    rows.append((suite, condition.name, model, *ways, per_token))
    table = Table("sensitivity", "Other ways to count", columns, tuple(rows))
    heads = tuple(Head(c.title, c.help, number=c.kind == "percent") for c in columns)
    cells = tuple(
        (
            text(str(row[0]), "name"),
            text(str(row[1])),
            text(str(row[2])),
            *(value(write.percent(x), x) for x in numbers(row[3:])),
        )
        for row in rows
    )
    said = (
        "The mean over paradigms if the same scores were counted otherwise. What stands before a sentence, and whether "
        "its first word and its end count, is decided when it is scored: another convention there needs the models."
    )
    return Section("sensitivity", "Other ways to count", said, (), (("", View("sensitivity", heads, cells)),), (table,))


Accuracies = Callable[[Paradigm, list[int]], Floats | None]


def _per_token(paradigm: Paradigm, rows: list[int]) -> Floats | None:
    return None if paradigm.per_token is None else paradigm.per_token[rows]


def _judged(ties: Ties) -> Accuracies:
    def accuracies(paradigm: Paradigm, rows: list[int]) -> Floats | None:
        judged = decisions(paradigm.score_good[rows], paradigm.score_bad[rows], ties)
        applicable = (~np.isnan(judged)).sum(axis=1)
        return np.nansum(judged, axis=1) / applicable if applicable.all() else None

    return accuracies


def _mean(paradigms: list[Paradigm], condition: str, model: str, of: Accuracies) -> float | None:
    """The unweighted mean over paradigms that have scores, each the mean over seeds."""
    found = []
    for paradigm in paradigms:
        rows = [i for i, cell in enumerate(paradigm.cells) if (cell.condition, cell.model) == (condition, model)]
        values = of(paradigm, rows) if rows else None
        if values is not None and np.isfinite(values).all():
            found.append(float(values.mean()))
    return math.fsum(found) / len(found) if found else None
