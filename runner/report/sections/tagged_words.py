"""Tags for rare words, and corrupted sentences (tables 3 to 5, figure 3 of the paper in `experiments/hybrid`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from runner import formatting
from runner.report.accuracy_tables import accuracy_cell
from runner.report.charts import amount_chart, axis, series_by_amount
from runner.report.markup import box, drawing, svg_text, tag, tooltip
from runner.report.records import Condition
from runner.report.section import Figure, Section, slug
from runner.report.sections.ratings import correlations_by_cell
from runner.report.statistics import Analysis, Unit
from runner.score.measures import mean
from runner.score.pair_matrices import Tokens
from runner.tables import Column, Table, saved

OPERATIONS = ("delete-root", "swap-neighbours", "insert-word")
TREATMENTS = {"tags": "tags for rare words", "unk": "[UNK] for rare words"}  # of sentences, by suffix of the suite
ALPHA_PATTERN = re.compile(r"(?:alpha|α)[-_= ]?(\d*\.?\d+)", re.IGNORECASE)
PAPER_ALPHA = 0.1  # α of the paper's example
EDGES = (-2.0, -4.0, -6.0, -8.0, -10.0)  # ln p at which the shade of a token changes
CHARACTER_WIDTH, ROW_HEIGHT, WIDTH, LEFT = 6.6, 38, 900, 92


def corruptions_section(analysis: Analysis) -> Iterator[Section]:
    """Yield a table for each operation. In the suites `NAME.tags` and `NAME.unk`, tags or [UNK] replace rare words."""
    names = {paradigm.name for paradigm in analysis.results.paradigms}
    tables = tuple(_corruption_table(analysis, operation) for operation in OPERATIONS if operation in names)
    if tables:
        intro = "How often models prefer a sentence to its corrupted version, in percent, by operation and source."
        yield Section("corruptions", "Corrupted sentences", intro, (), tables)


def _split_treatment(suite: str) -> tuple[str, str]:
    name, _, suffix = suite.rpartition(".")
    return (name, TREATMENTS[suffix]) if name and suffix in TREATMENTS else (suite, "plain")


def _corruption_table(analysis: Analysis, operation: str) -> Table:
    suites = {_split_treatment(row.suite): row.suite for row in analysis.results.paradigms if row.name == operation}
    base_suites = list(dict.fromkeys(suite for suite, _ in suites))
    rows = []
    for condition, model in analysis.results.condition_models:
        for treatment in dict.fromkeys(treatment for _, treatment in suites):
            units = [Unit("paradigm", suites.get((suite, treatment), ""), operation) for suite in base_suites]
            accuracies = [analysis.accuracies.get((unit, condition, model)) for unit in units]
            if any(accuracies):
                cells = {str(i): accuracy_cell(accuracy) for i, accuracy in enumerate(accuracies)}
                rows.append({"condition": condition, "model": model, "sentences": treatment, "cells": cells})
    columns = (
        Column("condition", "condition", css_class="name"),
        *(Column(name, name) for name in ("model", "sentences")),
        *(Column(suite, suite, "percent", f"cells.{i}") for i, suite in enumerate(base_suites)),
    )
    return Table(slug(f"corrupted-{operation}"), operation.replace("-", " "), columns, rows)


def alpha(condition: Condition) -> float | None:
    """Return the share of words replaced by tags, as stated or, for given corpora, in a name such as `alpha-0.10`."""
    if condition.alpha is not None:
        return condition.alpha
    if condition.kind == "given" and (match := ALPHA_PATTERN.search(condition.name)) and float(match[1]) <= 1:
        return float(match[1])
    return 0.0 if condition.kind == "full" else None


def substitutions_section(analysis: Analysis) -> Iterator[Section]:
    results = analysis.results
    shares = {each.name: share for each in results.conditions if (share := alpha(each)) is not None}
    if len(set(shares.values())) < 2:
        return
    by_cell = correlations_by_cell(results)
    figures = tuple(figure for model in results.models for figure in _curves(analysis, shares, model))

    def accuracy(suite: str, row: Mapping[str, Any]) -> float | None:
        found = analysis.accuracies.get((Unit.of_suite(suite), row["condition"], row["model"]))
        return found.mean if found else None

    def correlation(suite: str, row: Mapping[str, Any]) -> float | None:
        return mean(by_cell.get((suite, row["condition"], row["model"]), {}).values())

    columns = (
        *saved("alpha", "condition", "model"),
        *saved(**{suite: partial(accuracy, suite) for suite in results.suites}),
        *saved(**{f"pearson_{suite}": partial(correlation, suite) for suite in _rated_suites(analysis)}),
    )
    rows = tuple(
        {"alpha": share, "condition": name, "model": model}
        for name, share in sorted(shares.items(), key=lambda entry: entry[1])
        for model in results.models
    )
    table = Table("alpha", "By α", columns, rows, shown=False)
    intro = "α is the share of words, rarest first, that are replaced by tags. Accuracy is the mean over paradigms."
    yield Section("alpha", "Words and tags", intro, figures, (table,))


def _rated_suites(analysis: Analysis) -> list[str]:
    return list(dict.fromkeys(entry.suite for entry in analysis.results.rating_correlations))


def _curves(analysis: Analysis, shares: dict[str, float], model: str) -> Iterator[Figure]:
    base, by_cell = analysis.full.name if analysis.full else None, correlations_by_cell(analysis.results)
    accuracies = {
        unit.name: {name: entry.by_seed for name in shares if (entry := analysis.accuracies.get((unit, name, model)))}
        for unit in map(Unit.of_suite, analysis.results.suites)
    }
    correlations = {
        suite: {name: by_cell.get((suite, name, model), {}) for name in shares} for suite in _rated_suites(analysis)
    }
    for file_stem, title, values_by_suite, factor in (
        ("alpha", "Accuracy, %", accuracies, 100.0),
        ("alpha-ratings", "Pearson's r with ratings", correlations, 1.0),
    ):
        series = series_by_amount([(suite, shares, values) for suite, values in values_by_suite.items()], base)
        if series:
            full_title = f"{title}, against α, {model}"
            y_axis = axis([value for line in series for point in line.points for value in point[2:]], 264, -230)
            svg = amount_chart(series, axis([0.0, 1.0], 54, 420), y_axis, full_title, title, "α", factor)
            yield Figure(slug(f"{file_stem}-{model}"), full_title, svg)


def tokens_section(analysis: Analysis) -> Iterator[Section]:
    tokens_by_key = {(entry.condition, entry.model, entry.suite): entry for entry in analysis.results.tokens}
    alphas = {each.name: share for each in analysis.results.conditions if (share := alpha(each))}
    tagged = min(alphas, key=lambda name: abs(alphas[name] - PAPER_ALPHA), default=None)
    full = analysis.full
    figures, rows = [], []
    for suite in dict.fromkeys(entry.suite for entry in tokens_by_key.values()):
        if full is None or tagged is None or _split_treatment(suite)[0] != suite:
            continue
        for model in analysis.results.models:
            before = tokens_by_key.get((full.name, model, suite))
            after = tokens_by_key.get((tagged, model, f"{suite}.tags")) or tokens_by_key.get((tagged, model, suite))
            pair = None if before is None or after is None else _selected_pair(before, after)
            if before is None or after is None or pair is None:
                continue
            title = f"{suite}, {pair[0].replace('-', ' ')}, pair {pair[1]}, {model}"
            cells = [(full.name, before), (tagged, after)]
            figures.append(Figure(slug(f"tokens-{suite}-{model}"), title, _figure(cells, pair, title)))
            rows += [
                (tokens.suite, name, model, *pair, side, place, token, logprob)
                for name, tokens in cells
                for side in ("good", "bad")
                for place, (token, logprob) in enumerate(tokens.pairs[pair].get(side, ()))
            ]
    if not figures:
        return
    intro = (
        "ln p of every token and its mean, under full and with tags for the rarest words. Of the stored pairs, the "
        "figure shows the one on which tags help most: an illustration, not a sample."
    )
    keys = ("suite", "condition", "model", "paradigm", "item", "side", "place", "token", "logprob")
    table = Table(
        "tokens", "Token by token", saved(*keys), [dict(zip(keys, row, strict=True)) for row in rows], shown=False
    )
    yield Section("tokens", "Token by token", intro, tuple(figures), (table,))


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
        for side, label in (("good", "original"), ("bad", "corrupted")):
            pair_tokens = tokens.pairs[pair][side]
            body.append(svg_text(label, 0, y + 14, class_="small muted"))
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
