"""Correlations between models, from the scores of pairs."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from runner.report.analysis import analyse
from runner.report.records import Redrawn
from runner.report.results import read_results
from runner.report.sections.corpora import share_of_full
from tests.support.results import CONDITIONS, Fabricated


def test_probability_deltas_of_two_models(analysis) -> None:
    (full,) = [r for r in analysis.correlations if r.x == "PΔ full"]
    by_model = {
        model: {p.unit.name: p.full for p in analysis.probability_deltas if p.model == model} for model in full.models
    }
    a, b = by_model.values()
    assert full.correlation.n == len(a) == 6
    assert full.correlation.r == pytest.approx(stats.pearsonr([a[k] for k in a], [b[k] for k in a]).statistic)


def test_changes_are_over_targeted_cells_only(analysis) -> None:
    assert not [r for r in analysis.correlations if r.x.startswith("ΔPΔ")]  # two cells: no correlation
    (accuracy,) = [r for r in analysis.correlations if r.x == "accuracy"]
    assert (accuracy.units, accuracy.correlation.n) == ("benchmarks", 6)


def test_tokens_and_perplexity_over_runs_and_over_corpora(analysis) -> None:
    found = {
        r.units: r
        for r in analysis.correlations
        if r.y == "perplexity of test" and r.models == ("lstm-128",) and r.with_full
    }
    assert (found["corpora"].correlation.n, found["runs"].correlation.n) == (5, 15)
    scores = [s for s in analysis.texts if (s.text, s.model) == ("test", "lstm-128")]
    tokens = {c.name: c.tokens for c in analysis.results.conditions}
    x = [tokens[s.condition] for s in scores for _ in s.by_seed]
    y = [value for s in scores for value in s.by_seed.values()]
    assert found["runs"].correlation.r == pytest.approx(np.corrcoef(x, y)[0, 1])
    assert found["runs"].correlation.p is None and found["corpora"].correlation.p is not None


def test_without_a_full_condition_each_correlation_is_there_once(tmp_path) -> None:
    names = [name for name in CONDITIONS if name != "full"]
    results = read_results(Fabricated(items=4, conditions=names).write(tmp_path / "results"))
    sizes = tuple(
        condition.model_copy(update={"tokens": 1000 * i}) for i, condition in enumerate(results.conditions, start=1)
    )
    found = analyse(replace(results, conditions=sizes)).correlations
    units = [(r.units, r.with_full) for r in found if r.y == "perplexity of test" and r.models == ("lstm-128",)]
    assert units == [("corpora", False), ("runs", False)]


def test_tokens_are_those_of_each_seed(analysis) -> None:
    conditions = tuple(
        condition.model_copy(
            update={
                "redrawn": tuple(
                    Redrawn(
                        seed=seed,
                        sentences=1,
                        words=1,
                        removed_sentences=0,
                        removed_words=0,
                        tokens=round(10_000 * score.by_seed[seed]),
                    )
                    for score in analysis.texts
                    if (score.text, score.model, score.condition) == ("test", "lstm-128", condition.name)
                    for seed in score.by_seed
                )
            }
        )
        for condition in analysis.results.conditions
    )
    found = analyse(replace(analysis.results, conditions=conditions)).correlations
    tokens = [r for r in found if r.y == "perplexity of test" and r.models == ("lstm-128",)]
    assert [r.units for r in tokens] == ["corpora", "corpora", "runs"]
    for relation in tokens:
        assert relation.correlation.r == pytest.approx(1.0)
    first, second = conditions[:2]
    sizes = [sum(entry.tokens for entry in condition.redrawn) for condition in (first, second)]
    assert share_of_full(second, first) == pytest.approx(sizes[1] / sizes[0])
