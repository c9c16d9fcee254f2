"""Correlations of scores with acceptability ratings, and Williams' tests.

See table 2 of the paper that `experiments/hybrid` reproduces.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runner import formatting
from runner.report.analysis.acceptability import (
    RatingCorrelation,
    RatingCorrelationTest,
    rating_correlation_tests,
    rating_correlations,
)
from runner.report.analysis.statistics import Analysis
from runner.report.render.dots import BASELINE, ESTIMATE, SEED, Dot, interval_dots
from runner.report.render.figure import Figure
from runner.report.render.names import slug
from runner.report.results.results import Results
from runner.report.sections.section import Section
from runner.report.tables.cells import seeds_text
from runner.score.statistics.measures import mean
from runner.tables import Cell, Column, Table

ORDER = 150


def sections(analysis: Analysis) -> Iterator[Section]:
    """Yield a section with the correlation of each condition and model, its interval, and tests of two correlations.

    Correlations from a table of results have neither, since the scores of the sentences are not known.
    """
    rows = rating_correlations(analysis.results)
    if not rows:
        if analysis.results.rating_correlations:
            intro = "Pearson's r of scores with human ratings, as given in the table: the mean over seeds."
            yield Section("ratings", "Ratings of acceptability", intro, (), (_imported_table(analysis.results),))
        return
    level = formatting.percentage(analysis.results.run.report.confidence)
    figures = tuple(_figure(suite, [row for row in rows if row.suite == suite], level) for suite in _suites(rows))
    tests = rating_correlation_tests(analysis.results)
    intro = (
        "Pearson's r between scores, averaged over seeds, and human ratings, over sentences, with its "
        f"{level} interval over sentences (Fisher's z). Williams' test (1959; Steiger 1980, eq. 7) compares two "
        "correlations with the same ratings. Holm and BH correct over the tests of a suite. Intervals and tests do not "
        "reflect the variation between seeds; see the values by seed."
    )
    yield Section("ratings", "Ratings of acceptability", intro, figures, (_table(rows, level), _test_table(tests)))


def _suites(rows: Sequence[RatingCorrelation]) -> list[str]:
    return list(dict.fromkeys(row.suite for row in rows))


def _figure(suite: str, rows: Sequence[RatingCorrelation], level: str) -> Figure:
    dots = [
        Dot(
            *(f"{row.condition}, {row.model}", row.correlation.r, row.correlation.low, row.correlation.high),
            *(list(row.by_seed.values()), _tooltip(row, level), row.unigram),
        )
        for row in rows
    ]
    sentence_count = formatting.count(rows[0].correlation.n)
    title = f"{suite}: r of scores with ratings, and its {level} interval over {sentence_count} sentences"
    return interval_dots(slug(f"ratings-{suite}"), title, dots, "Pearson's r", (ESTIMATE, SEED, BASELINE))


def _tooltip(row: RatingCorrelation, level: str) -> str:
    seeds = ", ".join(f"{formatting.number(r, 3)} (seed {seed})" for seed, r in row.by_seed.items())
    return (
        f"{row.condition} · {row.model}\nr {formatting.number(row.correlation.r, 3)}, {level} {_interval(row)}\n{seeds}"
    )


def _interval(row: RatingCorrelation) -> str:
    r = row.correlation
    return f"[{formatting.number(r.low, 3)}, {formatting.number(r.high, 3)}]"


def _table(table_rows: Sequence[RatingCorrelation], level: str) -> Table:
    columns = (
        Column("suite", "suite", look="quiet"),
        Column("condition", "condition", look="name"),
        Column("model", "model"),
        Column(
            *("r", "r", "number", "correlation.r"),
            f"of scores averaged over seeds, with its {level} interval over sentences",
            interval=("low", "high"),
            digits=3,
        ),
        Column("low", "low", "number", "correlation.low", "Fisher's z interval over sentences", shown=False),
        Column("high", "high", "number", "correlation.high", "Fisher's z interval over sentences", shown=False),
        Column("p", "p", "p", "correlation.p", "two-sided t test of r = 0"),
        Column(
            *("mean_of_seeds", "mean of seeds", "number"),
            lambda row: Cell(mean(row.by_seed.values()), tip=_tooltip(row, level)),
            "mean of the r of each seed",
            saved=False,
            digits=3,
        ),
        Column("by_seed", "by seed", "list", lambda row: seeds_text(row.by_seed), shown=False),
        Column("unigram", "unigram", "number", help="r of word frequencies", digits=3),
        Column("n", "sentences", "count", "correlation.n"),
    )
    return Table("ratings", "Pearson's r with the ratings", columns, table_rows)


def _imported_table(results: Results) -> Table:
    columns = (
        Column("suite", "suite", look="quiet"),
        Column("condition", "condition", look="name"),
        Column("model", "model"),
        Column("r", "r", "number", lambda row: mean(row["by_seed"].values()), "mean of the r of each seed", digits=3),
        Column("n", "seeds", "count", lambda row: len(row["by_seed"])),
        Column("by_seed", "by seed", "list", lambda row: seeds_text(row["by_seed"]), shown=False),
    )
    by_cell: dict[tuple[str, str, str], dict[int, float]] = {}
    for value in results.rating_correlations:
        by_cell.setdefault((value.suite, value.condition, value.model), {})[value.seed] = value.value
    rows = [
        {"suite": suite, "condition": condition, "model": model, "by_seed": by_seed}
        for (suite, condition, model), by_seed in by_cell.items()
    ]
    return Table("ratings", "Pearson's r with the ratings", columns, rows)


def _test_table(tests: Sequence[RatingCorrelationTest]) -> Table:
    columns = (
        Column("suite", "suite", look="quiet"),
        Column("condition_a", "condition", "text", lambda test: test.a[0], look="name"),
        Column("model_a", "model", "text", lambda test: test.a[1]),
        Column("condition_b", "against", "text", lambda test: test.b[0]),
        Column("model_b", "", "text", lambda test: test.b[1]),
        Column("r_a", "r", "number", digits=3),
        Column("r_b", "r against", "number", digits=3),
        Column(*("r_ab", "r between", "number", "between", "correlation of the two scores with each other"), digits=3),
        Column("n", "sentences", "count", shown=False),
        Column("t", "t", "signed", "test.t", "Williams' t"),
        Column("df", "df", "count", "test.df"),
        Column("p", "p", "p", "test.p", "two-sided"),
        Column("p_greater", "p greater", "p", "test.p_greater", "one-sided, a above b", shown=False),
        Column("holm", "Holm", "p"),
        Column("bh", "BH", "p"),
    )
    return Table("ratings-tests", "Two correlations with the same ratings: Williams' test", columns, tests)
