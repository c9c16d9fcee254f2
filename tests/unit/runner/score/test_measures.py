"""Accuracies and probability deltas on tables small enough to count by hand."""

import math

import numpy as np
import pyarrow as pa
import pytest

from runner.score.any_suite import PAIRS
from runner.score.measures import (
    accuracy,
    decisions,
    probability_delta,
    robustness_ceiling,
    row_means,
    seed_reliability,
    split_half,
)
from runner.score.sweep import summary_values


def table(rows: list[tuple]) -> pa.Table:
    columns = ["paradigm", "phenomenon", "field", "score_good", "score_bad", "identical", "unk_good", "unk_bad"]
    return pa.table(
        {name: pa.array([row[i] for row in rows]) for i, name in enumerate(columns)},
    )


ROWS = [
    ("a", "agreement", "morphology", -1.0, -2.0, False, 0, 0),  # right
    ("a", "agreement", "morphology", -2.0, -1.0, False, 1, 0),  # wrong
    ("a", "agreement", "morphology", -1.0, -1.0, False, 0, 1),  # tie
    ("a", "agreement", "morphology", None, None, True, 1, 1),  # identical
    ("b", "agreement", "morphology", -1.0, -9.0, False, 0, 0),
    ("c", "islands", "syntax", None, None, True, 0, 0),
]


@pytest.mark.parametrize(
    ("ties", "expected", "told_apart"), [("half", 0.5, 0.5), ("strict", 1 / 4, 1 / 3), ("argmax", 3 / 4, 2 / 3)]
)
def test_accuracy_counts_ties_and_identical_pairs_as_asked(ties: str, expected: float, told_apart: float) -> None:
    """A right pair, a tie, a wrong one and one that the tokenizer makes identical, which has no scores."""
    a, b, _ = accuracy(table(ROWS), ties)
    assert (a.accuracy, a.told_apart) == (pytest.approx(expected), pytest.approx(told_apart))
    assert (a.pairs, a.applicable, a.ties, a.identical, a.unknown) == (4, 3 if ties == "half" else 4, 1, 1, 3)
    assert (b.accuracy, b.ties) == (1.0, 0)
    (row,) = [row for row in PAIRS.summaries(table(ROWS)) if row["paradigm"] == a.paradigm]
    values = {metric: value for _, metric, value in summary_values("suite", row, ties)}
    assert values["accuracy"] == pytest.approx(expected), "checkpoints count alike"


def test_a_paradigm_of_identical_pairs_has_an_accuracy_only_where_they_count() -> None:
    found = {ties: accuracy(table(ROWS), ties)[2] for ties in ("half", "strict", "argmax")}
    assert {ties: row.accuracy for ties, row in found.items()} == {"half": None, "strict": 0.0, "argmax": 1.0}
    assert {row.told_apart for row in found.values()} == {None}


def test_decisions_keep_missing_scores_missing() -> None:
    nan = float("nan")
    found = decisions(np.array([0.0, nan, 1.0]), np.array([0.0, nan, nan]))
    assert found[0] == 0.5
    assert np.isnan(found[1:]).all()
    assert row_means(np.array([[1.0, nan, 0.0], [nan, nan, nan]])) == [0.5, None]


def test_probability_delta_is_a_mean_over_seeds_per_item() -> None:
    good = np.array([[-1.0, -5.0, np.nan], [-3.0, -5.0, -1.0]])
    bad = np.array([[-2.0, -4.0, np.nan], [-3.0, -2.0, -1.0]])
    found = probability_delta(good, bad)
    assert found[:2].tolist() == [0.5, -2.0]
    assert math.isnan(found[2])


def test_split_half_averages_over_all_splits() -> None:
    # three seeds: {1}|{2,3}, {2}|{1,3}, {3}|{1,2}
    deltas = np.array([[1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0], [4.0, 3.0, 2.0, 1.0]])
    # {1}|{2,3}: no variance in (2.5, 2.5, 2.5, 2.5) → undefined as a whole
    assert split_half(deltas) is None
    deltas = np.array([[1.0, 2.0, 3.0, 4.0], [2.0, 4.0, 6.0, 8.0], [1.0, 3.0, 2.0, 4.0]])
    r, k, m = split_half(deltas)
    pairs = [(deltas[0], deltas[1] + deltas[2]), (deltas[1], deltas[0] + deltas[2]), (deltas[2], deltas[0] + deltas[1])]
    assert (k, m) == (1, 2)
    assert r == pytest.approx(np.mean([np.corrcoef(x, y)[0, 1] for x, y in pairs]))
    assert split_half(deltas[:1]) is None
    r, k, m = split_half(deltas[:2])
    assert (r, k, m) == (pytest.approx(1.0), 1, 1)


def test_spearman_brown_by_hand() -> None:
    # one seed against one: r itself; two against two: ρ_2 = r = 2ρ/(1+ρ) → ρ = r/(2−r)
    assert seed_reliability(0.6, 1, 1) == pytest.approx(0.6)
    assert seed_reliability(0.6, 2, 2) == pytest.approx(0.6 / 1.4)
    # five seeds from 2|3 halves and back: √(ρ_2·ρ_3) = r
    rho = seed_reliability(0.7, 2, 3)
    assert robustness_ceiling(rho, 2, 3) == pytest.approx(0.7)
    # the usual formula 2r/(1+r) takes halves of two to the whole of four
    assert robustness_ceiling(seed_reliability(0.6, 2, 2), 4, 4) == pytest.approx(1.2 / 1.6)
    assert seed_reliability(-0.2, 1, 1) == 0.0
    assert seed_reliability(1.0, 2, 3) == pytest.approx(1.0)
