"""Accuracies of paradigms and groups, by condition, model and seed, over the pairs with scores for both sides."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce

import numpy as np

from runner import formatting
from runner.report.results import Results
from runner.report.statistics import Accuracy, Analysis, Unit
from runner.score.convention import UNIGRAM
from runner.score.inference import Floats
from runner.score.intervals import Sides
from runner.score.measures import mean, row_means
from runner.score.pair_formats import stands_alone
from runner.score.pair_matrices import Paradigm

MIN_PAIRS = 2  # with one pair, nothing is known about others
Accuracies = dict[tuple[Unit, str, str], Accuracy]  # by unit, condition, model


def paradigm_groups(results: Results) -> dict[Unit, list[Unit]]:
    """Return the paradigms of each suite, phenomenon and field. Single-gender paradigms are in fields only."""
    groups: dict[Unit, list[Unit]] = {}
    for paradigm in results.paradigms:
        member = Unit.of(paradigm)
        in_means = not stands_alone(paradigm.name)
        if in_means:
            groups.setdefault(Unit("suite", paradigm.suite, paradigm.suite), []).append(member)
        if paradigm.phenomenon and in_means:
            groups.setdefault(Unit("phenomenon", paradigm.suite, paradigm.phenomenon), []).append(member)
        if paradigm.field:
            groups.setdefault(Unit("field", paradigm.suite, paradigm.field), []).append(member)
    return groups


def group_mean(members: Sequence[Mapping[int, float]]) -> dict[int, float]:
    """Return the unweighted mean over members, whose values are by seed, for each seed that all members share."""
    seeds = set.intersection(*(set(by_seed) for by_seed in members)) if members else set()
    return {seed: math.fsum(by_seed[seed] for by_seed in members) / len(members) for seed in sorted(seeds)}


def sides(
    results: Results, accuracies: Accuracies, decisions: Mapping[str, Floats], names: tuple[str, str], model: str
) -> dict[Unit, Sides]:
    """Return accuracies by seed and decisions of two conditions, over pairs that apply to every seed of both."""
    sides_by_unit: dict[Unit, Sides] = {}
    for paradigm in results.paradigms:
        unit = Unit.of(paradigm)
        pair = [accuracies.get((unit, name, model)) for name in names]
        if pair[0] is None or pair[1] is None:
            continue
        paradigm_sides = _paradigm_sides(results, paradigm, decisions[paradigm.key], (pair[0], pair[1]))
        if paradigm_sides is not None:
            sides_by_unit[unit] = paradigm_sides
    for group, members in paradigm_groups(results).items():
        pooled = pooled_sides([sides_by_unit[member] for member in members if member in sides_by_unit])
        if pooled is not None:
            sides_by_unit[group] = pooled
    return sides_by_unit


def pooled_sides(members: Sequence[Sides]) -> Sides | None:
    a, b = group_mean([member.a for member in members]), group_mean([member.b for member in members])
    if not a or not b:
        return None
    decisions: tuple[tuple[Floats, Floats], ...] = ()
    if all(member.decisions for member in members):
        member_decisions = [member.of_seeds(tuple(a), tuple(b)) for member in members]
        decisions = tuple(pair for first, second in member_decisions for pair in zip(first, second, strict=True))
    items = tuple(paradigm_items for member in members for paradigm_items in member.items)
    return Sides(a, b, decisions, all(member.seeds_paired for member in members), members[0].confidence, items)


def mean_over_conditions(members: Sequence[Sides]) -> Sides | None:
    """Return both sides of a paradigm averaged over conditions, for the seeds and at least two pairs that all share."""
    if len(members) == 1:
        return members[0]
    a, b = group_mean([member.a for member in members]), group_mean([member.b for member in members])
    seeds_paired, confidence = all(member.seeds_paired for member in members), members[0].confidence
    if not a or not b:
        return None
    if not all(member.decisions for member in members):
        return Sides(a, b, (), seeds_paired, confidence)
    items = reduce(np.intersect1d, [member.items[0] for member in members])
    if len(items) < MIN_PAIRS:
        return None
    member_decisions = [
        [side[0][:, np.searchsorted(member.items[0], items)] for side in member.of_seeds(tuple(a), tuple(b))]
        for member in members
    ]
    first, second = (np.mean(decisions, axis=0) for decisions in zip(*member_decisions, strict=True))
    a, b = (dict(zip(side, rows.mean(axis=1).tolist(), strict=True)) for side, rows in ((a, first), (b, second)))
    return Sides(a, b, ((first, second),), seeds_paired, confidence, (items,))


def _paradigm_sides(
    results: Results, paradigm: Paradigm, decisions: Floats, pair: tuple[Accuracy, Accuracy]
) -> Sides | None:
    confidence = results.confidence
    if not len(paradigm.item):
        return Sides(pair[0].by_seed, pair[1].by_seed, (), results.seeds_paired, confidence)
    first, second = (decisions[accuracy_rows(paradigm, accuracy)] for accuracy in pair)
    applicable = ~(np.isnan(first).any(axis=0) | np.isnan(second).any(axis=0))
    if np.count_nonzero(applicable) < MIN_PAIRS:
        return None
    first, second = first[:, applicable], second[:, applicable]
    a, b = (
        {seed: mean for seed, mean in zip(accuracy.by_seed, row_means(rows), strict=True) if mean is not None}
        for accuracy, rows in zip(pair, (first, second), strict=True)
    )
    seeds_paired = results.seeds_are_paired(pair[0].model, *(side.condition for side in pair))
    return Sides(a, b, ((first, second),), seeds_paired, confidence, (np.flatnonzero(applicable),))


def accuracy_rows(paradigm: Paradigm, accuracy: Accuracy) -> list[int]:
    rows = {paradigm.cells[row].seed: row for row in paradigm.rows(accuracy.condition, accuracy.model)}
    return [rows[seed] for seed in accuracy.by_seed]


def coverage_remarks(analysis: Analysis) -> Iterator[str]:
    suite_sizes = {
        unit: len(members) for unit, members in paradigm_groups(analysis.results).items() if unit.level == "suite"
    }
    incomplete = [
        f"{accuracy.condition}, {accuracy.model}: {accuracy.size} of {suite_sizes[unit]} of {unit.name}"
        for (unit, _, model), accuracy in analysis.accuracies.items()
        if model != UNIGRAM and accuracy.size < suite_sizes.get(unit, 0)
    ]
    if incomplete:
        yield (
            f"Not all paradigms have accuracies everywhere ({formatting.abbreviated(incomplete)}). A mean is computed "
            "over the available paradigms, a contrast of means over those that both sides have."
        )
    missing_seeds = list(_missing_seeds(analysis))
    if missing_seeds:
        yield (
            f"Paradigms do not all have the same seeds ({formatting.abbreviated(missing_seeds)}). A mean "
            "over paradigms is computed over the seeds that all of them share. Without a shared seed it is missing."
        )
    small = [analysis.label(unit) for unit in small_paradigms(analysis)]
    if small:
        yield (
            f"Fewer than two scored pairs: {formatting.abbreviated(small)}. No test and no mean change includes such a "
            "paradigm."
        )
    uneven = []
    for paradigm in analysis.results.paradigms:
        trained = [i for i, cell in enumerate(paradigm.cells) if cell.model != UNIGRAM]
        is_missing = np.isnan(paradigm.score_good[trained]) | np.isnan(paradigm.score_bad[trained])
        if (is_missing != is_missing[:1]).any():
            uneven.append(paradigm.name)
    if uneven:
        yield (
            f"Tokenizers or scores make different pairs applicable in different cells "
            f"({formatting.abbreviated(uneven)}). "
            "An accuracy is computed over the cell's own pairs, a contrast over the pairs that apply to both sides."
        )


def small_paradigms(analysis: Analysis) -> list[Unit]:
    """Return the paradigms of pairs of which fewer than two apply to all seeds of some condition and model."""
    with_pairs = {Unit.of(p) for p in analysis.results.paradigms if len(p.item)}
    small = [
        unit
        for (unit, _, model), accuracy in analysis.accuracies.items()
        if unit in with_pairs and model != UNIGRAM and accuracy.applicable < MIN_PAIRS
    ]
    return list(dict.fromkeys(small))


def _missing_seeds(analysis: Analysis) -> Iterator[str]:
    cells = dict.fromkeys((condition, model) for _, condition, model in analysis.accuracies if model != UNIGRAM)
    groups = sorted(paradigm_groups(analysis.results).items(), key=lambda group: group[0].level != "suite")
    for unit, members in groups:
        for cell in cells:
            found = [accuracy for member in members if (accuracy := analysis.accuracies.get((member, *cell)))]
            by_seed = [accuracy.by_seed for accuracy in found]
            seeds, mean_by_seed = set().union(*by_seed), group_mean(by_seed)
            if len(mean_by_seed) < len(seeds):
                yield f"{', '.join(cell)}: {len(mean_by_seed)} of {len(seeds)} of {unit.name}"


def paradigm_accuracies(results: Results, decisions: dict[str, Floats]) -> Accuracies:
    """Return the accuracy of each paradigm; `decisions` has a matrix (cells, items) for each paradigm key."""
    accuracies = {}
    for paradigm in results.paradigms:
        unit, is_tie = Unit.of(paradigm), paradigm.score_good == paradigm.score_bad
        for condition, model in dict.fromkeys((cell.condition, cell.model) for cell in paradigm.cells):
            rows = paradigm.rows(condition, model)
            decided = decisions[paradigm.key][rows]
            means = zip(rows, row_means(decided), strict=True)
            by_seed = {paradigm.cells[row].seed: value for row, value in means if value is not None}
            if not by_seed:
                continue
            is_missing, identical = np.isnan(decided), paradigm.identical[rows]
            accuracies[unit, condition, model] = Accuracy(
                *(unit, condition, model, by_seed),
                size=len(paradigm.item),
                applicable=int((~is_missing).all(axis=0).sum()),
                ties=float(is_tie[rows].sum() / max(1, (~is_missing & ~identical).sum())),
                identical=int(identical.any(axis=0).sum()),
                told_apart=mean(row_means(np.where(identical, np.nan, decided))),
                unknown_word_pairs=int(paradigm.unknown[rows].any(axis=0).sum()),
                unscored=int((is_missing & ~identical).sum(axis=1).max()),
            )
    return accuracies


def imported_accuracies(results: Results) -> Accuracies:
    """Return the accuracies of paradigms without minimal pairs. Items are counted in place of pairs."""
    values: dict[tuple[Unit, str, str], dict[int, float]] = {}
    for value in results.imported:
        key = Unit("paradigm", value.suite, value.paradigm), value.condition, value.model
        values.setdefault(key, {})[value.seed] = value.value
    accuracies = {key: Accuracy(*key, dict(sorted(by_seed.items()))) for key, by_seed in values.items()}
    for matrix in results.matrices:
        for cell, (size, applicable) in matrix.item_counts().items():
            key = Unit.of(matrix), *cell
            accuracies[key] = replace(accuracies[key], size=size, applicable=applicable, unscored=size - applicable)
    return accuracies


def group_accuracies(results: Results, accuracies: Accuracies) -> Accuracies:
    cells = dict.fromkeys((condition, model) for _, condition, model in accuracies)
    means = {}
    for group, members in paradigm_groups(results).items():
        for cell in cells:
            found = [accuracy for member in members if (accuracy := accuracies.get((member, *cell)))]
            if by_seed := group_mean([accuracy.by_seed for accuracy in found]):
                means[group, *cell] = Accuracy(group, *cell, by_seed, len(found))
    return means


def unigram_accuracy(analysis: Analysis, unit: Unit) -> float | None:
    """Return the accuracy of the unigram baseline, under the full condition or the first condition that has one."""
    full = analysis.full
    names = ([full.name] if full else []) + [condition.name for condition in analysis.results.conditions]
    candidates = (analysis.accuracies.get((unit, name, UNIGRAM)) for name in names)
    return next((accuracy.mean for accuracy in candidates if accuracy is not None), None)
