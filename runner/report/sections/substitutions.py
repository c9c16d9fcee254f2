"""Accuracy by the share of words that are replaced by tags."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from runner.report.charts import Series, axis, legend, panel, seed_ranges, split_series
from runner.report.markup import drawing
from runner.report.results import Condition
from runner.report.section import Figure, Section, slug
from runner.report.statistics import Analysis, Unit, full_condition
from runner.score.measures import mean
from runner.tables import Column, Table

ALPHA_PATTERN = re.compile(r"(?:alpha|α)[-_= ]?(\d*\.?\d+)", re.IGNORECASE)


def alpha(condition: Condition) -> float | None:
    """Return the share of words replaced by tags, as stated or, for given corpora, as in a name such as `alpha-0.10`.

    Without either, return 0 for the full corpus and None for other conditions.
    """
    if condition.alpha is not None:
        return condition.alpha
    if condition.kind == "given" and (match := ALPHA_PATTERN.search(condition.name)) and float(match[1]) <= 1:
        return float(match[1])
    return 0.0 if condition.kind == "full" else None


def sections(analysis: Analysis) -> Iterator[Section]:
    """Yield a section with accuracies of suites, and correlations with ratings, by α and model."""
    shares = {
        condition.name: share for condition in analysis.results.conditions if (share := alpha(condition)) is not None
    }
    if len(set(shares.values())) < 2:
        return
    figures = [figure for model in analysis.results.models for figure in _curves(analysis, shares, model)]

    def accuracy(suite: str, row: Mapping[str, Any]) -> float | None:
        return _mean_accuracy(analysis, suite, row["condition"], row["model"])

    def correlation(suite: str, row: Mapping[str, Any]) -> float | None:
        return mean(_rating_correlations(analysis, suite, row["condition"], row["model"]).values())

    rated_suites = list(dict.fromkeys(entry.suite for entry in analysis.results.rating_correlations))
    columns = (
        Column("alpha", "α", "number"),
        Column("condition", "condition"),
        Column("model", "model"),
        *(Column(suite, suite, "percent", partial(accuracy, suite)) for suite in analysis.results.suites),
        *(
            Column(f"pearson_{suite}", f"r with {suite}", "number", partial(correlation, suite))
            for suite in rated_suites
        ),
    )
    rows = tuple(
        {"alpha": share, "condition": name, "model": model}
        for name, share in sorted(shares.items(), key=lambda entry: entry[1])
        for model in analysis.results.models
    )
    table = Table("alpha", "By α", columns, rows, shown=False)
    intro = "α is the share of words, rarest first, that are replaced by tags. Accuracy is the mean over paradigms."
    yield Section("alpha", "Words and tags", intro, tuple(figures), (table,))


def _rating_correlations(analysis: Analysis, suite: str, condition: str, model: str) -> dict[int, float]:
    """Return Pearson's r of scores with ratings, by seed."""
    all_correlations = analysis.results.rating_correlations
    return {
        correlation.seed: correlation.value
        for correlation in all_correlations
        if (correlation.suite, correlation.condition, correlation.model) == (suite, condition, model)
    }


def _mean_accuracy(analysis: Analysis, suite: str, condition: str, model: str) -> float | None:
    suite_accuracy = analysis.accuracies.get((Unit("suite", suite, suite), condition, model))
    return suite_accuracy.mean if suite_accuracy else None


def _curves(analysis: Analysis, shares: dict[str, float], model: str) -> list[Figure]:
    """Return figures of accuracies and of correlations with ratings, by α. Conditions of equal α are separate lines."""
    results = analysis.results
    full = full_condition(results)
    base = full.name if full else None
    suites = {suite: Unit("suite", suite, suite) for suite in results.suites}
    accuracies = {
        suite: {name: entry.by_seed for name in shares if (entry := analysis.accuracies.get((unit, name, model)))}
        for suite, unit in suites.items()
    }
    correlations = {
        suite: {name: _rating_correlations(analysis, suite, name, model) for name in shares}
        for suite in dict.fromkeys(entry.suite for entry in results.rating_correlations)
    }
    figures = []
    for file_stem, title, values_by_suite, factor in (
        ("alpha", "Accuracy, %", accuracies, 100.0),
        ("alpha-ratings", "Pearson's r with ratings", correlations, 1.0),
    ):
        lines = [
            (f"{suite}, {label}" if label else suite, points)
            for suite, values in values_by_suite.items()
            for label, names in split_series({name: shares[name] for name in values}, base).items()
            if (points := seed_ranges(_by_share({name: values[name] for name in names}, shares)))
        ]
        series = [Series(label, colour, points) for colour, (label, points) in enumerate(lines)]
        if series:
            full_title = f"{title}, against α, {model}"
            figures.append(Figure(slug(f"{file_stem}-{model}"), full_title, _chart(series, title, full_title, factor)))
    return figures


def _by_share(values: Mapping[str, Mapping[int, float]], shares: Mapping[str, float]) -> dict[int, dict[float, float]]:
    """Return values by seed and α, given values by condition and seed and the α of each condition."""
    by_seed_and_share: dict[int, dict[float, float]] = {}
    for name, by_seed in values.items():
        for seed, value in by_seed.items():
            by_seed_and_share.setdefault(seed, {})[shares[name]] = value
    return by_seed_and_share


def _chart(series: Sequence[Series], title: str, full_title: str, factor: float) -> str:
    x_axis = axis([0.0, 1.0], 54, 420)
    y_axis = axis([value for line in series for point in line.points for value in point[2:]], 264, -230)
    body = panel(series, x_axis, y_axis, title, title_x="α", factor=factor)
    body += legend(series, 494, 44)
    return drawing(body, 800, max(310, 50 + 15 * len(series)), full_title)


SECTIONS = {130: sections}
