"""Scores of rated sentences to their correlations with the ratings, and to tests between two of these."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from runner.report.analysis.statistics import references
from runner.report.results.rated import Rated
from runner.report.results.results import Results
from runner.score.statistics import inference
from runner.score.statistics.correlation import Correlation, Williams, correlation, williams
from runner.score.statistics.inference import Floats, pearson

Scored = tuple[str, str]  # condition and model


@dataclass(frozen=True, slots=True)
class Agreement:
    """Pearson's r with the ratings of a suite: of the scores averaged over seeds, and of each seed's.

    `unigram` is that of word frequencies; None where all sentences are equally likely by these.
    """

    suite: str
    condition: str
    model: str
    correlation: Correlation
    by_seed: dict[int, float]
    unigram: float | None


@dataclass(frozen=True, slots=True)
class AgreementTest:
    """Williams' test between the correlations of two conditions, or of two models, with the same ratings.

    `between` is their scores' own r, `n` the sentences that both score. Corrected over the tests of a suite.
    """

    suite: str
    a: Scored
    b: Scored
    r_a: float
    r_b: float
    between: float
    n: int
    test: Williams
    holm: float | None = None
    bh: float | None = None


def agreements(results: Results) -> list[Agreement]:
    """A row for each suite, condition and model of which the scores and the ratings vary."""
    given = {(one.suite, one.condition, one.model, one.seed): one.value for one in results.ratings}
    found = []
    for rated in results.rated:
        for condition, model in _scored(results, rated):
            scores, words = rated.mean(condition, model), rated.frequencies(condition, model)
            assert scores is not None and words is not None
            whole = correlation(scores, rated.ratings, results.run.report.confidence)
            seeds = {key[3]: r for key, r in given.items() if key[:3] == (rated.suite, condition, model)}
            if whole is not None:
                unigram = pearson(words, rated.ratings)
                found.append(Agreement(rated.suite, condition, model, whole, dict(sorted(seeds.items())), unigram))
    return found


def agreement_tests(results: Results) -> list[AgreementTest]:
    """Each condition against its controls and the full one, and models against each other under one condition."""
    found = []
    for rated in results.rated:
        tests = [test for a, b in _pairs(results, rated) if (test := _test(rated, a, b)) is not None]
        p: list[float | None] = [test.test.p for test in tests]
        corrected = zip(tests, inference.holm(p), inference.benjamini_hochberg(p), strict=True)
        found += [replace(test, holm=holm, bh=bh) for test, holm, bh in corrected]
    return found


def _scored(results: Results, rated: Rated) -> list[Scored]:
    seen = {(cell.condition, cell.model) for cell in rated.cells}
    return [(c.name, model) for c in results.conditions for model in results.models if (c.name, model) in seen]


def _pairs(results: Results, rated: Rated) -> Iterator[tuple[Scored, Scored]]:
    scored = _scored(results, rated)
    for name, model in scored:
        for reference, _ in references(results, results.condition(name)):
            if (reference.name, model) in scored:
                yield (name, model), (reference.name, model)
    for one, other in combinations(scored, 2):
        if one[0] == other[0]:
            yield one, other


def _test(rated: Rated, a: Scored, b: Scored) -> AgreementTest | None:
    first, second = rated.mean(*a), rated.mean(*b)
    assert first is not None and second is not None
    known = np.isfinite(first) & np.isfinite(second) & np.isfinite(rated.ratings)
    columns: list[Floats] = [first[known], second[known], rated.ratings[known]]
    r_a, r_b, between = pearson(columns[0], columns[2]), pearson(columns[1], columns[2]), pearson(*columns[:2])
    if r_a is None or r_b is None or between is None:
        return None
    n = int(known.sum())
    test = williams(r_a, r_b, between, n)
    return None if test is None else AgreementTest(rated.suite, a, b, r_a, r_b, between, n, test)
