"""Paired tests of models, corpora and conditions, and correlations between their results."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Literal

from runner.report.results import Results
from runner.report.statistics import (
    Accuracy,
    Comparison,
    ProbabilityDelta,
    TextScore,
    Unit,
    UnitCorrelation,
)
from runner.score import inference
from runner.score.convention import UNIGRAM
from runner.score.inference import Paired, paired_test
from runner.score.measures import Correlation, correlation

ParadigmSet = Literal["all", "targeted"]
Units = Literal["corpora", "benchmarks"]
PARADIGM_SETS: tuple[ParadigmSet, ...] = ("all", "targeted")
UNITS: tuple[Units, ...] = ("corpora", "benchmarks")  # in the order of the elements of a key of `Grid`
Grid = Mapping[tuple[str, str], float]  # by condition and paradigm


@dataclass(frozen=True)
class ComparedValues:
    """The values that paired tests compare: means over seeds, by condition, model and paradigm or text."""

    results: Results
    accuracies: Mapping[tuple[Unit, str, str], Accuracy]
    texts: tuple[TextScore, ...]
    targets: Mapping[str, frozenset[str]]

    @cached_property
    def full(self) -> str:
        """The name of the full condition, or an empty string."""
        condition = self.results.full
        return condition.name if condition else ""

    @cached_property
    def _grids(self) -> dict[tuple[str, str], dict[tuple[str, str], float]]:
        grids: dict[tuple[str, str], dict[tuple[str, str], float]] = {}
        for (unit, condition, model), accuracy in self.accuracies.items():
            if unit.level == "paradigm" and model != UNIGRAM:
                grids.setdefault((unit.suite, model), {})[condition, unit.name] = accuracy.mean
        return grids

    def accuracy(self, suite: str, model: str) -> Grid:
        """Return a model's accuracy on each paradigm of a suite, by condition and paradigm."""
        return self._grids.get((suite, model), {})

    def delta(self, suite: str, model: str) -> Grid:
        """Return accΔ = acc(condition) − acc(full), from means over seeds. It is 0 for the full condition."""
        grid = self.accuracy(suite, model)
        return {
            (condition, paradigm): value - grid[self.full, paradigm]
            for (condition, paradigm), value in grid.items()
            if (self.full, paradigm) in grid
        }

    def full_options(self, conditions: Iterable[str]) -> tuple[bool, ...]:
        """Return whether tests include the full condition: both cases if it is among `conditions`, else only False."""
        return (True, False) if self.full in set(conditions) else (False,)

    def perplexity(self, text: str, model: str) -> dict[str, float]:
        """Return a model's perplexity of a text by condition, as a mean over seeds."""
        return {
            score.condition: math.fsum(score.by_seed.values()) / len(score.by_seed)
            for score in self.texts
            if (score.text, score.model) == (text, model)
        }

    def is_targeted(self, suite: str, condition: str, paradigm: str) -> bool:
        return f"{suite}/{paradigm}" in self.targets.get(condition, ())


def comparisons(values: ComparedValues) -> tuple[Comparison, ...]:
    """Return all tests, with p-values corrected within each family (Holm, and Benjamini and Hochberg)."""
    tests = [*_perplexities(values), *_between_models(values), *_within_units(values), *_against_full(values)]
    families: dict[tuple[object, ...], list[int]] = {}
    for i, test in enumerate(tests):
        scope = (test.suite, test.measure, test.paradigms) if test.within else ("overall", test.with_full)
        family = (*scope, test.units, test.model, *_family_sides(test))
        families.setdefault(family, []).append(i)
    for indices in families.values():
        p_values = [tests[i].test.p for i in indices]
        corrected = zip(indices, inference.holm(p_values), inference.benjamini_hochberg(p_values), strict=True)
        for i, holm, bh in corrected:
            tests[i] = replace(tests[i], holm=holm, bh=bh)
    return tuple(tests)


def _family_sides(comparison: Comparison) -> tuple[str, str]:
    """Return the sides that identify a family of tests: both models, or the reference of compared conditions."""
    return ("", comparison.b) if comparison.model else (comparison.a, comparison.b)


def _perplexities(values: ComparedValues) -> Iterator[Comparison]:
    masked = values.results.run.masked
    for text in dict.fromkeys(score.text for score in values.texts):
        for a, b in combinations(values.results.models, 2):
            if (a in masked) != (b in masked):
                continue  # perplexities of masked and causal models are not comparable
            first, second = values.perplexity(text, a), values.perplexity(text, b)
            for with_full in values.full_options(first.keys() & second.keys()):
                corpora = [name for name in first if name in second and (with_full or name != values.full)]
                test = _test({name: first[name] for name in corpora}, {name: second[name] for name in corpora}, values)
                if test is not None:
                    measure = f"perplexity of {text}"
                    yield Comparison(measure, "", "all", "corpora", "", with_full, a, b, "", test)


