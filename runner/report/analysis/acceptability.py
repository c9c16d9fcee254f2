"""Correlations of scores with acceptability ratings, and tests of the difference between two such correlations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from runner.report.analysis.statistics import references
from runner.report.results.rated import RatedSuite
from runner.report.results.results import Results
from runner.score.statistics import inference
from runner.score.statistics.correlation import Correlation, Williams, correlation, williams
from runner.score.statistics.inference import Floats, pearson

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
    for rated in results.rated:
        for condition, model in _scored_cells(results, rated):
            scores, unigram_scores = rated.mean(condition, model), rated.unigram_mean(condition, model)
            assert scores is not None and unigram_scores is not None
            overall = correlation(scores, rated.ratings, results.run.report.confidence)
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
    for rated in results.rated:
        tests = [test for a, b in _cell_pairs(results, rated) if (test := _williams_test(rated, a, b)) is not None]
        p_values: list[float | None] = [test.test.p for test in tests]
        corrected = zip(tests, inference.holm(p_values), inference.benjamini_hochberg(p_values), strict=True)
        corrected_tests += [replace(test, holm=holm, bh=bh) for test, holm, bh in corrected]
    return corrected_tests


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
