"""Accuracies of the same scores under other conventions: for ties, and with scores divided by length."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from runner.report.section import Section
from runner.report.statistics import Analysis
from runner.score.inference import Floats
from runner.score.measures import Ties, decisions
from runner.score.pair_formats import stands_alone
from runner.score.pair_matrices import Paradigm
from runner.tables import Column, Table

TIE_CONVENTIONS: tuple[tuple[Ties, str], ...] = (("half", "ties ½"), ("strict", "ties wrong"), ("argmax", "ties right"))


def sections(analysis: Analysis) -> Iterator[Section]:
    """Yield a section with the mean accuracy of each suite under each convention, over paradigms with pairs.

    Paradigms of a single gender are excluded.
    """
    all_paradigms = analysis.results.paradigms
    paradigms = [paradigm for paradigm in all_paradigms if len(paradigm.item) and not stands_alone(paradigm.name)]
    if not paradigms:
        return
    columns = (
        Column("suite", "suite", look="name"),
        Column("condition", "condition"),
        Column("model", "model"),
        *(Column(name, title, "percent") for name, title in TIE_CONVENTIONS),
        Column(
            "per_token", "means over tokens", "percent", help="scores divided by the number of tokens; ties count ½"
        ),
    )
    rows = []
    for suite in analysis.results.suites:
        for condition in analysis.results.conditions:
            for model in analysis.results.models:
                suite_paradigms = [paradigm for paradigm in paradigms if paradigm.suite == suite]
                means = [
                    _mean(suite_paradigms, condition.name, model, _accuracies_with(ties)) for ties, _ in TIE_CONVENTIONS
                ]
                per_token = _mean(suite_paradigms, condition.name, model, _per_token)
                if means[0] is not None:
                    labels = {"suite": suite, "condition": condition.name, "model": model, "per_token": per_token}
                    rows.append(labels | dict(zip(dict(TIE_CONVENTIONS), means, strict=True)))
    table = Table("sensitivity", "", columns, rows)
    intro = (
        "This table shows the mean accuracy over paradigms if the same scores are evaluated under other conventions. "
        "The context of a sentence, and whether its first word and its end are scored, are fixed when it is scored; "
        "changing them requires scoring again."
    )
    yield Section("sensitivity", "Other conventions", intro, (), (table,))


AccuracyFunction = Callable[[Paradigm, list[int]], Floats | None]


def _per_token(paradigm: Paradigm, rows: list[int]) -> Floats | None:
    return None if paradigm.per_token is None else paradigm.per_token[rows]


def _accuracies_with(ties: Ties) -> AccuracyFunction:
    def accuracy_function(paradigm: Paradigm, rows: list[int]) -> Floats | None:
        decided = decisions(paradigm.score_good[rows], paradigm.score_bad[rows], ties, paradigm.identical[rows])
        decided_count = (~np.isnan(decided)).sum(axis=1)
        return np.nansum(decided, axis=1) / decided_count if decided_count.all() else None

    return accuracy_function


def _mean(paradigms: list[Paradigm], condition: str, model: str, accuracy_function: AccuracyFunction) -> float | None:
    """Return the unweighted mean over paradigms with scores, each averaged over seeds, or None without scores."""
    means = []
    for paradigm in paradigms:
        rows = [i for i, cell in enumerate(paradigm.cells) if (cell.condition, cell.model) == (condition, model)]
        values = accuracy_function(paradigm, rows) if rows else None
        if values is not None and np.isfinite(values).all():
            means.append(float(values.mean()))
    return math.fsum(means) / len(means) if means else None


SECTIONS = {210: sections}
