"""Paired tests of models, corpora and conditions, and correlations between their results."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Literal

from runner.report.results import Results
from runner.report.statistics import Accuracy, Comparison, ProbabilityDelta, TextScore, Unit, UnitCorrelation
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

    def scores(self, text: str, model: str) -> list[TextScore]:
        return [score for score in self.texts if (score.text, score.model) == (text, model)]

    def perplexity(self, text: str, model: str) -> dict[str, float]:
        return {score.condition: _mean(score.by_seed.values()) for score in self.scores(text, model)}

    def is_targeted(self, suite: str, condition: str, paradigm: str) -> bool:
        return f"{suite}/{paradigm}" in self.targets.get(condition, ())

    def paired(self, first: Mapping[str, float], second: Mapping[str, float]) -> Paired | None:
        shared = [name for name in first if name in second]
        values = [first[name] for name in shared], [second[name] for name in shared]
        return paired_test(*values, self.results.confidence) if shared else None

    def correlation(self, first: Mapping[str, float], second: Mapping[str, float]) -> Correlation | None:
        shared = [name for name in first if name in second]
        return correlation([first[name] for name in shared], [second[name] for name in shared], self.results.confidence)


def _mean(values: Iterable[float]) -> float:
    numbers = list(values)
    return math.fsum(numbers) / len(numbers)


def comparisons(values: ComparedValues) -> tuple[Comparison, ...]:
    """Return all tests, with p-values corrected within each family (Holm, and Benjamini and Hochberg)."""
    tests = [*_perplexities(values), *_between_models(values), *_within_units(values), *_against_full(values)]
    families: dict[tuple[object, ...], list[int]] = {}
    for i, test in enumerate(tests):
        scope = (test.suite, test.measure, test.paradigms) if test.within else ("overall", test.with_full)
        # the models, or the reference of compared conditions
        family = (*scope, test.units, test.model, "" if test.model else test.a, test.b)
        families.setdefault(family, []).append(i)
    for indices in families.values():
        p_values = [tests[i].test.p for i in indices]
        corrected = zip(indices, inference.holm(p_values), inference.benjamini_hochberg(p_values), strict=True)
        for i, holm, bh in corrected:
            tests[i] = replace(tests[i], holm=holm, bh=bh)
    return tuple(tests)


def _perplexities(values: ComparedValues) -> Iterator[Comparison]:
    masked = values.results.run.masked
    for text in dict.fromkeys(score.text for score in values.texts):
        for a, b in combinations(values.results.models, 2):
            if (a in masked) != (b in masked):
                continue  # perplexities of masked and causal models are not comparable
            first, second = values.perplexity(text, a), values.perplexity(text, b)
            for with_full in values.full_options(first.keys() & second.keys()):
                used = {name: value for name, value in first.items() if with_full or name != values.full}
                test = values.paired(used, second)
                if test is not None:
                    yield Comparison(f"perplexity of {text}", "", "all", "corpora", "", with_full, a, b, "", test)


def _between_models(values: ComparedValues) -> Iterator[Comparison]:
    for measure, suite, a, b, first, second in _model_pairs(values):
        for paradigm_set in PARADIGM_SETS:
            shared = [key for key in first if key in second]
            shared = [key for key in shared if paradigm_set == "all" or values.is_targeted(suite, *key)]
            for with_full in values.full_options({condition for condition, _ in shared}):
                used = [key for key in shared if with_full or key[0] != values.full]
                for key_index, units in enumerate(UNITS):
                    test = values.paired(_means(first, used, key_index), _means(second, used, key_index))
                    if test is not None:
                        yield Comparison(measure, suite, paradigm_set, units, "", with_full, a, b, "", test)


def _within_units(values: ComparedValues) -> Iterator[Comparison]:
    for measure, suite, a, b, first, second in _model_pairs(values):
        if measure != "accuracy":
            continue
        shared = [key for key in first if key in second]
        for key_index, units in enumerate(reversed(UNITS)):
            for name in dict.fromkeys(key[key_index] for key in shared):
                keys = [key for key in shared if key[key_index] == name]
                test = values.paired(*({key[1 - key_index]: side[key] for key in keys} for side in (first, second)))
                if test is not None:
                    with_full = any(condition == values.full for condition, _ in keys)
                    yield Comparison(measure, suite, "all", units, name, with_full, a, b, "", test)


def _against_full(values: ComparedValues) -> Iterator[Comparison]:
    for suite in values.results.suites:
        for model in values.results.models:
            grid = values.accuracy(suite, model)
            full = {paradigm: value for (name, paradigm), value in grid.items() if values.full and name == values.full}
            for condition in dict.fromkeys(name for name, _ in grid if values.full and name != values.full):
                own = {paradigm: value for (name, paradigm), value in grid.items() if name == condition}
                targeted = {name: value for name, value in own.items() if values.is_targeted(suite, condition, name)}
                for paradigm_set, tested in zip(PARADIGM_SETS, (own, targeted), strict=True):
                    test = values.paired(tested, full)
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
    groups: dict[str, list[float]] = {}
    for key in keys:
        groups.setdefault(key[key_index], []).append(grid[key])
    return {name: _mean(group) for name, group in groups.items()}


def correlations(values: ComparedValues, deltas: Sequence[ProbabilityDelta]) -> Iterator[UnitCorrelation]:
    for text in dict.fromkeys(score.text for score in values.texts):
        for model in values.results.models:
            yield from _token_correlations(values, text, model)
    by_model = {model: _unit_values(values, deltas, model) for model in values.results.models}
    for (a, first), (b, second) in combinations(by_model.items(), 2):
        for quantity, suite, is_full in first:
            found = values.correlation(first[quantity, suite, is_full], second[quantity, suite, is_full])
            if found is not None:
                units = "benchmarks" if is_full else "targeted cells"
                yield UnitCorrelation(quantity, quantity, suite, units, is_full, (a, b), found)


def _token_correlations(values: ComparedValues, text: str, model: str) -> Iterator[UnitCorrelation]:
    """Yield correlations over corpora, and over runs (corpus × seed), which are not independent, so without a test."""
    names = "training tokens", f"perplexity of {text}", ""
    scores = values.scores(text, model)
    seeds = {score.condition: score.by_seed for score in scores}
    sizes = {each.name: each.mean_tokens(seeds.get(each.name, ())) for each in values.results.conditions}
    tokens = {name: float(size) for name, size in sizes.items() if size is not None}
    perplexities = values.perplexity(text, model)
    for with_full in values.full_options(perplexities):
        used = {name: value for name, value in perplexities.items() if with_full or name != values.full}
        found = values.correlation(tokens, used)
        if found is not None:
            yield UnitCorrelation(*names, "corpora", with_full, (model,), found)
    runs = [(score.condition, seed, value) for score in scores for seed, value in score.by_seed.items()]
    run_sizes = {
        f"{name} {seed}": size
        for name, seed, _ in runs
        if (size := values.results.condition(name).mean_tokens([seed])) is not None
    }
    found = values.correlation(run_sizes, {f"{name} {seed}": value for name, seed, value in runs})
    if found is not None:
        with_full = any(f"{values.full} {seed}" in run_sizes for _, seed, _ in runs)
        yield UnitCorrelation(*names, "runs", with_full, (model,), Correlation(found.r, found.n))


def _unit_values(
    values: ComparedValues, deltas: Sequence[ProbabilityDelta], model: str
) -> dict[tuple[str, str, bool], dict[str, float]]:
    """Return a model's values by unit, for each quantity, suite and whether they are of the full corpus."""
    found: dict[tuple[str, str, bool], dict[str, float]] = {}
    for suite in values.results.suites:
        grid, changes = values.accuracy(suite, model), values.delta(suite, model)
        found["accuracy", suite, True] = {name: value for (of, name), value in grid.items() if of == values.full}
        found["accuracy delta, targeted", suite, False] = {
            " ".join(key): value for key, value in changes.items() if values.is_targeted(suite, *key)
        }
    for suite in values.results.suites:
        own = [delta for delta in deltas if (delta.unit.suite, delta.model) == (suite, model)]
        targeted = {f"{delta.condition} {delta.unit.name}": delta for delta in own if delta.targeted}
        found["PΔ full", suite, True] = {delta.unit.name: delta.full for delta in own}
        found["ΔPΔ, targeted", suite, False] = {name: delta.difference.delta for name, delta in targeted.items()}
        found["robustness r, targeted", suite, False] = {
            name: delta.robustness for name, delta in targeted.items() if delta.robustness is not None
        }
    return found
