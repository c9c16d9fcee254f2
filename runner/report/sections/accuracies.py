"""Accuracies: heatmaps, tables of all paradigms, models side by side, and other conventions (Patil et al. 2024)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from runner.report.accuracy_tables import accuracy, accuracy_cell, failed, groups, paradigms
from runner.report.figures.heatmap import heatmap
from runner.report.results import Results
from runner.report.section import Figure, Section, slug
from runner.report.statistics import Analysis, Unit
from runner.score.convention import UNIGRAM
from runner.score.inference import Floats
from runner.score.measures import Ties, decisions
from runner.score.pair_formats import stands_alone
from runner.score.pair_matrices import Paradigm
from runner.tables import Cell, Column, Table, Value

TIES: dict[Ties, str] = {"half": "½", "strict": "as wrong", "argmax": "as right"}
TIE_CONVENTIONS = (("half", "ties ½"), ("strict", "ties wrong"), ("argmax", "ties right"))
MAX_PARADIGMS = 9  # columns of paradigms in a table of models side by side


def heatmap_section(analysis: Analysis) -> Iterator[Section]:
    results = analysis.results
    intro = (
        "Each row is a paradigm. The left columns show how often models trained on the full corpus prefer the good "
        "sentence of a pair. The other columns show, for each condition, the difference in points from the full corpus "
        "and from the condition's control, if it has one. The mean is unweighted over paradigms."
    )
    if any(len(paradigm.item) for paradigm in results.paradigms):
        intro += f" {_ties(results)}."
    yield Section("heatmap", "Accuracy and its change", intro, nav="Heatmap")


def _ties(results: Results) -> str:
    by_suite = {suite: results.run.ties(suite) for suite in results.suites}
    ties = ", ".join(f"{TIES[value]} in {suite}" for suite, value in by_suite.items())
    if len(set(by_suite.values())) <= 1:
        ties = TIES[next(iter(by_suite.values()), "half")]
    identical = "pairs that the tokenizer makes identical are"
    as_ties = [suite for suite, value in by_suite.items() if value != "half"]
    if not as_ties:
        return f"Ties count {ties}; {identical} excluded"
    where = f" in {', '.join(as_ties)}" if len(as_ties) < len(by_suite) else ""
    return f"Ties count {ties}; {identical} ties{where}"


def paradigms_section(analysis: Analysis) -> Iterator[Section]:
    suites = analysis.results.suites
    tables = []
    for suite in suites:
        tables.append(replace(paradigms(analysis, suite), title=suite if len(suites) > 1 else ""))
        title = f"By phenomenon and field{f': {suite}' if len(suites) > 1 else ''}"
        tables.append(replace(groups(analysis, suite), title=title, note="Unweighted means over paradigms."))
    intro = "Accuracy in percent, mean over seeds; tooltips list the seeds. Click a heading to sort."
    if any(len(paradigm.item) for paradigm in analysis.results.paradigms):
        intro = intro.replace("to sort.", "to sort, or a paradigm to see example pairs.")
    yield Section("paradigms", "All paradigms", intro, (), (*tables, accuracy(analysis), failed(analysis)))


def side_by_side_section(analysis: Analysis) -> Iterator[Section]:
    results = analysis.results
    if len(results.conditions) > 1 or len(results.models) < 2:
        return
    tables = tuple(table for suite in results.suites if (table := _side_by_side(analysis, suite)) is not None)
    if tables:
        intro = (
            "Accuracy of each model in percent, over the whole suite and on the paradigms with the lowest mean over "
            "models. A high mean can hide phenomena that a model has not learned."
        )
        yield Section("side-by-side", "Models side by side", intro, (), tables)


def _side_by_side(analysis: Analysis, suite: str) -> Table | None:
    condition, models = analysis.results.conditions[0].name, analysis.results.models

    def cell(unit: Unit, model: str) -> Cell | Value:
        return accuracy_cell(analysis.accuracies.get((unit, condition, model)))

    means: dict[Unit, float] = {}
    for unit in [Unit.of(paradigm) for paradigm in analysis.results.paradigms if paradigm.suite == suite]:
        found = [accuracy for model in models if (accuracy := analysis.accuracies.get((unit, condition, model)))]
        if len(found) == len(models):
            means[unit] = sum(accuracy.mean for accuracy in found) / len(found)
    if not means:
        return None
    worst = sorted(means, key=lambda unit: means[unit])[:MAX_PARADIGMS]
    columns = (
        Column("model", "model", "text", lambda model: model, css_class="name"),
        Column("mean", "mean", "percent", partial(cell, Unit.of_suite(suite)), "of all paradigms of the suite"),
        *(Column(unit.name, unit.name.replace("_", " "), "percent", partial(cell, unit)) for unit in worst),
    )
    return Table(slug(f"side-by-side-{suite}"), suite, columns, models)


def sensitivity_section(analysis: Analysis) -> Iterator[Section]:
    all_paradigms = analysis.results.paradigms
    paradigms = [paradigm for paradigm in all_paradigms if len(paradigm.item) and not stands_alone(paradigm.name)]
    if not paradigms:
        return
    columns = (
        Column("suite", "suite", css_class="name"),
        Column("condition", "condition"),
        Column("model", "model"),
        *(Column(name, title, "percent") for name, title in TIE_CONVENTIONS),
        Column(
            "per_token", "means over tokens", "percent", help="scores divided by the number of tokens; ties count ½"
        ),
    )
    rows = []
    for suite in analysis.results.suites:
        of_suite = [paradigm for paradigm in paradigms if paradigm.suite == suite]
        for condition, model in analysis.results.condition_models:
            means: dict[str, float | None] = {
                ties: _mean_accuracy(of_suite, condition, model, partial(_accuracies, ties)) for ties in TIES
            }
            if means["half"] is not None:
                per_token = _mean_accuracy(of_suite, condition, model, partial(_accuracies, None))
                rows.append({"suite": suite, "condition": condition, "model": model, "per_token": per_token, **means})
    intro = (
        "This table shows the mean accuracy over paradigms if the same scores are evaluated under other conventions. "
        "The context of a sentence, and whether its first word and its end are scored, are fixed when it is scored; "
        "changing them requires scoring again."
    )
    yield Section("sensitivity", "Other conventions", intro, (), (Table("sensitivity", "", columns, rows),))


def _accuracies(ties: Ties | None, paradigm: Paradigm, rows: list[int]) -> Floats | None:
    if ties is None:
        return None if paradigm.per_token is None else paradigm.per_token[rows]
    decided = decisions(paradigm.score_good[rows], paradigm.score_bad[rows], ties, paradigm.identical[rows])
    counts = (~np.isnan(decided)).sum(axis=1)
    return np.nansum(decided, axis=1) / counts if counts.all() else None


def _mean_accuracy(
    paradigms: list[Paradigm], condition: str, model: str, accuracies: Callable[[Paradigm, list[int]], Floats | None]
) -> float | None:
    means = []
    for paradigm in paradigms:
        rows = paradigm.rows(condition, model)
        values = accuracies(paradigm, rows) if rows else None
        if values is not None and np.isfinite(values).all():
            means.append(float(values.mean()))
    return math.fsum(means) / len(means) if means else None


def all_accuracies_section(analysis: Analysis) -> Iterator[Section]:
    """Yield a section of heatmaps of all accuracies if several conditions have scores (Patil et al. 2024, figure 6)."""
    if len({condition for _, condition, model in analysis.accuracies if model != UNIGRAM}) < 2:
        return
    figures = tuple(
        Figure(slug(f"accuracies-{suite}"), f"All accuracies: {suite}", heatmap(analysis, suite, only_accuracies=True))
        for suite in analysis.results.suites
    )
    intro = (
        "Accuracy of every paradigm under every condition, mean over seeds, in percent; targeted cells have a frame."
    )
    yield Section("all-accuracies", "All accuracies", intro, figures)


SECTIONS = {
    20: heatmap_section,
    30: paradigms_section,
    100: side_by_side_section,
    210: sensitivity_section,
    220: all_accuracies_section,
}
