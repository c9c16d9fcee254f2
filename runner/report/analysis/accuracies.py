"""Judged pairs to accuracies a cell, and to contrasts between conditions with intervals and corrections."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

import numpy as np

from runner.manifest.model import BASELINE
from runner.report.analysis.paired_accuracies import Accuracies, group_mean, groups_of, rows_of, sides
from runner.report.analysis.statistics import (
    Accuracy,
    Against,
    Analysis,
    Contrast,
    Detectable,
    Unit,
    full_of,
    references,
)
from runner.report.results.results import Results
from runner.score.statistics import inference
from runner.score.statistics.inference import Floats
from runner.score.statistics.measures import row_means

ALPHA = 0.05


def paradigm_accuracies(results: Results, judged: dict[str, Floats]) -> Accuracies:
    """Accuracy of each paradigm under each condition and model; `judged`: decisions (cells, items) by key."""
    accuracies = {}
    for paradigm in results.paradigms:
        unit = Unit("paradigm", paradigm.suite, paradigm.name)
        verdicts = judged[paradigm.key]
        tied = paradigm.score_good == paradigm.score_bad
        for condition, model in dict.fromkeys((cell.condition, cell.model) for cell in paradigm.cells):
            rows = [i for i, c in enumerate(paradigm.cells) if (c.condition, c.model) == (condition, model)]
            means = row_means(verdicts[rows])
            by_seed = {paradigm.cells[i].seed: value for i, value in zip(rows, means, strict=True) if value is not None}
            if not by_seed:
                continue
            missing = np.isnan(verdicts[rows])
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
    """Accuracies that were given as such, without pairs; of predictions the items stand for these."""
    by_seed: dict[tuple[Unit, str, str], dict[int, float]] = {}
    for one in results.given:
        unit = Unit("paradigm", one.suite, one.paradigm)
        by_seed.setdefault((unit, one.condition, one.model), {})[one.seed] = one.value
    found = {key: Accuracy(*key, dict(sorted(seeds.items()))) for key, seeds in by_seed.items()}
    for predicted in results.predicted:
        known: dict[tuple[Unit, str, str], int] = {}  # items, the least over seeds
        for cell, holds in predicted.holds.items():
            key = Unit("paradigm", predicted.suite, predicted.name), cell.condition, cell.model
            known[key] = min(known.get(key, len(holds)), len(holds))
        for key, applicable in known.items():
            unscored = len(predicted.items) - applicable
            found[key] = replace(found[key], pairs=len(predicted.items), applicable=applicable, unscored=unscored)
    return found


def group_accuracies(results: Results, accuracies: Accuracies) -> Accuracies:
    """Unweighted means over the paradigms that a condition and model have, seed by seed, as `group_mean`."""
    cells = dict.fromkeys((condition, model) for _, condition, model in accuracies)
    found = {}
    for group, members in groups_of(results).items():
        for condition, model in cells:
            parts = [one for m in members if (one := accuracies.get((m, condition, model)))]
            by_seed = group_mean([part.by_seed for part in parts])
            if by_seed:
                found[group, condition, model] = Accuracy(group, condition, model, by_seed, len(parts))
    return found


def contrasts(
    results: Results, accuracies: Accuracies, judged: dict[str, Floats], targets: dict[str, frozenset[str]]
) -> Iterator[Contrast]:
    """Every condition against its controls and against full, for each unit and model, over what both sides have."""
    confidence = results.run.report.confidence
    paradigms = {Unit("paradigm", p.suite, p.name): p for p in results.paradigms}
    compared = [
        (condition, reference, against, model, sides(results, accuracies, judged, (condition, reference), model))
        for condition, (reference, against), model in _comparisons(results)
    ]
    for unit in dict.fromkeys(unit for unit, _, _ in accuracies):
        paradigm = paradigms.get(unit)
        for condition, reference, against, model, both in compared:
            if unit not in both:
                continue
            ours, theirs = both[unit]
            boot = None
            if paradigm is not None:
                decided = judged[paradigm.key]
                first, second = (rows_of(paradigm, accuracies[unit, name, model]) for name in (condition, reference))
                boot = inference.bootstrap(decided[first], decided[second], confidence)
            yield Contrast(
                unit,
                condition,
                model,
                reference,
                against,
                paradigm is not None and paradigm.key in targets[condition],
                inference.welch(list(ours.values()), list(theirs.values()), confidence),
                inference.paired(ours, theirs, confidence),
                boot,
            )


def _comparisons(results: Results) -> Iterator[tuple[str, tuple[str, Against], str]]:
    for condition in results.conditions:
        for reference, against in references(results, condition):
            for model in results.models:
                yield condition.name, (reference.name, against), model


def corrected(contrasts: tuple[Contrast, ...]) -> tuple[Contrast, ...]:
    """Holm and Benjamini-Hochberg, one family for each kind of reference: its targeted contrasts."""
    changed = list(contrasts)
    for against in ("control", "full"):
        family = [i for i, c in enumerate(contrasts) if c.targeted and c.against == against]
        p = [contrasts[i].difference.p for i in family]
        for i, holm, bh in zip(family, inference.holm(p), inference.benjamini_hochberg(p), strict=True):
            changed[i] = replace(contrasts[i], holm=holm, bh=bh)
    return tuple(changed)


def detectable(
    results: Results,
    accuracies: Accuracies,
    targets: dict[str, frozenset[str]],
) -> Iterator[Detectable]:
    """SD between seeds pooled over (paradigm, condition), for all cells and for those that a target compares."""
    compared = {
        (key, name)
        for condition, keys in targets.items()
        for key in keys
        for name in (condition, *(r.name for r, _ in references(results, results.condition(condition))))
    }
    labels: tuple[Literal["targeted", "all"], ...] = ("targeted", "all")
    for model in results.models:
        cells = [a for (u, _, m), a in accuracies.items() if m == model and u.level == "paradigm"]
        wanted = [a for a in cells if (f"{a.unit.suite}/{a.unit.name}", a.condition) in compared]
        for label, group in zip(labels, (wanted, cells), strict=True):
            sd = inference.pooled_sd([list(a.by_seed.values()) for a in group])
            if sd is None:
                continue
            seeds = min(len(a.by_seed) for a in group if len(a.by_seed) > 1)
            delta = inference.minimum_detectable(sd, seeds, seeds, ALPHA)
            yield Detectable(model, label, len(group), sd, seeds, delta)


def baseline(analysis: Analysis, unit: Unit) -> float | None:
    """Accuracy of the unigram baseline: under the full condition, else under the first that has it."""
    full = full_of(analysis.results)
    names = ([full.name] if full else []) + [condition.name for condition in analysis.results.conditions]
    found = (analysis.accuracies.get((unit, name, BASELINE)) for name in names)
    return next((one.mean for one in found if one is not None), None)
