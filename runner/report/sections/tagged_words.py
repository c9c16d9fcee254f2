"""Tags in place of rare words, and corrupted sentences (the experiments of `experiments/hybrid`).

Token log-probabilities of a corrupted pair, with and without tags.
See figure 3 of the paper that `experiments/hybrid` reproduces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from runner import formatting
from runner.report.accuracy_tables import accuracy_cell
from runner.report.charts import Series, axis, legend, panel, seed_ranges, split_series
from runner.report.markup import box, drawing, svg_text, tag, tooltip
from runner.report.records import Condition
from runner.report.section import Figure, Section, slug
from runner.report.statistics import Analysis, Unit
from runner.score.measures import mean
from runner.score.pair_matrices import Tokens
from runner.tables import Column, Table

OPERATIONS = ("delete-root", "swap-neighbours", "insert-word")
TREATMENTS = {
    "tags": "tags for rare words",
    "unk": "[UNK] for rare words",
}  # how sentences are treated, by suffix of the suite's name


def corruptions_section(analysis: Analysis) -> Iterator[Section]:
    """Yield a section with a table for each operation: conditions, models and treatments in rows, suites in columns.

    In the suites `NAME.tags` and `NAME.unk`, tags or [UNK] replace the rare words of NAME (tables 3 to 5 of the paper
    of `experiments/hybrid`).
    """
    paradigm_names = {paradigm.name for paradigm in analysis.results.paradigms}
    operations = [operation for operation in OPERATIONS if operation in paradigm_names]
    tables = [_corruption_table(analysis, operation) for operation in operations]
    if not operations:
        return
    intro = "How often models prefer a sentence to its corrupted version, in percent, by operation and source."
    yield Section("corruptions", "Corrupted sentences", intro, (), tuple(tables))


def _operation_title(operation: str) -> str:
    return operation.replace("-", " ")


def is_treated(suite: str) -> bool:
    """Return whether a suite is called `NAME.tags` or `NAME.unk`."""
    return _split_treatment(suite)[0] != suite


def _split_treatment(suite: str) -> tuple[str, str]:
    name, _, suffix = suite.rpartition(".")
    return (name, TREATMENTS[suffix]) if name and suffix in TREATMENTS else (suite, "plain")


def _base_suites(analysis: Analysis, operation: str) -> list[str]:
    """Return the suites without the suffixes of treatments."""
    suites = (paradigm.suite for paradigm in analysis.results.paradigms if paradigm.name == operation)
    return list(dict.fromkeys(_split_treatment(suite)[0] for suite in suites))


def _corruption_rows(analysis: Analysis, operation: str) -> list[dict[str, Any]]:
    suites = {
        _split_treatment(paradigm.suite): paradigm.suite
        for paradigm in analysis.results.paradigms
        if paradigm.name == operation
    }
    rows = []
    for condition in analysis.results.conditions:
        for model in analysis.results.models:
            for treatment in dict.fromkeys(treatment for _, treatment in suites):
                cells = [
                    analysis.accuracies.get(
                        (Unit("paradigm", suites.get((base_suite, treatment), ""), operation), condition.name, model)
                    )
                    for base_suite in _base_suites(analysis, operation)
                ]
                if any(cell is not None for cell in cells):
                    labels = {"condition": condition.name, "model": model, "sentences": treatment}
                    rows.append({**labels, "cells": {str(i): accuracy_cell(cell) for i, cell in enumerate(cells)}})
    return rows


def _corruption_table(analysis: Analysis, operation: str) -> Table:
    base_suites = _base_suites(analysis, operation)
    columns = (
        Column("condition", "condition", css_class="name"),
        *(Column(name, name) for name in ("model", "sentences")),
        *(Column(suite, suite, "percent", f"cells.{i}") for i, suite in enumerate(base_suites)),
    )
    return Table(
        slug(f"corrupted-{operation}"), _operation_title(operation), columns, _corruption_rows(analysis, operation)
    )


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


def substitutions_section(analysis: Analysis) -> Iterator[Section]:
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
    suite_accuracy = analysis.accuracies.get((Unit.of_suite(suite), condition, model))
    return suite_accuracy.mean if suite_accuracy else None


def _curves(analysis: Analysis, shares: dict[str, float], model: str) -> list[Figure]:
    """Return figures of accuracies and of correlations with ratings, by α. Conditions of equal α are separate lines."""
    results = analysis.results
    full = results.full
    base = full.name if full else None
    suites = {suite: Unit.of_suite(suite) for suite in results.suites}
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


PAPER_ALPHA = 0.1  # α of the paper's example
EDGES = (-2.0, -4.0, -6.0, -8.0, -10.0)  # ln p at which the shade of a token changes
CHARACTER_WIDTH, ROW_HEIGHT, WIDTH, LEFT = 6.6, 38, 900, 92


def tokens_section(analysis: Analysis) -> Iterator[Section]:
    """Yield a section with, for each suite and model, the pair on which tags increase the score difference most."""
    tokens_by_key = {(entry.condition, entry.model, entry.suite): entry for entry in analysis.results.tokens}
    full, tagged = analysis.full, _tagged_condition(analysis)
    figures, rows = [], []
    for suite in dict.fromkeys(entry.suite for entry in tokens_by_key.values()):
        if full is None or tagged is None or is_treated(suite):
            continue
        for model in analysis.results.models:
            full_tokens = tokens_by_key.get((full.name, model, suite))
            tagged_tokens = tokens_by_key.get((tagged, model, f"{suite}.tags")) or tokens_by_key.get(
                (tagged, model, suite)
            )
            pair = None if full_tokens is None or tagged_tokens is None else _selected_pair(full_tokens, tagged_tokens)
            if full_tokens is None or tagged_tokens is None or pair is None:
                continue
            title = f"{suite}, {pair[0].replace('-', ' ')}, pair {pair[1]}, {model}"
            cells = [(full.name, full_tokens), (tagged, tagged_tokens)]
            figures.append(Figure(slug(f"tokens-{suite}-{model}"), title, _figure(cells, pair, title)))
            for name, tokens in cells:
                for side in ("good", "bad"):
                    numbered = enumerate(tokens.pairs[pair].get(side, ()))
                    labels = {
                        "suite": tokens.suite,
                        "condition": name,
                        "model": model,
                        "paradigm": pair[0],
                        "item": pair[1],
                    }
                    rows += [
                        {**labels, "side": side, "place": place, "token": token, "logprob": logprob}
                        for place, (token, logprob) in numbered
                    ]
    if not figures:
        return
    intro = (
        "ln p of every token and its mean, under full and with tags for the rarest words. Of the stored pairs, the "
        "figure shows the one on which tags help most: an illustration, not a sample."
    )
    columns = (
        *(Column(name, name) for name in ("suite", "condition", "model", "paradigm")),
        Column("item", "item", "count"),
        Column("side", "side"),
        Column("place", "place", "count"),
        Column("token", "token"),
        Column("logprob", "ln p", "number"),
    )
    table = Table("tokens", "Token by token", columns, rows, shown=False)
    yield Section("tokens", "Token by token", intro, tuple(figures), (table,))


def _tagged_condition(analysis: Analysis) -> str | None:
    """Return the name of the condition with tags whose α is nearest to `PAPER_ALPHA`, or None."""
    alphas = {condition.name: share for condition in analysis.results.conditions if (share := alpha(condition))}
    return min(alphas, key=lambda name: abs(alphas[name] - PAPER_ALPHA), default=None)


def _selected_pair(before: Tokens, after: Tokens) -> tuple[str, int] | None:
    """Return, for the first operation with shared pairs, the pair whose difference of mean ln p increases most."""
    for operation in OPERATIONS:
        gains = {
            pair: _difference(after, pair) - _difference(before, pair)
            for pair in before.pairs
            if pair[0] == operation and all(len(tokens.pairs.get(pair, {})) == 2 for tokens in (before, after))
        }
        if gains:
            return max(gains, key=lambda pair: gains[pair])
    return None


def _difference(tokens: Tokens, pair: tuple[str, int]) -> float:
    return _mean(tokens.pairs[pair]["good"]) - _mean(tokens.pairs[pair]["bad"])


def _mean(tokens: Sequence[tuple[str, float]]) -> float:
    return sum(logprob for _, logprob in tokens) / len(tokens)


def _figure(cells: Sequence[tuple[str, Tokens]], pair: tuple[str, int], title: str) -> str:
    body: list[str] = []
    y = 8.0
    for condition, tokens in cells:
        body.append(svg_text(condition, 0, y + 10, class_="head"))
        y += 18
        for side in ("good", "bad"):
            pair_tokens = tokens.pairs[pair][side]
            body.append(svg_text("original" if side == "good" else "corrupted", 0, y + 14, class_="small muted"))
            body.append(svg_text(f"mean {formatting.number(_mean(pair_tokens))}", 0, y + 28, class_="small"))
            x = float(LEFT)
            for token, logprob in pair_tokens:
                width = max(len(token) * CHARACTER_WIDTH, 34) + 8
                if x + width > WIDTH:
                    x, y = float(LEFT), y + ROW_HEIGHT
                body.append(_token(token, logprob, x, y, width))
                x += width + 3
            y += ROW_HEIGHT + 8
        y += 8
    return drawing(body, WIDTH + 4, y, title)


def _token(token: str, logprob: float, x: float, y: float, width: float) -> str:
    shade = ("z", "n1", "n2", "n3", "n4", "n5")[sum(logprob < edge for edge in EDGES)]
    return tag(
        "g",
        tooltip(f"{token}: ln p {formatting.number(logprob)}"),
        box(x, y, width, 32, shade),
        svg_text(token, x + width / 2, y + 14, class_=f"middle on-{shade}"),
        svg_text(formatting.number(logprob), x + width / 2, y + 27, class_=f"small middle on-{shade}"),
    )


SECTIONS = {120: corruptions_section, 130: substitutions_section, 140: tokens_section}
