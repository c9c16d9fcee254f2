"""Two conditions of a model to the sides of their contrasts: accuracies by seed over what both were scored on."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from runner.manifest.model import BASELINE
from runner.report.analysis.statistics import Accuracy, Analysis, Unit
from runner.report.render import format as write
from runner.report.results.items import Paradigm
from runner.report.results.results import Results
from runner.score.statistics.inference import Floats
from runner.score.statistics.measures import row_means
from runner.score.suites.winobias import opposed

BySeed = dict[int, float]
Accuracies = dict[tuple[Unit, str, str], Accuracy]  # by unit, condition, model


def groups_of(results: Results) -> dict[Unit, list[Unit]]:
    """The paradigms of each suite, phenomenon and field."""
    groups: dict[Unit, list[Unit]] = {}
    for paradigm in results.paradigms:
        member = Unit("paradigm", paradigm.suite, paradigm.name)
        pooled = not opposed(paradigm.name)
        if pooled:
            groups.setdefault(Unit("suite", paradigm.suite, paradigm.suite), []).append(member)
        if paradigm.phenomenon and pooled:
            groups.setdefault(Unit("phenomenon", paradigm.suite, paradigm.phenomenon), []).append(member)
        if paradigm.field:
            groups.setdefault(Unit("field", paradigm.suite, paradigm.field), []).append(member)
    return groups


def group_mean(parts: Sequence[Mapping[int, float]]) -> BySeed:
    """The unweighted mean seed by seed; a seed counts where all parts have it."""
    seeds = set.intersection(*(set(part) for part in parts)) if parts else set()
    return {seed: math.fsum(part[seed] for part in parts) / len(parts) for seed in sorted(seeds)}


def sides(
    results: Results, accuracies: Accuracies, judged: Mapping[str, Floats], names: tuple[str, str], model: str
) -> dict[Unit, tuple[BySeed, BySeed]]:
    """Accuracies by seed of two conditions: of a paradigm over the pairs that apply to every seed of both, as the
    bootstrap takes them; of a group over the paradigms that both have. `judged`: decisions (cells, items) by key.
    """
    found: dict[Unit, tuple[BySeed, BySeed]] = {}
    for paradigm in results.paradigms:
        unit = Unit("paradigm", paradigm.suite, paradigm.name)
        ours, theirs = (accuracies.get((unit, name, model)) for name in names)
        if ours is None or theirs is None:
            continue
        if len(paradigm.item):
            first, second = (judged[paradigm.key][rows_of(paradigm, one)] for one in (ours, theirs))
            both = ~(np.isnan(first).any(axis=0) | np.isnan(second).any(axis=0))
            if both.any():
                found[unit] = _by_seed(ours, first[:, both]), _by_seed(theirs, second[:, both])
        else:
            found[unit] = ours.by_seed, theirs.by_seed
    for group, members in groups_of(results).items():
        parts = [found[member] for member in members if member in found]
        means = group_mean([part[0] for part in parts]), group_mean([part[1] for part in parts])
        if all(means):
            found[group] = means
    return found


def rows_of(paradigm: Paradigm, one: Accuracy) -> list[int]:
    """The rows of a paradigm that an accuracy of it is made of, in order of its seeds."""
    wanted = {(one.condition, one.model, seed) for seed in one.by_seed}
    return [i for i, cell in enumerate(paradigm.cells) if (cell.condition, cell.model, cell.seed) in wanted]


def _by_seed(one: Accuracy, decided: Floats) -> BySeed:
    return {seed: mean for seed, mean in zip(one.by_seed, row_means(decided), strict=True) if mean is not None}


def uneven(analysis: Analysis) -> Iterator[str]:
    """Remarks: which suites were not scored whole, which not by the same seeds, and which paradigms not by the same
    pairs, everywhere."""
    suites = {unit: len(members) for unit, members in groups_of(analysis.results).items() if unit.level == "suite"}
    partial = [
        f"{one.condition}, {one.model}: {one.pairs} of {suites[unit]} of {unit.name}"
        for (unit, _, model), one in analysis.accuracies.items()
        if model != BASELINE and one.pairs < suites.get(unit, 0)
    ]
    if partial:
        yield (
            f"Not all paradigms have accuracies everywhere ({write.some(partial)}): a mean is over the paradigms that "
            "are there, a contrast of means over those that both sides have."
        )
    lost = list(_lost(analysis))
    if lost:
        yield (
            f"Paradigms do not all have the same seeds ({write.some(lost)}): a mean over paradigms is over the seeds "
            "that all of them have, and where there is none, it is missing."
        )
    apart = [paradigm.name for paradigm in analysis.results.paradigms if _apart(paradigm)]
    if apart:
        yield (
            f"Tokenizers or scores make other pairs applicable to some cells than to others ({write.some(apart)}): an "
            "accuracy is over the cell's own pairs, a contrast of conditions over the pairs that apply to both."
        )


def _lost(analysis: Analysis) -> Iterator[str]:
    """Means that have fewer seeds than are in their paradigms, whole suites first."""
    cells = dict.fromkeys((condition, model) for _, condition, model in analysis.accuracies if model != BASELINE)
    groups = sorted(groups_of(analysis.results).items(), key=lambda group: group[0].level != "suite")
    for unit, members in groups:
        for condition, model in cells:
            parts = [one.by_seed for member in members if (one := analysis.accuracies.get((member, condition, model)))]
            seeds, kept = set().union(*parts), group_mean(parts)
            if len(kept) < len(seeds):
                yield f"{condition}, {model}: {len(kept)} of {len(seeds)} of {unit.name}"


def _apart(paradigm: Paradigm) -> bool:
    trained = [i for i, cell in enumerate(paradigm.cells) if cell.model != BASELINE]
    missing = np.isnan(paradigm.score_good[trained]) | np.isnan(paradigm.score_bad[trained])
    return bool((missing != missing[:1]).any())
