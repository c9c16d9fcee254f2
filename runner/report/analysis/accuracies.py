"""Accuracies of paradigms and of groups of paradigms, for each condition and model."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from runner.manifest.model import UNIGRAM
from runner.report.analysis.paired_accuracies import Accuracies, group_mean, paradigm_groups
from runner.report.analysis.statistics import Accuracy, Analysis, Unit, full_condition
from runner.report.results.results import Results
from runner.score.statistics.inference import Floats
from runner.score.statistics.measures import mean, row_means


def paradigm_accuracies(results: Results, decisions: dict[str, Floats]) -> Accuracies:
    """Return the accuracy of each paradigm under each condition and model.

    `decisions` has a matrix (cells, items) for each paradigm key.
    """
    accuracies = {}
    for paradigm in results.paradigms:
        unit = Unit("paradigm", paradigm.suite, paradigm.name)
        paradigm_decisions = decisions[paradigm.key]
        is_tie = paradigm.score_good == paradigm.score_bad
        for condition, model in dict.fromkeys((cell.condition, cell.model) for cell in paradigm.cells):
            rows = [
                row for row, cell in enumerate(paradigm.cells) if (cell.condition, cell.model) == (condition, model)
            ]
            means = row_means(paradigm_decisions[rows])
            by_seed = {
                paradigm.cells[row].seed: value for row, value in zip(rows, means, strict=True) if value is not None
            }
            if not by_seed:
                continue
            is_missing, identical = np.isnan(paradigm_decisions[rows]), paradigm.identical[rows]
            applicable = int((~is_missing).all(axis=0).sum())
            accuracies[unit, condition, model] = Accuracy(
                unit,
                condition,
                model,
                by_seed,
                size=len(paradigm.item),
                applicable=applicable,
                ties=float(is_tie[rows].sum() / max(1, (~is_missing & ~identical).sum())),
                identical=int(identical.any(axis=0).sum()),
                told_apart=mean(row_means(np.where(identical, np.nan, paradigm_decisions[rows]))),
                unknown_word_pairs=int(paradigm.unknown[rows].any(axis=0).sum()),
                unscored=int((is_missing & ~identical).sum(axis=1).max()),
            )
    return accuracies


def imported_accuracies(results: Results) -> Accuracies:
    """Return the accuracies of paradigms without minimal pairs.

    For predictions of SyntaxGym, items are counted in place of pairs.
    """
    values_by_cell: dict[tuple[Unit, str, str], dict[int, float]] = {}
    for value in results.imported:
        unit = Unit("paradigm", value.suite, value.paradigm)
        values_by_cell.setdefault((unit, value.condition, value.model), {})[value.seed] = value.value
    accuracies = {key: Accuracy(*key, dict(sorted(by_seed.items()))) for key, by_seed in values_by_cell.items()}
    for predicted in results.predictions:
        applicable_items: dict[tuple[Unit, str, str], int] = {}  # numbers of items, minimum over seeds
        for cell, holds in predicted.holds.items():
            key = Unit("paradigm", predicted.suite, predicted.name), cell.condition, cell.model
            applicable_items[key] = min(applicable_items.get(key, len(holds)), len(holds))
        for key, applicable in applicable_items.items():
            unscored = len(predicted.items) - applicable
            accuracies[key] = replace(
                accuracies[key], size=len(predicted.items), applicable=applicable, unscored=unscored
            )
    return accuracies


def group_accuracies(results: Results, accuracies: Accuracies) -> Accuracies:
    """Return `group_mean` over the paradigms of each group for each condition and model."""
    cells = dict.fromkeys((condition, model) for _, condition, model in accuracies)
    group_values = {}
    for group, members in paradigm_groups(results).items():
        for condition, model in cells:
            member_accuracies = [
                accuracy for member in members if (accuracy := accuracies.get((member, condition, model)))
            ]
            by_seed = group_mean([accuracy.by_seed for accuracy in member_accuracies])
            if by_seed:
                group_values[group, condition, model] = Accuracy(
                    group, condition, model, by_seed, len(member_accuracies)
                )
    return group_values


def unigram_accuracy(analysis: Analysis, unit: Unit) -> float | None:
    """Return the accuracy of the unigram baseline, under the full condition or the first condition that has one."""
    full = full_condition(analysis.results)
    names = ([full.name] if full else []) + [condition.name for condition in analysis.results.conditions]
    candidates = (analysis.accuracies.get((unit, name, UNIGRAM)) for name in names)
    return next((accuracy.mean for accuracy in candidates if accuracy is not None), None)
