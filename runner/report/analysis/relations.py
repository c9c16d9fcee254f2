"""Values to correlations: training tokens with perplexity, and one model with another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from runner.report.analysis.comparisons import Values
from runner.report.analysis.statistics import ProbabilityDelta, Relation
from runner.score.statistics.correlation import correlation


def correlations(values: Values, deltas: Sequence[ProbabilityDelta]) -> Iterator[Relation]:
    """Training tokens with the perplexity of each text, and what two models have on the same units."""
    yield from _tokens(values)
    for a, b in combinations(values.results.models, 2):
        yield from _accuracies(values, a, b)
        yield from _probabilities(values, deltas, a, b)


def _tokens(values: Values) -> Iterator[Relation]:
    """Over corpora, with the full one and without: fewer tokens, higher perplexity?"""
    tokens = {one.name: float(one.tokens) for one in values.results.conditions if one.tokens is not None}
    for text in dict.fromkeys(one.text for one in values.texts):
        for model in values.results.models:
            found = values.perplexity(text, model)
            for baseline in (True, False):
                y = {name: value for name, value in found.items() if baseline or name != values.full}
                yield from _relation(
                    values, "training tokens", f"perplexity of {text}", "", "corpora", baseline, (model,), tokens, y
                )


def _accuracies(values: Values, a: str, b: str) -> Iterator[Relation]:
    """Accuracy of the full models over benchmarks, accuracy delta over targeted cells."""
    for suite in values.results.suites:
        whole = [
            {
                paradigm: value
                for (name, paradigm), value in values.accuracy(suite, model).items()
                if name == values.full
            }
            for model in (a, b)
        ]
        yield from _relation(values, "accuracy", "accuracy", suite, "benchmarks", True, (a, b), *whole)
        aimed = [
            {key: value for key, value in values.delta(suite, model).items() if values.targeted(suite, *key)}
            for model in (a, b)
        ]
        named = [{f"{condition} {paradigm}": value for (condition, paradigm), value in side.items()} for side in aimed]
        what = "accuracy delta, targeted"
        yield from _relation(values, what, what, suite, "targeted cells", False, (a, b), *named)


def _probabilities(values: Values, deltas: Sequence[ProbabilityDelta], a: str, b: str) -> Iterator[Relation]:
    """PΔ of the full models over benchmarks, its change and its robustness over targeted cells."""
    for suite in values.results.suites:
        mine = [one for one in deltas if one.unit.suite == suite]
        full, change, robust = (
            [{key: value for one in mine if one.model == model for key, value in read(one)} for model in (a, b)]
            for read in (_full, _change, _robustness)
        )
        yield from _relation(values, "PΔ full", "PΔ full", suite, "benchmarks", True, (a, b), *full)
        yield from _relation(values, "ΔPΔ, targeted", "ΔPΔ, targeted", suite, "targeted cells", False, (a, b), *change)
        what = "robustness r, targeted"
        yield from _relation(values, what, what, suite, "targeted cells", False, (a, b), *robust)


def _full(one: ProbabilityDelta) -> list[tuple[str, float]]:
    return [(one.unit.name, one.full)]


def _change(one: ProbabilityDelta) -> list[tuple[str, float]]:
    return [(f"{one.condition} {one.unit.name}", one.change.delta)] if one.targeted else []


def _robustness(one: ProbabilityDelta) -> list[tuple[str, float]]:
    return [(f"{one.condition} {one.unit.name}", one.robustness)] if one.targeted and one.robustness is not None else []


def _relation(
    values: Values,
    x: str,
    y: str,
    suite: str,
    units: str,
    baseline: bool,
    models: tuple[str, ...],
    first: Mapping[str, float],
    second: Mapping[str, float],
) -> Iterator[Relation]:
    shared = [name for name in first if name in second]
    confidence = values.results.run.report.confidence
    found = correlation([first[name] for name in shared], [second[name] for name in shared], confidence)
    if found is not None:
        yield Relation(x, y, suite, units, baseline, models, found)
