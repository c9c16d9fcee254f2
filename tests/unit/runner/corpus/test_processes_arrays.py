"""What one process hands to another arrives as it was."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from runner.corpus.processes import deserialize, serialize


@pytest.mark.parametrize("size", [0, 1, 511, 512, 100_000])
def test_arrays_come_back(size: int, tmp_path: Path) -> None:
    numbers = np.arange(size)
    table = pa.table({"text": pa.array([f"é{n}" for n in range(size)]), "code": pa.array(numbers).dictionary_encode()})
    handed = serialize((numbers, table, {"one": [None]}), tmp_path / "1")
    assert (tmp_path / "1").exists() == (numbers.nbytes >= 4096)
    found, again, rest = deserialize(handed)
    assert found.dtype == numbers.dtype and (found == numbers).all()
    assert again.equals(table) and rest == {"one": [None]}
    again.validate(full=True)
    assert deserialize(serialize(numbers[:100], tmp_path / "1")).tolist() == numbers[:100].tolist()


def test_large_arrays_do_not_go_with_the_value(tmp_path: Path) -> None:
    handed = serialize([np.zeros(1 << 20), np.ones(3)], tmp_path / "1")
    assert len(handed.value) < 1_000
    assert (tmp_path / "1").stat().st_size == sum(handed.sizes) == 8 << 20
