"""Changes between conditions: by unit with intervals and verdicts, and over all targeted paradigms."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from runner.report.analysis.paired_accuracies import Accuracies, pooled_sides, sides
from runner.report.analysis.statistics import Against, Contrast, Detectable, Headline, Unit, references
from runner.report.results.results import Results
from runner.score.statistics import inference
from runner.score.statistics.change import Verdict, over_phenomena, verdict
from runner.score.statistics.inference import Difference, Floats
from runner.score.statistics.intervals import intervals
from runner.score.statistics.method import Sides
from runner.score.statistics.power import limits, variances

ALPHA = 0.05
OVER_SEEDS = "over seeds only"
Targets = Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Compared:
    """A condition and a reference, with both sides of every unit that they share."""

    condition: str
    reference: str
    against: Against
    model: str
    sides: Mapping[Unit, Sides]


@dataclass(frozen=True, slots=True)
class TargetedCell:
    """A targeted paradigm under a condition and its main reference."""

    unit: Unit
    sides: Sides
    against: Against


def changes(
    results: Results, accuracies: Accuracies, decided: Mapping[str, Floats], targets: Targets
) -> tuple[tuple[Contrast, ...], tuple[Headline, ...]]:
    """Return every contrast by unit, with verdicts of the targeted ones, and the headlines.

    `decided` has a matrix of decisions (cells, items) for each paradigm key. One comparison is in memory at a time.
    """
    by_unit: dict[Unit, list[Contrast]] = {}
    chosen: dict[tuple[str, str], dict[Unit, TargetedCell]] = {}  # by condition and model; controls before full
    for each in _compared(results, accuracies, decided):
        for unit, both in each.sides.items():
            targeted = unit.level == "paradigm" and f"{unit.suite}/{unit.name}" in targets[each.condition]
            by_unit.setdefault(unit, []).append(_contrast(each, unit, both, targeted=targeted))
            if targeted:
                cell = TargetedCell(unit, both, each.against)
                chosen.setdefault((each.condition, each.model), {}).setdefault(unit, cell)
    found = corrected(results, tuple(contrast for group in by_unit.values() for contrast in group))
    cells = {key: tuple(group.values()) for key, group in chosen.items()}
    return found, tuple(headlines(results, cells))


def _compared(results: Results, accuracies: Accuracies, decided: Mapping[str, Floats]) -> Iterator[Compared]:
    for condition in results.conditions:
        for reference, against in references(results, condition):
            for model in results.models:
                both = sides(results, accuracies, decided, (condition.name, reference.name), model)
                yield Compared(condition.name, reference.name, against, model, both)


def _contrast(each: Compared, unit: Unit, both: Sides, *, targeted: bool) -> Contrast:
    methods = intervals(both)
    difference = main_interval(methods)
    found = variances(both)
    return Contrast(
        unit, each.condition, each.model, each.reference, each.against, targeted, difference, methods, found
    )


def main_interval(methods: Mapping[str, Difference]) -> Difference:
    """Return the change with the interval of the report: over seeds and items, else over seeds only."""
    return methods.get("crossed") or replace(methods["welch"], method=OVER_SEEDS)


def corrected(results: Results, found: tuple[Contrast, ...]) -> tuple[Contrast, ...]:
    """Adjust the p-values of a model's targeted contrasts over all conditions, and derive the verdicts from them.

    Contrasts with controls and with full are separate families (Holm 1979, Benjamini and Hochberg 1995).
    """
    adjusted = list(found)
    for family in dict.fromkeys((c.model, c.against) for c in found if c.targeted):
        members = [i for i, c in enumerate(found) if c.targeted and (c.model, c.against) == family]
        p = [found[i].difference.p for i in members]
        for i, holm, bh in zip(members, inference.holm(p), inference.benjamini_hochberg(p), strict=True):
            contrast = replace(found[i], holm=holm, bh=bh)
            adjusted[i] = replace(contrast, verdict=_verdict(results, contrast.difference, holm))
    return tuple(adjusted)


def _verdict(results: Results, difference: Difference, adjusted_p: float | None) -> Verdict:
    margin = None if difference.method == OVER_SEEDS else results.run.report.equivalence / 100
    return verdict(difference.low, difference.high, margin, adjusted_p, ALPHA)


def headlines(results: Results, cells: Mapping[tuple[str, str], tuple[TargetedCell, ...]]) -> Iterator[Headline]:
    """Yield the mean change over targeted paradigms: by condition, over all, and over phenomena if there are 8.

    `cells` are the targeted paradigms by condition and model. They are fixed and have equal weights. The mean over them
    is computed for each seed first. Each condition is compared with its control, or with full if it has none.
    """
    for model in results.models:
        by_condition = {name: group for (name, of), group in cells.items() if of == model}
        for condition, group in by_condition.items():
            yield from _headline(results, condition, model, group)
        every = tuple(cell for group in by_condition.values() for cell in group)
        if len(by_condition) > 1:
            yield from _headline(results, "", model, every)
        if every:
            yield from _over_phenomena(results, model, every)


def _headline(results: Results, condition: str, model: str, cells: Sequence[TargetedCell]) -> Iterator[Headline]:
    pooled = pooled_sides([cell.sides for cell in cells])
    if pooled is not None:
        difference = main_interval(intervals(pooled))
        read = _verdict(results, difference, difference.p)
        yield Headline(condition, model, _against(cells), len(cells), difference, read)


def _over_phenomena(results: Results, model: str, cells: Sequence[TargetedCell]) -> Iterator[Headline]:
    phenomenon_by_key = {p.key: p.phenomenon or p.name for p in results.paradigms}
    names = [phenomenon_by_key[f"{cell.unit.suite}/{cell.unit.name}"] for cell in cells]
    means = [
        np.asarray([_mean(side) for side in side_by_cell])
        for side_by_cell in zip(*((cell.sides.a, cell.sides.b) for cell in cells), strict=True)
    ]
    found = over_phenomena(means[0] - means[1], names, results.run.report.confidence)
    if found is None:
        return
    seeds = min(len(cell.sides.a) for cell in cells), min(len(cell.sides.b) for cell in cells)
    ends = (found.se, found.df, found.low, found.high, found.p)
    difference = Difference(
        found.estimate, float(means[0].mean()), float(means[1].mean()), *seeds, *ends, method="over phenomena"
    )
    read = _verdict(results, difference, found.p)
    yield Headline("", model, _against(cells), len(set(names)), difference, read, phenomena=True)


def _against(cells: Sequence[TargetedCell]) -> Against:
    return "control" if all(cell.against == "control" for cell in cells) else "full"


def _mean(by_seed: Mapping[int, float]) -> float:
    return math.fsum(by_seed.values()) / len(by_seed)


def detectable(results: Results, accuracies: Accuracies, found: Sequence[Contrast]) -> Iterator[Detectable]:
    """Yield what the intervals of a model can detect and prove, for all and for targeted paradigms."""
    labels: tuple[Literal["targeted", "all"], ...] = ("targeted", "all")
    for model in results.models:
        paradigms = [c for c in found if c.model == model and c.unit.level == "paradigm" and c.difference.se]
        for label, group in zip(labels, ([c for c in paradigms if c.targeted], paradigms), strict=True):
            shifts = [shift for c in group if (shift := contrast_limits(c, results.run.report.confidence))]
            if shifts:
                cells = {(c.unit, name, model) for c in group for name in (c.condition, c.reference)}
                sd = inference.pooled_sd([list(accuracies[cell].by_seed.values()) for cell in cells])
                seeds = min(min(c.difference.n_a, c.difference.n_b) for c in group)
                medians = (float(np.median(values)) for values in zip(*shifts, strict=True))
                yield Detectable(model, label, len(group), sd, seeds, *medians)


def contrast_limits(contrast: Contrast, confidence: float) -> tuple[float, float] | None:
    """Return what a contrast's interval can detect and prove (`power.limits`), or None without a variance."""
    difference = contrast.difference
    return limits(difference.se, difference.df, confidence) if difference.se and difference.df else None


def pilot(found: Sequence[Contrast]) -> list[Contrast]:
    """Return the contrasts for planning another run: those of targeted paradigms, or all if none is targeted.

    A paradigm counts once for each condition and model, against its control or else full.
    """
    paradigms = [c for c in found if c.unit.level == "paradigm" and c.variances is not None]
    chosen: dict[tuple[Unit, str, str], Contrast] = {}
    for contrast in [c for c in paradigms if c.targeted] or paradigms:
        chosen.setdefault((contrast.unit, contrast.condition, contrast.model), contrast)
    return list(chosen.values())
