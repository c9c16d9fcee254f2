"""Correlations of scores with acceptability ratings, and Williams' tests (table 2 in `experiments/hybrid`)."""

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
from runner.score.inference import pearson
from runner.score.measures import Correlation, Williams, correlation, mean, williams
from runner.tables import Cell, Column, Table, saved

if TYPE_CHECKING:
    from runner.score.ratings import RatedSuite

ConditionModel = tuple[str, str]  # condition and model


@dataclass(frozen=True, slots=True)
class RatingCorrelation:
    """Pearson's r with the ratings of a suite, for scores averaged over seeds, by seed, and for unigram scores."""

    suite: str
    condition: str
    model: str
    correlation: Correlation
    by_seed: dict[int, float]
    unigram: float | None


@dataclass(frozen=True, slots=True)
class RatingCorrelationTest:
    """Williams' test of two correlations with the same ratings; `between` is the correlation of the two scores."""

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
    by_cell = correlations_by_cell(results)
    rows = []
    for rated in _rated(results):
        for cell in _scored_cells(results, rated):
            scores, unigram_scores = rated.mean(*cell), rated.mean(*cell, of_unigrams=True)
            assert scores is not None and unigram_scores is not None
            overall = correlation(scores, rated.ratings, results.confidence)
            if overall is not None:
                by_seed = dict(sorted(by_cell.get((rated.suite, *cell), {}).items()))
                unigram = pearson(unigram_scores, rated.ratings)
                rows.append(RatingCorrelation(rated.suite, *cell, overall, by_seed, unigram))
    return rows


def correlations_by_cell(results: Results) -> dict[tuple[str, str, str], dict[int, float]]:
    by_cell: dict[tuple[str, str, str], dict[int, float]] = {}
    for value in results.rating_correlations:
        by_cell.setdefault((value.suite, value.condition, value.model), {})[value.seed] = value.value
    return by_cell


def rating_correlation_tests(results: Results) -> list[RatingCorrelationTest]:
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
    scored = {(cell.condition, cell.model) for cell in rated.cells}
    return [cell for cell in results.condition_models if cell in scored]


def _cell_pairs(results: Results, rated: RatedSuite) -> Iterator[tuple[ConditionModel, ConditionModel]]:
    cells = _scored_cells(results, rated)
    for name, model in cells:
        for reference, _ in references(results, results.condition(name)):
            if (reference.name, model) in cells:
                yield (name, model), (reference.name, model)
    yield from ((first, second) for first, second in combinations(cells, 2) if first[0] == second[0])


def _williams_test(rated: RatedSuite, a: ConditionModel, b: ConditionModel) -> RatingCorrelationTest | None:
    first, second = rated.mean(*a), rated.mean(*b)
    assert first is not None and second is not None
    is_finite = np.isfinite(first) & np.isfinite(second) & np.isfinite(rated.ratings)
    first, second, ratings = first[is_finite], second[is_finite], rated.ratings[is_finite]
    r_a, r_b, between = pearson(first, ratings), pearson(second, ratings), pearson(first, second)
    if r_a is None or r_b is None or between is None:
        return None
    test = williams(r_a, r_b, between, len(ratings))
    return None if test is None else RatingCorrelationTest(rated.suite, a, b, r_a, r_b, between, len(ratings), test)


def sections(analysis: Analysis) -> Iterator[Section]:
    rows = rating_correlations(analysis.results)
    if not rows:
        if analysis.results.rating_correlations:
            intro = "Pearson's r of scores with human ratings, as given in the table: the mean over seeds."
            yield Section("ratings", "Ratings of acceptability", intro, (), (_imported_table(analysis.results),))
        return
    level = analysis.level
    suites = dict.fromkeys(row.suite for row in rows)
    figures = tuple(_figure(suite, [row for row in rows if row.suite == suite], level) for suite in suites)
    tests = rating_correlation_tests(analysis.results)
    intro = (
        "Pearson's r between scores, averaged over seeds, and human ratings, over sentences, with its "
        f"{level} interval over sentences (Fisher's z). Williams' test (1959; Steiger 1980, eq. 7) compares two "
        "correlations with the same ratings. Holm and BH correct over the tests of a suite. Intervals and tests do not "
        "reflect the variation between seeds; see the values by seed."
    )
    yield Section("ratings", "Ratings of acceptability", intro, figures, (_table(rows, level), _test_table(tests)))


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
    r, low, high = (formatting.number(x, 3) for x in (row.correlation.r, row.correlation.low, row.correlation.high))
    seeds = ", ".join(f"{formatting.number(r, 3)} (seed {seed})" for seed, r in row.by_seed.items())
    return f"{row.condition} · {row.model}\nr {r}, {level} [{low}, {high}]\n{seeds}"


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
        *saved(low="correlation.low", high="correlation.high"),
        Column("p", "p", "p", "correlation.p", "two-sided t test of r = 0"),
        Column(
            *("mean_of_seeds", "mean of seeds", "number"),
            lambda row: Cell(mean(row.by_seed.values()), tip=_tooltip(row, level)),
            "mean of the r of each seed",
            saved=False,
            digits=3,
        ),
        *saved(by_seed=lambda row: seeds_text(row.by_seed)),
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
        *saved(by_seed=lambda row: seeds_text(row["by_seed"])),
    )
    rows = [
        {"suite": suite, "condition": condition, "model": model, "by_seed": by_seed}
        for (suite, condition, model), by_seed in correlations_by_cell(results).items()
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
        *saved("n"),
        Column("t", "t", "signed", "test.t", "Williams' t"),
        Column("df", "df", "count", "test.df"),
        Column("p", "p", "p", "test.p", "two-sided"),
        *saved(p_greater="test.p_greater"),
        Column("holm", "Holm", "p"),
        Column("bh", "BH", "p"),
    )
    return Table("ratings-tests", "Two correlations with the same ratings: Williams' test", columns, tests)


SECTIONS = {150: sections}