def _between_models(values: ComparedValues) -> Iterator[Comparison]:
    """Yield tests of two models over corpora (means over benchmarks) and over benchmarks (means over corpora)."""
    for measure, suite, a, b, first, second in _model_pairs(values):
        for paradigm_set in PARADIGM_SETS:
            shared = [key for key in first if key in second]
            shared = [key for key in shared if paradigm_set == "all" or values.is_targeted(suite, *key)]
            for with_full in values.full_options({condition for condition, _ in shared}):
                used = [key for key in shared if with_full or key[0] != values.full]
                for key_index, units in enumerate(UNITS):
                    test = _test(_means(first, used, key_index), _means(second, used, key_index), values)
                    if test is not None:
                        yield Comparison(measure, suite, paradigm_set, units, "", with_full, a, b, "", test)


def _within_units(values: ComparedValues) -> Iterator[Comparison]:
    """Yield tests of two models within each corpus over its benchmarks, and within each benchmark over corpora."""
    for measure, suite, a, b, first, second in _model_pairs(values):
        if measure != "accuracy":
            continue
        shared = [key for key in first if key in second]
        for key_index, units in enumerate(reversed(UNITS)):
            for name in dict.fromkeys(key[key_index] for key in shared):
                keys = [key for key in shared if key[key_index] == name]
                first_values, second_values = (
                    {key[1 - key_index]: side[key] for key in keys} for side in (first, second)
                )
                test = _test(first_values, second_values, values)
                if test is not None:
                    with_full = any(condition == values.full for condition, _ in keys)
                    yield Comparison(measure, suite, "all", units, name, with_full, a, b, "", test)


def _against_full(values: ComparedValues) -> Iterator[Comparison]:
    """Yield tests of each condition against the full one, over all benchmarks of a suite and over the targeted ones."""
    for suite in values.results.suites:
        for model in values.results.models:
            grid = values.accuracy(suite, model)
            for condition in dict.fromkeys(name for name, _ in grid if values.full and name != values.full):
                shared = [paradigm for name, paradigm in grid if name == condition and (values.full, paradigm) in grid]
                targeted = [paradigm for paradigm in shared if values.is_targeted(suite, condition, paradigm)]
                for paradigm_set, paradigms in zip(PARADIGM_SETS, (shared, targeted), strict=True):
                    condition_values = {paradigm: grid[condition, paradigm] for paradigm in paradigms}
                    test = _test(
                        condition_values, {paradigm: grid[values.full, paradigm] for paradigm in paradigms}, values
                    )
                    if test is not None:
                        sides = (condition, values.full, model)
                        yield Comparison("accuracy", suite, paradigm_set, "benchmarks", condition, False, *sides, test)


def _model_pairs(values: ComparedValues) -> Iterator[tuple[str, str, str, str, Grid, Grid]]:
    for suite in values.results.suites:
        for a, b in combinations(values.results.models, 2):
            yield "accuracy", suite, a, b, values.accuracy(suite, a), values.accuracy(suite, b)
            if values.full and len(values.results.conditions) > 1:
                yield "accuracy delta", suite, a, b, values.delta(suite, a), values.delta(suite, b)


def _means(grid: Grid, keys: Iterable[tuple[str, str]], key_index: int) -> dict[str, float]:
    """Return the mean over `keys` of each condition (`key_index` 0) or of each paradigm (1)."""
    groups: dict[str, list[float]] = {}
    for key in keys:
        groups.setdefault(key[key_index], []).append(grid[key])
    return {name: math.fsum(values_of_unit) / len(values_of_unit) for name, values_of_unit in groups.items()}


def _test(first: Mapping[str, float], second: Mapping[str, float], values: ComparedValues) -> Paired | None:
    shared = [name for name in first if name in second]
    if not shared:
        return None
    confidence = values.results.confidence
    return paired_test([first[name] for name in shared], [second[name] for name in shared], confidence)


def correlations(values: ComparedValues, deltas: Sequence[ProbabilityDelta]) -> Iterator[UnitCorrelation]:
    """Yield the correlations of tokens with the perplexity of each text, and of two models over shared units."""
    yield from _token_correlations(values)
    for a, b in combinations(values.results.models, 2):
        yield from _accuracy_correlations(values, a, b)
        yield from _probability_correlations(values, deltas, a, b)


