"""Accuracies per cell, and contrasts between conditions with intervals and corrected p-values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

import numpy as np

from runner.manifest.model import BASELINE
from runner.report.analysis.paired_accuracies import (
    Accuracies,
    accuracy_rows,
    group_mean,
    paired_accuracies,
    paradigm_groups,
)
from runner.report.analysis.statistics import (
    Accuracy,
    Against,
    Analysis,
    Contrast,
    Detectable,
    Unit,
    full_condition,
    references,
)
from runner.report.results.results import Results
from runner.score.statistics import inference
from runner.score.statistics.inference import Floats
from runner.score.statistics.measures import row_means

ALPHA = 0.05


def paradigm_accuracies(results: Results, decided: dict[str, Floats]) -> Accuracies:
    """Return the accuracy of each paradigm under each condition and model.

    `decided`: decisions (cells, items) by key of the paradigm.
    """
    accuracies = {}
    for paradigm in results.paradigms:
        unit = Unit("paradigm", paradigm.suite, paradigm.name)
        paradigm_decisions = decided[paradigm.key]
        tied = paradigm.score_good == paradigm.score_bad
        for condition, model in dict.fromkeys((cell.condition, cell.model) for cell in paradigm.cells):
            rows = [i for i, c in enumerate(paradigm.cells) if (c.condition, c.model) == (condition, model)]
            means = row_means(paradigm_decisions[rows])
            by_seed = {paradigm.cells[i].seed: value for i, value in zip(rows, means, strict=True) if value is not None}
            if not by_seed:
                continue
            missing = np.isnan(paradigm_decisions[rows])
            applicable = int((~missing).all(axis=0).sum())
            accuracies[unit, condition, model] = Accuracy(
                unit,
                condition,
                model,
                by_seed,
                pairs=len(paradigm.item),
                applicable=applicable,
                ties=float(tied[rows].sum() / max(1, (~missing).sum())),
                identical=int(paradigm.identical[rows].any(axis=0).sum()),
                unknown=int(paradigm.unknown[rows].any(axis=0).sum()),
                unscored=int((missing & ~paradigm.identical[rows]).sum(axis=1).max()),
            )
    return accuracies


def given_accuracies(results: Results) -> Accuracies:
    """Return the accuracies given without pairs. The items of predictions are counted in place of pairs."""
    by_seed: dict[tuple[Unit, str, str], dict[int, float]] = {}
    for value in results.given:
        unit = Unit("paradigm", value.suite, value.paradigm)
        by_seed.setdefault((unit, value.condition, value.model), {})[value.seed] = value.value
    accuracies = {key: Accuracy(*key, dict(sorted(seeds.items()))) for key, seeds in by_seed.items()}
    for predicted in results.predicted:
        applicable_items: dict[tuple[Unit, str, str], int] = {}  # items, the least over seeds
        for cell, holds in predicted.holds.items():
            key = Unit("paradigm", predicted.suite, predicted.name), cell.condition, cell.model
            applicable_items[key] = min(applicable_items.get(key, len(holds)), len(holds))
        for key, applicable in applicable_items.items():
            unscored = len(predicted.items) - applicable
            accuracies[key] = replace(
                accuracies[key], pairs=len(predicted.items), applicable=applicable, unscored=unscored
            )
    return accuracies


def group_accuracies(results: Results, accuracies: Accuracies) -> Accuracies:
    """Return `group_mean` over the paradigms of each group for each condition and model."""
    cells = dict.fromkeys((condition, model) for _, condition, model in accuracies)
    group_values = {}
    for group, members in paradigm_groups(results).items():
        for condition, model in cells:
            member_accuracies = [accuracy for m in members if (accuracy := accuracies.get((m, condition, model)))]
            by_seed = group_mean([member.by_seed for member in member_accuracies])
            if by_seed:
                group_values[group, condition, model] = Accuracy(
                    group, condition, model, by_seed, len(member_accuracies)
                )
    return group_values


def contrasts(
    results: Results, accuracies: Accuracies, decided: dict[str, Floats], targets: dict[str, frozenset[str]]
) -> Iterator[Contrast]:
    """Yield each condition's contrasts with its controls and with full, by unit and model, over shared pairs."""
    confidence = results.run.report.confidence
    paradigms = {Unit("paradigm", p.suite, p.name): p for p in results.paradigms}
    compared = [
        (
            condition,
            reference,
            against,
            model,
            paired_accuracies(results, accuracies, decided, (condition, reference), model),
        )
        for condition, (reference, against), model in _comparisons(results)
    ]
    for unit in dict.fromkeys(unit for unit, _, _ in accuracies):
        paradigm = paradigms.get(unit)
        for condition, reference, against, model, by_unit in compared:
            if unit not in by_unit:
                continue
            condition_values, reference_values = by_unit[unit]
            bootstrap_interval = None
            if paradigm is not None:
                paradigm_decisions = decided[paradigm.key]
                first, second = (
                    accuracy_rows(paradigm, accuracies[unit, name, model]) for name in (condition, reference)
                )
                bootstrap_interval = inference.bootstrap(
                    paradigm_decisions[first], paradigm_decisions[second], confidence
                )
            yield Contrast(
                unit,
                condition,
                model,
                reference,
                against,
                paradigm is not None and paradigm.key in targets[condition],
                inference.welch(list(condition_values.values()), list(reference_values.values()), confidence),
                inference.paired(condition_values, reference_values, confidence),
                bootstrap_interval,
            )


