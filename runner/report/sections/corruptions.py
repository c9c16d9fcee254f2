"""Corrupted sentences and words as tags: accuracy by operation and genre, and by the share of words as tags."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from runner.report.analysis.statistics import Accuracy, Analysis, Unit, full_of
from runner.report.figures.lines import Series, keys, over_seeds, panel
from runner.report.figures.series import strands
from runner.report.render.names import slug
from runner.report.render.plot import axis
from runner.report.render.svg import drawing
from runner.report.results.results import Condition
from runner.report.tables.table import Column, Table
from runner.report.views.section import Figure, Section
from runner.report.views.views import Head, View, accuracy, text
from runner.score.statistics.measures import mean

OPERATIONS = ("delete-root", "swap-neighbours", "insert-word")
TREATED = {"tags": "tags for rare words", "unk": "[UNK] for rare words"}  # of the sentences, by the suite's ending
ALPHA = re.compile(r"(?:alpha|α)[-_= ]?(\d*\.?\d+)", re.IGNORECASE)


def corruptions(analysis: Analysis) -> Section | None:
    """A table an operation: conditions, models and what was done to the sentences down, suites across.

    A suite `NAME.tags` or `NAME.unk` is NAME with tags, or with [UNK], in place of rare words (tables 3 to 5 of the
    hybrid paper).
    """
    operations = [o for o in OPERATIONS if any(p.name == o for p in analysis.results.paradigms)]
    tables = [_table(analysis, operation) for operation in operations]
    views = tuple((_title(operation), _view(analysis, operation)) for operation in operations)
    if not operations:
        return None
    said = "How often models prefer a sentence to itself corrupted, in percent, by what was done and where it is from."
    return Section("corruptions", "Corrupted sentences", said, (), views, tuple(tables))


def _title(operation: str) -> str:
    return operation.replace("-", " ")


def _split(suite: str) -> tuple[str, str]:
    name, _, end = suite.rpartition(".")
    return (name, TREATED[end]) if end in TREATED else (suite, "plain")


def _domains(analysis: Analysis, operation: str) -> list[str]:
    return list(dict.fromkeys(_split(p.suite)[0] for p in analysis.results.paradigms if p.name == operation))


def _rows(analysis: Analysis, operation: str) -> list[tuple[str, str, str, list[Accuracy | None]]]:
    suites = {_split(p.suite): p.suite for p in analysis.results.paradigms if p.name == operation}
    found = []
    for condition in analysis.results.conditions:
        for model in analysis.results.models:
            for how in dict.fromkeys(treated for _, treated in suites):
                cells = [
                    analysis.accuracies.get(
                        (Unit("paradigm", suites.get((domain, how), ""), operation), condition.name, model)
                    )
                    for domain in _domains(analysis, operation)
                ]
                if any(cell is not None for cell in cells):
                    found.append((condition.name, model, how, cells))
    return found


def _table(analysis: Analysis, operation: str) -> Table:
    domains = _domains(analysis, operation)
    columns = (
        *(Column(name, name) for name in ("condition", "model", "sentences")),
        *(Column(domain, domain, "percent") for domain in domains),
    )
    rows = tuple((*row[:3], *(cell.mean if cell else None for cell in row[3])) for row in _rows(analysis, operation))
    return Table(slug(f"corrupted-{operation}"), _title(operation), columns, rows)


def _view(analysis: Analysis, operation: str) -> View:
    heads = (
        *(Head(name, number=False) for name in ("condition", "model", "sentences")),
        *(Head(domain) for domain in _domains(analysis, operation)),
    )
    rows = tuple(
        (text(row[0], "name"), text(row[1]), text(row[2], "quiet"), *(accuracy(cell) for cell in row[3]))
        for row in _rows(analysis, operation)
    )
    return View(slug(f"corrupted-{operation}"), heads, rows)


def alpha(condition: Condition) -> float | None:
    """The share of words that tags stand for: as stated, 0 for full, or as a name such as `alpha-0.10` says."""
    if condition.alpha is not None:
        return condition.alpha
    found = ALPHA.search(condition.name)
    return float(found[1]) if found else 0.0 if condition.kind == "full" else None


def substitutions(analysis: Analysis) -> Section | None:
    """Accuracy of each suite against α, a line a suite, a figure a model (the hybrid paper's curve)."""
    known = {c.name: share for c in analysis.results.conditions if (share := alpha(c)) is not None}
    if len(set(known.values())) < 2:
        return None
    figures = [figure for model in analysis.results.models for figure in _curves(analysis, known, model)]
    rated = list(dict.fromkeys(one.suite for one in analysis.results.ratings))
    columns = (
        *(Column("alpha", "α", "number"), Column("condition", "condition"), Column("model", "model")),
        *(Column(suite, suite, "percent") for suite in analysis.results.suites),
        *(Column(f"pearson_{suite}", f"r with {suite}", "number") for suite in rated),
    )
    rows = tuple(
        (
            *(share, name, model),
            *(_mean(analysis, suite, name, model) for suite in analysis.results.suites),
            *(mean(_ratings(analysis, suite, name, model).values()) for suite in rated),
        )
        for name, share in sorted(known.items(), key=lambda entry: entry[1])
        for model in analysis.results.models
    )
    table = Table("alpha", "By α", columns, rows)
    said = "α is the share of words, the rarest, that their tags stand for; accuracy is the mean over paradigms."
    return Section("alpha", "Words and tags", said, tuple(figures), (), (table,))


def _ratings(analysis: Analysis, suite: str, condition: str, model: str) -> dict[int, float]:
    """Pearson's r with ratings by seed."""
    given = analysis.results.ratings
    return {one.seed: one.value for one in given if (one.suite, one.condition, one.model) == (suite, condition, model)}


def _mean(analysis: Analysis, suite: str, condition: str, model: str) -> float | None:
    one = analysis.accuracies.get((Unit("suite", suite, suite), condition, model))
    return one.mean if one else None


def _curves(analysis: Analysis, known: dict[str, float], model: str) -> list[Figure]:
    """Accuracy of suites, and r with ratings, against α: a line a suite, where α is shared one a suite and kind."""
    results = analysis.results
    full = full_of(results)
    base = full.name if full else None
    suites = {suite: Unit("suite", suite, suite) for suite in results.suites}
    accuracies = {
        suite: {name: one.by_seed for name in known if (one := analysis.accuracies.get((unit, name, model)))}
        for suite, unit in suites.items()
    }
    ratings = {
        suite: {name: _ratings(analysis, suite, name, model) for name in known}
        for suite in dict.fromkeys(one.suite for one in results.ratings)
    }
    found = []
    for file, title, of, factor in (
        ("alpha", "Accuracy, %", accuracies, 100.0),
        ("alpha-ratings", "Pearson's r with ratings", ratings, 1.0),
    ):
        drawn = [
            (f"{suite}, {label}" if label else suite, points)
            for suite, values in of.items()
            for label, names in strands({name: known[name] for name in values}, base).items()
            if (points := over_seeds(_by_share({name: values[name] for name in names}, known)))
        ]
        series = [Series(label, n, points) for n, (label, points) in enumerate(drawn)]
        if series:
            whole = f"{title}, against α, {model}"
            found.append(Figure(slug(f"{file}-{model}"), whole, _drawn(series, title, whole, factor)))
    return found


def _by_share(values: Mapping[str, Mapping[int, float]], known: Mapping[str, float]) -> dict[int, dict[float, float]]:
    """By condition, each of an α of its own, and seed to by seed and α."""
    found: dict[int, dict[float, float]] = {}
    for name, by_seed in values.items():
        for seed, number in by_seed.items():
            found.setdefault(seed, {})[known[name]] = number
    return found


def _drawn(series: Sequence[Series], title: str, whole: str, factor: float) -> str:
    across = axis([0.0, 1.0], 54, 420)
    up = axis([number for one in series for point in one.points for number in point[2:]], 264, -230)
    body = panel(series, across, up, title, title_x="α", factor=factor)
    body += keys(series, 494, 44)
    return drawing(body, 800, max(310, 50 + 15 * len(series)), whole)