def _token_correlations(values: ComparedValues) -> Iterator[UnitCorrelation]:
    """Yield correlations over corpora, including and excluding the full one, and over runs (corpus × seed)."""
    conditions = {condition.name: condition for condition in values.results.conditions}
    for text in dict.fromkeys(score.text for score in values.texts):
        for model in values.results.models:
            perplexities = values.perplexity(text, model)
            seeds = {score.condition: score.by_seed for score in _scores(values, text, model)}
            sizes = {name: condition.mean_tokens(seeds.get(name, ())) for name, condition in conditions.items()}
            tokens = {name: float(size) for name, size in sizes.items() if size is not None}
            for with_full in values.full_options(perplexities):
                y = {name: value for name, value in perplexities.items() if with_full or name != values.full}
                yield from _unit_correlation(
                    values, "training tokens", f"perplexity of {text}", "", "corpora", with_full, (model,), tokens, y
                )
            yield from _over_runs(values, text, model)


def _scores(values: ComparedValues, text: str, model: str) -> list[TextScore]:
    return [score for score in values.texts if (score.text, score.model) == (text, model)]


def _over_runs(values: ComparedValues, text: str, model: str) -> Iterator[UnitCorrelation]:
    """Yield the correlation over trained models of perplexity with the tokens of the training corpus.

    It has no interval and no p-value, since the seeds of one corpus are not independent.
    """
    scores = _scores(values, text, model)
    y = {f"{score.condition} {seed}": value for score in scores for seed, value in score.by_seed.items()}
    sizes = {
        f"{score.condition} {seed}": values.results.condition(score.condition).mean_tokens([seed])
        for score in scores
        for seed in score.by_seed
    }
    x = {run: size for run, size in sizes.items() if size is not None}
    with_full = any(f"{values.full} {seed}" in x for score in scores for seed in score.by_seed)
    for found in _unit_correlation(
        values, "training tokens", f"perplexity of {text}", "", "runs", with_full, (model,), x, y
    ):
        yield replace(found, correlation=Correlation(found.correlation.r, found.correlation.n))


def _accuracy_correlations(values: ComparedValues, a: str, b: str) -> Iterator[UnitCorrelation]:
    """Yield correlations of full accuracy over benchmarks, and of accuracy delta over targeted cells."""
    for suite in values.results.suites:
        full = [
            {
                paradigm: value
                for (name, paradigm), value in values.accuracy(suite, model).items()
                if name == values.full
            }
            for model in (a, b)
        ]
        yield from _unit_correlation(values, "accuracy", "accuracy", suite, "benchmarks", True, (a, b), *full)
        targeted = [
            {key: value for key, value in values.delta(suite, model).items() if values.is_targeted(suite, *key)}
            for model in (a, b)
        ]
        labelled_deltas = [
            {f"{condition} {paradigm}": value for (condition, paradigm), value in side.items()} for side in targeted
        ]
        quantity = "accuracy delta, targeted"
        yield from _unit_correlation(
            values, quantity, quantity, suite, "targeted cells", False, (a, b), *labelled_deltas
        )


def _probability_correlations(
    values: ComparedValues, deltas: Sequence[ProbabilityDelta], a: str, b: str
) -> Iterator[UnitCorrelation]:
    """Yield correlations of full PΔ over benchmarks, and of its change and robustness over targeted cells."""
    for suite in values.results.suites:
        suite_deltas = [delta for delta in deltas if delta.unit.suite == suite]
        full, change, robustness = (
            [
                {key: value for delta in suite_deltas if delta.model == model for key, value in read(delta)}
                for model in (a, b)
            ]
            for read in (_full, _change, _robustness)
        )
        yield from _unit_correlation(values, "PΔ full", "PΔ full", suite, "benchmarks", True, (a, b), *full)
        yield from _unit_correlation(
            values, "ΔPΔ, targeted", "ΔPΔ, targeted", suite, "targeted cells", False, (a, b), *change
        )
        quantity = "robustness r, targeted"
        yield from _unit_correlation(values, quantity, quantity, suite, "targeted cells", False, (a, b), *robustness)


def _full(delta: ProbabilityDelta) -> list[tuple[str, float]]:
    return [(delta.unit.name, delta.full)]


def _change(delta: ProbabilityDelta) -> list[tuple[str, float]]:
    return [(f"{delta.condition} {delta.unit.name}", delta.difference.delta)] if delta.targeted else []


def _robustness(delta: ProbabilityDelta) -> list[tuple[str, float]]:
    return (
        [(f"{delta.condition} {delta.unit.name}", delta.robustness)]
        if delta.targeted and delta.robustness is not None
        else []
    )


def _unit_correlation(
    values: ComparedValues,
    x: str,
    y: str,
    suite: str,
    units: str,
    with_full: bool,
    models: tuple[str, ...],
    first: Mapping[str, float],
    second: Mapping[str, float],
) -> Iterator[UnitCorrelation]:
    shared = [name for name in first if name in second]
    confidence = values.results.confidence
    result = correlation([first[name] for name in shared], [second[name] for name in shared], confidence)
    if result is not None:
        yield UnitCorrelation(x, y, suite, units, with_full, models, result)
