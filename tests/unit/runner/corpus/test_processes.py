"""Calls made by other processes return what they would here; a process that is killed is one message."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import numpy as np
import pytest

from runner.corpus.processes import process_pool
from runner.errors import InputError


def test_calls_return_what_they_would_here(tmp_path: Path) -> None:
    with process_pool(2, tmp_path) as pool:
        assert pool is not None and pool.has_capacity
        results = [pool.submit(np.cumsum, np.full(100_000, number)) for number in range(20)]
        assert [found.result().tolist()[-1] for found in results] == [100_000 * number for number in range(20)]
        assert pool.has_capacity
        with pytest.raises(ZeroDivisionError):
            pool.submit(divmod, 1, 0).result()
    assert not list(tmp_path.iterdir())


def test_a_long_call_keeps_a_process_busy(tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    with process_pool(1, tmp_path) as pool:
        assert pool is not None
        results = pool.submit_long(Path.read_text, gate)
        assert not pool.has_capacity and not results.done()
        gate.write_text("open")
        assert results.result() == "open"
        assert pool.has_capacity


def test_a_killed_process_is_one_message(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught, process_pool(1, tmp_path) as pool:
        assert pool is not None
        pool.submit(signal.raise_signal, signal.SIGKILL).result()
    assert [found.code for found in caught.value.diagnostics] == ["FICT760"]
    assert not list(tmp_path.iterdir())


def test_no_others() -> None:
    with process_pool(0, Path("nowhere")) as pool:
        assert pool is None