def _comparisons(results: Results) -> Iterator[tuple[str, tuple[str, Against], str]]:
    for condition in results.conditions:
        for reference, against in references(results, condition):
            for model in results.models:
                yield condition.name, (reference.name, against), model


def corrected(contrasts: tuple[Contrast, ...]) -> tuple[Contrast, ...]:
    """Apply Holm's and Benjamini and Hochberg's corrections over the targeted contrasts with each kind of reference."""
    adjusted = list(contrasts)
    for against in ("control", "full"):
        family = [i for i, c in enumerate(contrasts) if c.targeted and c.against == against]
        p = [contrasts[i].difference.p for i in family]
        for i, holm, bh in zip(family, inference.holm(p), inference.benjamini_hochberg(p), strict=True):
            adjusted[i] = replace(contrasts[i], holm=holm, bh=bh)
    return tuple(adjusted)


def detectable(
    results: Results,
    accuracies: Accuracies,
    targets: dict[str, frozenset[str]],
) -> Iterator[Detectable]:
    """Yield the pooled SD between seeds and the detectable delta, for all and for targeted cells."""
    compared = {
        (key, name)
        for condition, keys in targets.items()
        for key in keys
        for name in (condition, *(r.name for r, _ in references(results, results.condition(condition))))
    }
    labels: tuple[Literal["targeted", "all"], ...] = ("targeted", "all")
    for model in results.models:
        cells = [a for (u, _, m), a in accuracies.items() if m == model and u.level == "paradigm"]
        targeted = [a for a in cells if (f"{a.unit.suite}/{a.unit.name}", a.condition) in compared]
        for label, group in zip(labels, (targeted, cells), strict=True):
            sd = inference.pooled_sd([list(a.by_seed.values()) for a in group])
            if sd is None:
                continue
            seeds = min(len(a.by_seed) for a in group if len(a.by_seed) > 1)
            delta = inference.minimum_detectable(sd, seeds, seeds, ALPHA)
            yield Detectable(model, label, len(group), sd, seeds, delta)


def unigram_accuracy(analysis: Analysis, unit: Unit) -> float | None:
    """Return the accuracy of the unigram baseline, under full or else the first condition that has it."""
    full = full_condition(analysis.results)
    names = ([full.name] if full else []) + [condition.name for condition in analysis.results.conditions]
    candidates = (analysis.accuracies.get((unit, name, BASELINE)) for name in names)
    return next((accuracy.mean for accuracy in candidates if accuracy is not None), None)
