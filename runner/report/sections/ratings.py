"""Correlations of scores with acceptability ratings, and Williams' tests.

Correlations of scores with acceptability ratings, and Williams' tests.
See table 2 of the paper that `experiments/hybrid` reproduces.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from runner import formatting
from runner.report.accuracy_tables import seeds_text
from runner.report.charts import BASELINE, ESTIMATE, SEED, Dot, interval_dots
from runner.report.results import Results
from runner.report.section import Figure, Section, slug
from runner.report.statistics import Analysis, references
from runner.score import inference
from runner.score.inference import Floats, pearson
from runner.score.measures import Correlation, Williams, correlation, mean, williams
from runner.tables import Cell, Column, Table

if TYPE_CHECKING:
    from runner.score.ratings import RatedSuite

ConditionModel = tuple[str, str]  # condition and model


@dataclass(frozen=True, slots=True)
class RatingCorrelation:
    """Pearson's r with the ratings of a suite, for scores averaged over seeds and for each seed.

    `unigram` is the r of unigram scores, or None if they give all sentences the same score.
    """

    suite: str
    condition: str
    model: str
    correlation: Correlation
    by_seed: dict[int, float]
    unigram: float | None


@dataclass(frozen=True, slots=True)
class RatingCorrelationTest:
    """Williams' test of the difference between two correlations with the same ratings, of two conditions or models.

    `between` is the correlation of the two scores, and `n` is the number of sentences with both scores and a rating.
    p-values are corrected over the tests of a suite.
    """

    suite: str
    a: ConditionModel
    b: ConditionModel
    r_a: float
    r_b: float
    between: float
    n: int
    test: Williams
    holm: float | None = None
    bh: float | None = None


def rating_correlations(results: Results) -> list[RatingCorrelation]:
    """Return one row per suite, condition and model whose scores and ratings vary."""
    r_by_cell = {
        (value.suite, value.condition, value.model, value.seed): value.value for value in results.rating_correlations
    }
    rows = []
    for rated in _rated(results):
        for condition, model in _scored_cells(results, rated):
            scores, unigram_scores = rated.mean(condition, model), rated.mean(condition, model, of_unigrams=True)
            assert scores is not None and unigram_scores is not None
            overall = correlation(scores, rated.ratings, results.confidence)
            by_seed = {key[3]: r for key, r in r_by_cell.items() if key[:3] == (rated.suite, condition, model)}
            if overall is not None:
                unigram = pearson(unigram_scores, rated.ratings)
                rows.append(
                    RatingCorrelation(rated.suite, condition, model, overall, dict(sorted(by_seed.items())), unigram)
                )
    return rows


def rating_correlation_tests(results: Results) -> list[RatingCorrelationTest]:
    """Test each condition against its references, and the models of each condition against each other."""
    corrected_tests = []
    for rated in _rated(results):
        tests = [test for a, b in _cell_pairs(results, rated) if (test := _williams_test(rated, a, b)) is not None]
        p_values: list[float | None] = [test.test.p for test in tests]
        corrected = zip(tests, inference.holm(p_values), inference.benjamini_hochberg(p_values), strict=True)
        corrected_tests += [replace(test, holm=holm, bh=bh) for test, holm, bh in corrected]
    return corrected_tests


def _rated(results: Results) -> Sequence[RatedSuite]:
    if not results.matrices:
        return ()
    from runner.score.ratings import RatedSuite

    return results.of(RatedSuite)


def _scored_cells(results: Results, rated: RatedSuite) -> list[ConditionModel]:
    scored_cells = {(cell.condition, cell.model) for cell in rated.cells}
    return [
        (condition.name, model)
        for condition in results.conditions
        for model in results.models
        if (condition.name, model) in scored_cells
    ]


def _cell_pairs(results: Results, rated: RatedSuite) -> Iterator[tuple[ConditionModel, ConditionModel]]:
    cells = _scored_cells(results, rated)
    for name, model in cells:
        for reference, _ in references(results, results.condition(name)):
            if (reference.name, model) in cells:
                yield (name, model), (reference.name, model)
    for first, second in combinations(cells, 2):
        if first[0] == second[0]:
            yield first, second


def _williams_test(rated: RatedSuite, a: ConditionModel, b: ConditionModel) -> RatingCorrelationTest | None:
    first, second = rated.mean(*a), rated.mean(*b)
    assert first is not None and second is not None
    is_finite = np.isfinite(first) & np.isfinite(second) & np.isfinite(rated.ratings)
    columns: list[Floats] = [first[is_finite], second[is_finite], rated.ratings[is_finite]]
    r_a, r_b, between = pearson(columns[0], columns[2]), pearson(columns[1], columns[2]), pearson(*columns[:2])
    if r_a is None or r_b is None or between is None:
        return None
    n = int(is_finite.sum())
    test = williams(r_a, r_b, between, n)
    return None if test is None else RatingCorrelationTest(rated.suite, a, b, r_a, r_b, between, n, test)


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
    level = analysis.level
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
        Column("suite", "suite", css_class="quiet"),
        Column("condition", "condition", css_class="name"),
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
        Column("suite", "suite", css_class="quiet"),
        Column("condition", "condition", css_class="name"),
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
        Column("suite", "suite", css_class="quiet"),
        Column("condition_a", "condition", "text", lambda test: test.a[0], css_class="name"),
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


SECTIONS = {150: sections}
