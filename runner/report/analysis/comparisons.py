"""Paired tests that compare models over corpora or benchmarks, and conditions over benchmarks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Literal

from runner.manifest.model import UNIGRAM
from runner.report.analysis.statistics import Accuracy, Comparison, TextScore, Unit, full_condition
from runner.report.results.results import Results
from runner.score.statistics import inference
from runner.score.statistics.paired import Paired, paired_test

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
        condition = full_condition(self.results)
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
        """Return whether the condition targets the paradigm."""
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
    confidence = values.results.run.report.confidence
    return paired_test([first[name] for name in shared], [second[name] for name in shared], confidence)
