"""Accuracies of the same scores under other conventions: for ties, and with scores divided by length."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from runner.report.analysis.statistics import Analysis
from runner.report.results.items import Paradigm
from runner.report.sections.section import Section
from runner.report.tables.table import Column, Table
from runner.score.statistics.inference import Floats
from runner.score.statistics.measures import Ties, decisions
from runner.score.suites.winobias import is_single_gender

ORDER = 210

TIE_CONVENTIONS: tuple[tuple[Ties, str], ...] = (("half", "ties ½"), ("strict", "ties wrong"), ("argmax", "ties right"))


def sections(analysis: Analysis) -> Iterator[Section]:
    """Yield a section with the mean accuracy of each suite under each convention, over paradigms with pairs."""
    all_paradigms = analysis.results.paradigms
    paradigms = [paradigm for paradigm in all_paradigms if len(paradigm.item) and not is_single_gender(paradigm.name)]
    if not paradigms:
        return
    columns = (
        Column("suite", "suite", look="name"),
        Column("condition", "condition"),
        Column("model", "model"),
        *(Column(name, title, "percent") for name, title in TIE_CONVENTIONS),
        Column("per_token", "means over tokens", "percent", "scores divided by the number of tokens; ties count ½"),
    )
    rows = []
    for suite in analysis.results.suites:
        for condition in analysis.results.conditions:
            for model in analysis.results.models:
                suite_paradigms = [p for p in paradigms if p.suite == suite]
                means = [
                    _mean(suite_paradigms, condition.name, model, _accuracies_with(ties)) for ties, _ in TIE_CONVENTIONS
                ]
                per_token = _mean(suite_paradigms, condition.name, model, _per_token)
                if means[0] is not None:
                    rows.append((suite, condition.name, model, *means, per_token))
    table = Table("sensitivity", "", columns, tuple(rows))
    intro = (
        "The mean accuracy over paradigms of the same scores under other conventions. The context of a sentence, and "
        "whether its first word and its end are scored, is fixed at scoring; changing these requires scoring again."
    )
    yield Section("sensitivity", "Other conventions", intro, (), (table,))


Accuracies = Callable[[Paradigm, list[int]], Floats | None]


def _per_token(paradigm: Paradigm, rows: list[int]) -> Floats | None:
    return None if paradigm.per_token is None else paradigm.per_token[rows]


def _accuracies_with(ties: Ties) -> Accuracies:
    def accuracies(paradigm: Paradigm, rows: list[int]) -> Floats | None:
        decided = decisions(paradigm.score_good[rows], paradigm.score_bad[rows], ties, paradigm.identical[rows])
        applicable = (~np.isnan(decided)).sum(axis=1)
        return np.nansum(decided, axis=1) / applicable if applicable.all() else None

    return accuracies


def _mean(paradigms: list[Paradigm], condition: str, model: str, accuracies: Accuracies) -> float | None:
    """Return the unweighted mean over paradigms with scores, each averaged over seeds."""
    means = []
    for paradigm in paradigms:
        rows = [i for i, cell in enumerate(paradigm.cells) if (cell.condition, cell.model) == (condition, model)]
        values = accuracies(paradigm, rows) if rows else None
        if values is not None and np.isfinite(values).all():
            means.append(float(values.mean()))
    return math.fsum(means) / len(means) if means else None
