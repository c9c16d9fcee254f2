"""Calls made by other processes return what they would here; a process that is killed is one message."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import numpy as np
import pytest

from runner.corpus.processes.process_pool import crew
from runner.errors import InputError


def test_calls_return_what_they_would_here(tmp_path: Path) -> None:
    with crew(2, tmp_path) as others:
        assert others is not None and others.idle
        coming = [others.call(np.cumsum, np.full(100_000, number)) for number in range(20)]
        assert [found.result().tolist()[-1] for found in coming] == [100_000 * number for number in range(20)]
        assert others.idle
        with pytest.raises(ZeroDivisionError):
            others.call(divmod, 1, 0).result()
    assert not list(tmp_path.iterdir())


def test_a_long_call_keeps_a_process_busy(tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    with crew(1, tmp_path) as others:
        assert others is not None
        coming = others.call_long(Path.read_text, gate)
        assert not others.idle and not coming.done()
        gate.write_text("open")
        assert coming.result() == "open"
        assert others.idle


def test_a_killed_process_is_one_message(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught, crew(1, tmp_path) as others:
        assert others is not None
        others.call(signal.raise_signal, signal.SIGKILL).result()
    assert [found.code for found in caught.value.diagnostics] == ["FICT760"]
    assert not list(tmp_path.iterdir())


def test_no_others() -> None:
    with crew(0, Path("nowhere")) as others:
        assert others is None
