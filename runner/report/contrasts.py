"""Changes between conditions: contrasts of each unit with intervals and verdicts, and means of units."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import chain, groupby
from typing import Literal

import numpy as np

from runner.report.accuracies import Accuracies, mean_over_conditions, pooled_sides, sides
from runner.report.records import Condition
from runner.report.results import Results
from runner.report.statistics import Contrast, DetectableChange, Headline, ReferenceKind, Unit, references
from runner.score import inference
from runner.score.change import (
    MIN_AGREEING_SEEDS,
    MIN_PAIRED_SEEDS,
    Verdict,
    over_phenomena,
    variance_over_seeds,
    verdict,
)
from runner.score.inference import Difference, Floats
from runner.score.intervals import Sides, intervals
from runner.score.power import pooled, power_limits, variances

ALPHA = 0.05
OVER_SEEDS = "over seeds only"
Targets = Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class TargetedCell:
    unit: Unit
    sides: Sides
    reference_kinds: tuple[ReferenceKind, ...]


def changes(
    results: Results,
    accuracies: Accuracies,
    decisions: Mapping[str, Floats],
    targets: Targets,
    unlearned: Set[tuple[str, str]] = frozenset(),
) -> tuple[tuple[Contrast, ...], tuple[Headline, ...]]:
    """Return contrasts, with verdicts for targeted paradigms, and headlines. `unlearned` cells are not tested."""
    by_unit: dict[Unit, list[Contrast]] = {}
    # by condition and model; `references` yields controls first, so a control takes precedence over full
    targeted_cells: dict[tuple[str, str], dict[Unit, TargetedCell]] = {}
    for condition in results.conditions:
        name = condition.name
        for reference, kind in references(results, condition):
            for model in results.models:
                is_void = _is_void(results, condition, reference, model, unlearned)
                for unit, both in sides(results, accuracies, decisions, (name, reference.name), model).items():
                    targeted, methods = is_target(targets, unit, name), intervals(both)
                    contrast = Contrast(
                        *(unit, name, model, reference.name, kind, targeted),
                        main_interval(methods),
                        methods,
                        variances(both),
                        verdict="not tested" if targeted and is_void else None,
                    )
                    by_unit.setdefault(unit, []).append(contrast)
                    if targeted:
                        cell = TargetedCell(unit, both, (kind,))
                        targeted_cells.setdefault((name, model), {}).setdefault(unit, cell)
    contrasts = corrected(results, tuple(contrast for group in by_unit.values() for contrast in group))
    cells = {key: tuple(group.values()) for key, group in targeted_cells.items()}
    return contrasts, corrected_headlines(results, tuple(headlines(results, cells)), contrasts)


def _is_void(
    results: Results, condition: Condition, reference: Condition, model: str, unlearned: Set[tuple[str, str]]
) -> bool:
    """Return whether the model is no better than word frequencies under full or on a side, but by a perturbation."""
    conditions = [*([results.full] if results.full else []), reference]
    conditions += [condition] if condition.kind != "perturb" else []
    return any((each.name, model) in unlearned for each in conditions)


def is_target(targets: Targets, unit: Unit, condition: str) -> bool:
    return unit.level == "paradigm" and unit.key in targets.get(condition, ())


def main_interval(methods: Mapping[str, Difference]) -> Difference:
    """Return the change with the interval that the report shows: over seeds and items, or over seeds only."""
    return methods.get("crossed") or replace(methods["welch"], method=OVER_SEEDS)


def corrected(results: Results, contrasts: tuple[Contrast, ...]) -> tuple[Contrast, ...]:
    """Adjust the p-values of a model's targeted contrasts over all conditions, and derive the verdicts from them.

    A family has the main contrasts: with the control or, without one, with full. Any other contrast is adjusted over
    all contrasts with the same kind of reference (Holm 1979, Benjamini and Hochberg 1995).
    """
    adjusted = list(contrasts)
    targeted = [i for i, contrast in enumerate(contrasts) if contrast.targeted and contrast.verdict is None]
    main = {(contrasts[i].unit, contrasts[i].condition, contrasts[i].model): i for i in reversed(targeted)}.values()
    for model in dict.fromkeys(contrasts[i].model for i in targeted):
        own = [i for i in targeted if contrasts[i].model == model]
        families = [[i for i in own if contrasts[i].reference_kind == kind] for kind in ("full", "control")]
        # the last family is that of the main contrasts, whose values replace the others
        for family in (*families, [i for i in own if i in main]):
            p_values = [contrasts[i].difference.p for i in family]
            values = zip(family, inference.holm(p_values), inference.benjamini_hochberg(p_values), strict=True)
            for i, holm, bh in values:
                verdict = _verdict(results, contrasts[i].difference, holm)
                adjusted[i] = replace(contrasts[i], holm=holm, bh=bh, verdict=verdict)
    return tuple(adjusted)


def _verdict(results: Results, difference: Difference, adjusted_p: float | None) -> Verdict:
    agree = difference.se == 0 and min(difference.n_a, difference.n_b) < MIN_AGREEING_SEEDS
    margin = None if difference.method == OVER_SEEDS or agree else results.run.report.equivalence / 100
    return verdict(difference.low, difference.high, margin, adjusted_p, ALPHA)


def corrected_headlines(
    results: Results, headlines: tuple[Headline, ...], contrasts: Sequence[Contrast]
) -> tuple[Headline, ...]:
    main_contrasts = {(c.condition, c.model): c for c in reversed(contrasts) if c.targeted}
    untested = {(c.model, name) for c in contrasts if c.verdict == "not tested" for name in (c.condition, "")}
    adjusted: list[Headline] = []
    for _, group in groupby(headlines, key=lambda headline: (headline.model, bool(headline.condition))):
        family = [*group]
        p_values = [None if (h.model, h.condition) in untested else h.difference.p for h in family]
        holm_values = inference.holm(p_values) if family[0].condition else p_values
        for headline, holm in zip(family, holm_values, strict=True):
            if (headline.model, headline.condition) in untested:
                adjusted.append(replace(headline, verdict="not tested"))
            elif headline.condition and headline.count == 1:
                contrast = main_contrasts[headline.condition, headline.model]
                adjusted.append(replace(headline, holm=contrast.holm, verdict=contrast.verdict or "undecided"))
            else:
                verdict = _verdict(results, headline.difference, holm)
                adjusted.append(replace(headline, holm=holm, verdict=verdict))
    return tuple(adjusted)


def headlines(results: Results, cells: Mapping[tuple[str, str], tuple[TargetedCell, ...]]) -> Iterator[Headline]:
    """Yield the mean change over targeted paradigms: of each condition, of all, and over 8 or more phenomena.

    Paradigms have equal weights and, except over phenomena, are fixed effects. A paradigm that several conditions
    target is first averaged over them, since its pairs are the same ones.
    """
    for model in results.models:
        by_condition = {name: group for (name, cell_model), group in cells.items() if cell_model == model}
        for condition, group in by_condition.items():
            yield from _headline(condition, model, group)
        all_cells = _averaged_over_conditions(by_condition.values())
        if len(by_condition) > 1:
            yield from _headline("", model, all_cells)
        if all_cells:
            yield from _over_phenomena(results, model, all_cells)


def _averaged_over_conditions(groups: Iterable[Sequence[TargetedCell]]) -> tuple[TargetedCell, ...]:
    cells_by_unit: dict[Unit, list[TargetedCell]] = {}
    for cell in chain.from_iterable(groups):
        cells_by_unit.setdefault(cell.unit, []).append(cell)
    means = {unit: mean_over_conditions([cell.sides for cell in cells]) for unit, cells in cells_by_unit.items()}
    return tuple(
        TargetedCell(unit, mean, _references(cells_by_unit[unit])) for unit, mean in means.items() if mean is not None
    )


def _headline(condition: str, model: str, cells: Sequence[TargetedCell]) -> Iterator[Headline]:
    pooled = pooled_sides([cell.sides for cell in cells])
    if pooled is not None:
        yield Headline(condition, model, _references(cells), len(cells), main_interval(intervals(pooled)))


def _over_phenomena(results: Results, model: str, cells: Sequence[TargetedCell]) -> Iterator[Headline]:
    phenomenon_by_key = {paradigm.key: paradigm.phenomenon or paradigm.name for paradigm in results.paradigms}
    phenomena = [phenomenon_by_key[cell.unit.key] for cell in cells]
    a, b = (
        np.asarray([math.fsum(side.values()) / len(side) for side in by_cell])
        for by_cell in zip(*((cell.sides.a, cell.sides.b) for cell in cells), strict=True)
    )
    over_seeds, method = _over_seeds(cells)
    change = over_phenomena(a - b, phenomena, results.confidence, over_seeds)
    if change is not None:
        seeds = min(len(cell.sides.a) for cell in cells), min(len(cell.sides.b) for cell in cells)
        interval = (change.se, change.df, change.low, change.high, change.p)
        difference = Difference(change.estimate, float(a.mean()), float(b.mean()), *seeds, *interval, method=method)
        yield Headline("", model, _references(cells), len(set(phenomena)), difference, over_phenomena=True)


def _over_seeds(cells: Sequence[TargetedCell]) -> tuple[tuple[float, float], str]:
    """Return V_seed of the mean over paradigms with its degrees of freedom, and the name of the interval."""
    pooled = pooled_sides([cell.sides for cell in cells])
    if pooled is None or max(len(pooled.a), len(pooled.b)) < 2:
        return (0.0, 1.0), "over phenomena only"
    common = pooled.common_seeds if pooled.seeds_paired else ()
    paired = len(common) >= MIN_PAIRED_SEEDS
    first, second = (np.array([[side[seed] for seed in (common if paired else side)]]) for side in (pooled.a, pooled.b))
    variance, df = variance_over_seeds(first, second, paired=paired)
    return (float(variance[0]), float(df[0])), "over seeds and phenomena"


def _references(cells: Sequence[TargetedCell]) -> tuple[ReferenceKind, ...]:
    return tuple(sorted({kind for cell in cells for kind in cell.reference_kinds}))


def detectable(results: Results, accuracies: Accuracies, contrasts: Sequence[Contrast]) -> Iterator[DetectableChange]:
    labels: tuple[Literal["targeted", "all"], ...] = ("targeted", "all")
    for model in results.models:
        own = [
            each for each in contrasts if each.model == model and each.unit.level == "paradigm" and each.difference.se
        ]
        for label, group in zip(labels, ([contrast for contrast in own if contrast.targeted], own), strict=True):
            limits = [found for contrast in group if (found := contrast_limits(contrast, results.confidence))]
            if limits:
                cells = dict.fromkeys(
                    (contrast.unit, name, model)
                    for contrast in group
                    for name in (contrast.condition, contrast.reference)
                )
                sd = inference.pooled_sd([list(accuracies[cell].by_seed.values()) for cell in cells])
                seeds = min(min(contrast.difference.n_a, contrast.difference.n_b) for contrast in group)
                medians = (float(np.median(values)) for values in zip(*limits, strict=True))
                yield DetectableChange(model, label, len(group), sd, seeds, *medians)


def contrast_limits(contrast: Contrast, confidence: float) -> tuple[float, float] | None:
    difference = contrast.difference
    return power_limits(difference.se, difference.df, confidence) if difference.se and difference.df else None


def pilot_contrasts(contrasts: Sequence[Contrast]) -> list[Contrast]:
    """Return the main contrasts for planning another run, targeted if any is, with variances pooled over a model."""
    paradigms = [each for each in contrasts if each.unit.level == "paradigm" and each.variances is not None]
    chosen: dict[tuple[Unit, str, str], Contrast] = {}
    for contrast in [contrast for contrast in paradigms if contrast.targeted] or paradigms:
        chosen.setdefault((contrast.unit, contrast.condition, contrast.model), contrast)
    for model in dict.fromkeys(contrast.model for contrast in chosen.values()):
        keys = [key for key, contrast in chosen.items() if contrast.model == model]
        model_variances = [contrast.variances for key in keys if (contrast := chosen[key]).variances is not None]
        for key, pilot in zip(keys, pooled(model_variances), strict=True):
            chosen[key] = replace(chosen[key], variances=pilot)
    return list(chosen.values())
