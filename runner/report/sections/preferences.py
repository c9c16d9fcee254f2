"""The preferences of models for one of two alternants, and their slopes on covariates."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fictdsl.words import counted, inflected
from runner import formatting
from runner.report.accuracy_tables import seeds_text
from runner.report.charts import ESTIMATE, SEED, Dot, interval_dots
from runner.report.results import Results
from runner.report.section import Figure, Section, slug
from runner.report.statistics import Analysis, ReferenceKind, references
from runner.score.change import MIN_PAIRED_SEEDS, Change, change
from runner.score.inference import Floats, slope_values
from runner.tables import Cell, Column, Table, saved

if TYPE_CHECKING:
    from runner.score.preferences import ParadigmPreferences

MAX_NAMED = 6  # outcomes in a sentence
MEAN = "mean"  # the outcome that is not a slope


@dataclass(frozen=True, slots=True)
class Outcome:
    """The mean score difference of a condition and model in nats, or its slope on a covariate in nats per unit.

    `first_share` counts ties as a half. `difference` is the outcome minus that of `reference`.
    """

    suite: str
    paradigm: str
    measure: str
    condition: str
    model: str
    value: Change
    by_seed: dict[int, float]
    first_share: float | None
    reference: str | None = None
    reference_kind: ReferenceKind | None = None
    difference: Change | None = None


def outcomes(results: Results) -> list[Outcome]:
    if not results.matrices:
        return []
    from runner.score.preferences import ParadigmPreferences

    return [
        outcome
        for preference in results.of(ParadigmPreferences)
        for covariate in (None, *preference.covariates)
        for cell in results.condition_models
        for outcome in _outcomes_of(results, preference, covariate, *cell)
    ]


def _outcomes_of(
    results: Results, preference: ParadigmPreferences, covariate: str | None, condition: str, model: str
) -> Iterator[Outcome]:
    values = pseudo_values(preference, condition, model, covariate)
    value = None if values is None else _mean_change(values, results.confidence)
    if values is None or value is None:
        return
    by_seed = {seed: float(np.nanmean(row)) for seed, row in values.items()}
    scored = np.concatenate(list(values.values()))
    scored = scored[~np.isnan(scored)]
    share = None if covariate else float(((scored > 0) + 0.5 * (scored == 0)).mean())
    shared = (preference.suite, preference.name, covariate or MEAN, condition, model, value, by_seed, share)
    differences = []
    for reference, kind in references(results, results.condition(condition)):
        reference_values = pseudo_values(preference, reference.name, model, covariate)
        if reference_values is not None:
            paired = results.seeds_are_paired(model, condition, reference.name)
            difference = _difference(values, reference_values, seeds_paired=paired, confidence=results.confidence)
            if difference is not None:
                differences.append((reference.name, kind, difference))
    yield from (Outcome(*shared, *row) for row in differences) if differences else (Outcome(*shared),)


def pseudo_values(
    preference: ParadigmPreferences, condition: str, model: str, covariate: str | None
) -> dict[int, Floats] | None:
    """Return, by seed, values (pairs,) with the mean and the variance of the outcome, NaN without scores."""
    by_seed = preference.differences_by_seed(condition, model)
    if not by_seed or covariate is None:
        return by_seed or None
    slopes: dict[int, Floats] = {}
    for seed, differences in by_seed.items():
        values = slope_values(preference.covariates[covariate], differences)
        if values is None:
            return None
        slopes[seed] = values
    return slopes


def _mean_change(by_seed: dict[int, Floats], confidence: float) -> Change | None:
    """Return the mean of values by seed as a change from zero, or None if all seeds share fewer than two pairs."""
    values = np.array(list(by_seed.values()))
    zeros = np.where(np.isnan(values), np.nan, 0.0)
    return change([values], [zeros], paired=True, confidence=confidence, bound=math.inf)


def _difference(a: dict[int, Floats], b: dict[int, Floats], *, seeds_paired: bool, confidence: float) -> Change | None:
    common = [seed for seed in a if seed in b]
    paired = seeds_paired and len(common) >= MIN_PAIRED_SEEDS
    first, second = (np.array([side[seed] for seed in (common if paired else side)]) for side in (a, b))
    return change([first], [second], paired=paired, confidence=confidence, bound=math.inf)


def sections(analysis: Analysis) -> Iterator[Section]:
    rows = outcomes(analysis.results)
    if not rows:
        return
    level = analysis.level
    intro = (
        "The score of the first alternant minus that of the second, in nats, or as the convention normalises it. The "
        "mean shows which alternant a condition prefers. The slope shows how much the difference increases per unit of "
        f"a covariate (least squares). The {level} intervals are over seeds and pairs, as for accuracies; with one "
        "seed, they are over pairs only. The last share counts the pairs whose first alternant has the higher score."
    )
    cells: dict[tuple[str, str, str], dict[tuple[str, str], Outcome]] = {}
    for row in rows:  # a condition has a row for each of its references
        cells.setdefault((row.suite, row.paradigm, row.measure), {}).setdefault((row.condition, row.model), row)
    figures = tuple(_figure(*key, list(group.values()), level) for key, group in cells.items())
    yield Section("preferences", "Preferences between alternants", intro, figures, (_table(rows, level),), text_place=3)


def _table(outcome_rows: Sequence[Outcome], level: str) -> Table:
    columns = (
        Column("suite", "suite", css_class="quiet", shown=len({row.suite for row in outcome_rows}) > 1),
        Column("paradigm", "paradigm", shown=len({row.paradigm for row in outcome_rows}) > 1),
        Column("outcome", "outcome", "text", "measure", "mean, or the covariate of a slope"),
        Column("condition", "condition", css_class="name"),
        Column("model", "model"),
        Column(
            *("value", "value", "signed"),
            lambda row: Cell(row.value.estimate, tip=seeds_text(row.by_seed)),
            f"with its {level} interval over seeds and pairs",
            interval=("low", "high"),
            digits=3,
        ),
        *saved(low="value.low", high="value.high"),
        Column("p", "p", "p", "value.p", "two-sided test of 0"),
        Column("accuracy", "first higher, %", "percent", "first_share"),
        Column("reference", "baseline", css_class="wrap"),
        Column(
            *("difference", "difference", "signed", "difference.estimate"),
            f"from the baseline, with its {level} interval",
            interval=("difference_low", "difference_high"),
            digits=3,
        ),
        *saved(difference_low="difference.low", difference_high="difference.high"),
        Column("difference_p", "p", "p", "difference.p", "two-sided test of no difference"),
        *saved(by_seed=lambda row: seeds_text(row.by_seed)),
        Column("seeds", "seeds", "count", lambda row: row.value.seeds[0]),
        Column("pairs", "pairs", "count", "value.items"),
    )
    return Table("preferences", "Means and slopes", columns, outcome_rows)


def _figure(suite: str, paradigm: str, measure: str, rows: Sequence[Outcome], level: str) -> Figure:
    heading = "Mean difference of scores" if measure == MEAN else f"Slope on {measure}"
    name = suite if paradigm == suite else f"{suite}, {paradigm}"
    dots = [
        Dot(
            *(f"{row.condition}, {row.model}", row.value.estimate, row.value.low, row.value.high),
            *(list(row.by_seed.values()), _tooltip(row, level)),
        )
        for row in rows
    ]
    title = f"{heading}, {name}, with its {level} interval over seeds and pairs"
    file_name = slug(f"preference-{suite}-{paradigm}-{measure}")
    return interval_dots(file_name, title, dots, heading, (ESTIMATE, SEED))


def _tooltip(row: Outcome, level: str) -> str:
    estimate, low, high = (formatting.number(x, 3) for x in (row.value.estimate, row.value.low, row.value.high))
    return f"{row.condition} · {row.model}\n{estimate}, {level} [{low}, {high}]\n{seeds_text(row.by_seed)}"


def sentences(analysis: Analysis) -> Iterator[str]:
    results = analysis.results
    rows = outcomes(results)
    if not rows:
        return
    cells: dict[tuple[str, ...], Outcome] = {}
    for row in rows:
        if not results.is_control(results.condition(row.condition)):
            cells.setdefault((row.suite, row.paradigm, row.measure, row.condition, row.model), row)
    compared = [(row, row.difference) for row in cells.values() if row.difference is not None]
    several_models = len(results.models) > 1
    named = [
        f"the {'mean' if row.measure == MEAN else f'slope on {row.measure}'} under {row.condition}"
        f"{f', {row.model}' if several_models else ''}, {formatting.signed(change.estimate)} "
        f"[{formatting.signed(change.low)}, {formatting.signed(change.high)}] against {row.reference}"
        for row, change in compared
        if change.low > 0 or change.high < 0
    ]
    shown = f": {formatting.abbreviated(named, MAX_NAMED)}" if named else ""
    expected_count = formatting.number((1 - analysis.confidence) * len(compared), 1)
    yield (
        f"Of {counted(len(compared), 'preference')} between alternants (means and slopes on covariates), "
        f"{len(named) or 'none'} {inflected(len(named), 'differs', 'differ')} from that of the control or, without "
        f"one, of the full corpus{shown}. The {analysis.level} intervals are not adjusted for "
        f"their number: about {expected_count} would exclude 0 by chance."
    )


SECTIONS = {35: sections}
