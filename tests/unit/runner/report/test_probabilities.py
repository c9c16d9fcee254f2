"""Robustness and its ceiling on models that differ by known noise."""

from pathlib import Path

import numpy as np
import pytest

from runner.report.analysis import analyse
from runner.report.results import read_results
from tests.support.tiny import write_tiny


def noisy(folder: Path, seeds: int, sd: float, items: int = 3000):
    """Conditions that differ in nothing but their seeds: PΔ = item + sd·noise, item variance 1."""
    ease = np.random.default_rng(1).normal(0, 1, items)
    cells = {}
    for i, condition in enumerate(("full", "agr-pp-mod")):
        for seed in range(1, seeds + 1):
            cells[condition, seed] = (ease + np.random.default_rng([i, seed]).normal(0, sd, items)).tolist()
    return analyse(read_results(write_tiny(folder / "results", cells))).probability_deltas[0]


@pytest.mark.parametrize("seeds", [2, 3, 4])
def test_r_reaches_the_ceiling_where_only_seeds_differ(tmp_path: Path, seeds: int) -> None:
    row = noisy(tmp_path, seeds, 1.0)
    # reliability of a mean of n: 1 / (1 + 1/n); the split-half r alone is too low for it
    assert row.ceiling == pytest.approx(seeds / (seeds + 1), abs=0.02)
    assert row.robustness == pytest.approx(row.ceiling, abs=0.03)
    assert row.split_half < row.ceiling - 0.05


def test_one_seed_has_no_ceiling(tmp_path: Path) -> None:
    row = noisy(tmp_path, 1, 1.0, items=50)
    assert (row.split_half, row.ceiling) == (None, None)
    assert row.difference.low is None
