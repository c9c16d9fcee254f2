"""The simulation of coverage: resumed, reproduced, and counting what the intervals read."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from benchmarks.coverage import cells, main, table
from benchmarks.decisions import counted
from runner.score.statistics.components import paradigm


def test_counts_are_what_the_intervals_read() -> None:
    """The simulation counts right decisions; reports read the same values as floating-point numbers."""
    rng = np.random.default_rng(1)
    first, second = (np.float32(rng.random((7, 4, 30)) < share) for share in (0.7, 0.9))
    fast, exact = counted(first, second), paradigm(np.float64(first), np.float64(second))
    for one, other in (
        (fast.first, exact.first),
        (fast.second, exact.second),
        (fast.differences, exact.differences),
    ):
        assert one is not None and other is not None
        np.testing.assert_allclose(one.by_seed, other.by_seed, atol=1e-15)
        np.testing.assert_allclose(one.by_item, other.by_item, atol=1e-15)
        np.testing.assert_array_equal(one.squares, other.squares)


def test_cells_with_common_random_numbers_have_the_same_rows_alone() -> None:
    chosen = cells()[:6]
    assert list(table(chosen[4:], 50, jobs=1)) == list(table(chosen, 50, jobs=1))[4:]


def test_an_interrupted_table_continues_to_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "table.csv"
    monkeypatch.setattr(sys, "argv", ["coverage", "--simulations", "20", "--every", "250", "--output", str(path)])
    main()
    whole = path.read_bytes()
    assert len(whole.splitlines()) == 1 + len(cells()[::250])
    path.write_bytes(whole[: len(whole) // 2])
    main()
    assert path.read_bytes() == whole
