"""Accuracies and perplexities to paired tests: models over corpora and over benchmarks, conditions over benchmarks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Literal

from runner.manifest.model import BASELINE
from runner.report.analysis.statistics import Accuracy, Comparison, TextScore, Unit, full_of
from runner.report.results.results import Results
from runner.score.statistics import inference
from runner.score.statistics.paired import Paired, paired_test

Cells = Literal["all", "targeted"]
Units = Literal["corpora", "benchmarks"]
CELLS: tuple[Cells, ...] = ("all", "targeted")
UNITS: tuple[Units, ...] = ("corpora", "benchmarks")  # the first and the second part of a cell's key
Grid = Mapping[tuple[str, str], float]  # by condition and paradigm


@dataclass(frozen=True)
class Values:
    """What tests are made of: means over seeds, by condition, model and paradigm or text."""

    results: Results
    accuracies: Mapping[tuple[Unit, str, str], Accuracy]
    texts: tuple[TextScore, ...]
    targets: Mapping[str, frozenset[str]]

    @cached_property
    def full(self) -> str:
        """The name of the full condition, empty if there is none."""
        found = full_of(self.results)
        return found.name if found else ""

    @cached_property
    def _grids(self) -> dict[tuple[str, str], dict[tuple[str, str], float]]:
        found: dict[tuple[str, str], dict[tuple[str, str], float]] = {}
        for (unit, condition, model), one in self.accuracies.items():
            if unit.level == "paradigm" and model != BASELINE:
                found.setdefault((unit.suite, model), {})[condition, unit.name] = one.mean
        return found

    def accuracy(self, suite: str, model: str) -> Grid:
        """Accuracy of a model on the paradigms of a suite."""
        return self._grids.get((suite, model), {})

    def delta(self, suite: str, model: str) -> Grid:
        """accΔ = acc(condition) − acc(full), both means over seeds; 0 for the full condition by construction."""
        grid = self.accuracy(suite, model)
        return {
            (condition, paradigm): value - grid[self.full, paradigm]
            for (condition, paradigm), value in grid.items()
            if (self.full, paradigm) in grid
        }

    def perplexity(self, text: str, model: str) -> dict[str, float]:
        """Perplexity of a text by condition."""
        return {
            one.condition: math.fsum(one.by_seed.values()) / len(one.by_seed)
            for one in self.texts
            if (one.text, one.model) == (text, model)
        }

    def targeted(self, suite: str, condition: str, paradigm: str) -> bool:
        """Whether the condition targets the paradigm."""
        return f"{suite}/{paradigm}" in self.targets.get(condition, ())


def comparisons(values: Values) -> tuple[Comparison, ...]:
    """Every test, with Holm's and Benjamini and Hochberg's corrections."""
    found = [*_perplexities(values), *_between_models(values), *_within(values), *_against_full(values)]
    families: dict[tuple[object, ...], list[int]] = {}
    for i, one in enumerate(found):
        kind = (one.suite, one.measure, one.cells) if one.within else ("overall", one.baseline)
        family = (*kind, one.units, one.model, *_sides(one))
        families.setdefault(family, []).append(i)
    for members in families.values():
        p = [found[i].test.p for i in members]
        for i, holm, bh in zip(members, inference.holm(p), inference.benjamini_hochberg(p), strict=True):
            found[i] = replace(found[i], holm=holm, bh=bh)
    return tuple(found)


def _sides(one: Comparison) -> tuple[str, str]:
    """Two models; where two conditions are compared, all with the same reference are one family."""
    return ("", one.b) if one.model else (one.a, one.b)


def _perplexities(values: Values) -> Iterator[Comparison]:
    masked = values.results.run.masked
    for text in dict.fromkeys(one.text for one in values.texts):
        for a, b in combinations(values.results.models, 2):
            if (a in masked) != (b in masked):
                continue  # of masked words or of next words: the difference of such numbers says nothing
            first, second = values.perplexity(text, a), values.perplexity(text, b)
            for baseline in _baselines(values, first.keys() & second.keys()):
                units = [name for name in first if name in second and (baseline or name != values.full)]
                test = _test({n: first[n] for n in units}, {n: second[n] for n in units}, values)
                if test is not None:
                    measure = f"perplexity of {text}"
                    yield Comparison(measure, "", "all", "corpora", "", baseline, a, b, "", test)


def _between_models(values: Values) -> Iterator[Comparison]:
    """Two models over corpora, a corpus being its mean over paradigms, and over benchmarks, the other way round."""
    for measure, suite, a, b, first, second in _pairs(values):
        for kind in CELLS:
            shared = [key for key in first if key in second]
            shared = [key for key in shared if kind == "all" or values.targeted(suite, *key)]
            for baseline in _baselines(values, {condition for condition, _ in shared}):
                used = [key for key in shared if baseline or key[0] != values.full]
                for place, units in enumerate(UNITS):
                    test = _test(_means(first, used, place), _means(second, used, place), values)
                    if test is not None:
                        yield Comparison(measure, suite, kind, units, "", baseline, a, b, "", test)


def _within(values: Values) -> Iterator[Comparison]:
    """Two models within each corpus over its benchmarks, and within each benchmark over the corpora."""
    for measure, suite, a, b, first, second in _pairs(values):
        if measure != "accuracy":
            continue
        shared = [key for key in first if key in second]
        for place, units in enumerate(reversed(UNITS)):
            for name in dict.fromkeys(key[place] for key in shared):
                used = [key for key in shared if key[place] == name]
                one, other = ({key[1 - place]: side[key] for key in used} for side in (first, second))
                test = _test(one, other, values)
                if test is not None:
                    full = any(condition == values.full for condition, _ in used)
                    yield Comparison(measure, suite, "all", units, name, full, a, b, "", test)


def _against_full(values: Values) -> Iterator[Comparison]:
    """Each condition against the full one, over the benchmarks of a suite, and over those that it targets."""
    for suite in values.results.suites:
        for model in values.results.models:
            grid = values.accuracy(suite, model)
            for condition in dict.fromkeys(name for name, _ in grid if values.full and name != values.full):
                both = [p for name, p in grid if name == condition and (values.full, p) in grid]
                aimed = [paradigm for paradigm in both if values.targeted(suite, condition, paradigm)]
                for kind, paradigms in zip(CELLS, (both, aimed), strict=True):
                    mine = {paradigm: grid[condition, paradigm] for paradigm in paradigms}
                    test = _test(mine, {paradigm: grid[values.full, paradigm] for paradigm in paradigms}, values)
                    if test is not None:
                        sides = (condition, values.full, model)
                        yield Comparison("accuracy", suite, kind, "benchmarks", condition, False, *sides, test)


def _pairs(values: Values) -> Iterator[tuple[str, str, str, str, Grid, Grid]]:
    for suite in values.results.suites:
        for a, b in combinations(values.results.models, 2):
            yield "accuracy", suite, a, b, values.accuracy(suite, a), values.accuracy(suite, b)
            if values.full and len(values.results.conditions) > 1:
                yield "accuracy delta", suite, a, b, values.delta(suite, a), values.delta(suite, b)


def _baselines(values: Values, conditions: Iterable[str]) -> tuple[bool, ...]:
    """With the full condition and without, if it is among them; else only without."""
    return (True, False) if values.full in set(conditions) else (False,)


def _means(grid: Grid, keys: Iterable[tuple[str, str]], place: int) -> dict[str, float]:
    """The mean of each unit (0: condition, 1: paradigm) over the cells that are used."""
    groups: dict[str, list[float]] = {}
    for key in keys:
        groups.setdefault(key[place], []).append(grid[key])
    return {name: math.fsum(each) / len(each) for name, each in groups.items()}


def _test(first: Mapping[str, float], second: Mapping[str, float], values: Values) -> Paired | None:
    units = [name for name in first if name in second]
    if not units:
        return None
    confidence = values.results.run.report.confidence
    return paired_test([first[unit] for unit in units], [second[unit] for unit in units], confidence)
