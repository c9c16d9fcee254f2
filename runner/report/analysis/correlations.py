"""Correlations of training tokens with perplexity, and of two models with each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from runner.report.analysis.comparisons import ComparedValues
from runner.report.analysis.statistics import ProbabilityDelta, TextScore, UnitCorrelation
from runner.score.statistics.correlation import Correlation, correlation


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
    confidence = values.results.run.report.confidence
    result = correlation([first[name] for name in shared], [second[name] for name in shared], confidence)
    if result is not None:
        yield UnitCorrelation(x, y, suite, units, with_full, models, result)
