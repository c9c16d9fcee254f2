"""Correlations between models, from the scores of pairs."""

import pytest
from scipy import stats


def test_probability_deltas_of_two_models(analysis) -> None:
    (full,) = [r for r in analysis.relations if r.x == "PΔ full"]
    by_model = {
        model: {p.unit.name: p.full for p in analysis.probabilities if p.model == model} for model in full.models
    }
    a, b = by_model.values()
    assert full.correlation.n == len(a) == 6
    assert full.correlation.r == pytest.approx(stats.pearsonr([a[k] for k in a], [b[k] for k in a]).statistic)


def test_changes_are_over_targeted_cells_only(analysis) -> None:
    assert not [r for r in analysis.relations if r.x.startswith("ΔPΔ")]  # two cells: no correlation
    (accuracy,) = [r for r in analysis.relations if r.x == "accuracy"]
    assert (accuracy.units, accuracy.correlation.n) == ("benchmarks", 6)
