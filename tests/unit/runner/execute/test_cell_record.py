"""What cells say of themselves, and when a signal ends them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.execute.cell import SIGNALS, Stop
from runner.execute.state import HEARTBEAT_TIMEOUT, CellPaths, CellState, Record, Recorder, cell_states


@pytest.mark.parametrize(
    ("raised", "state", "error"),
    [
        (None, "done", ""),
        (InputError(diagnostic("FICT803", value="nan", step=31)), "failed", "FICT803"),
        (MemoryError(), "failed", "MemoryError"),
        (ValueError("odd\nand more"), "failed", "ValueError: odd"),
        (KeyboardInterrupt(), "stopped", ""),
        (BrokenPipeError(32, "Broken pipe"), "stopped", "BrokenPipeError: [Errno 32] Broken pipe"),
    ],
    ids=["done", "input", "memory", "bug", "stopped", "killed run"],
)
def test_how_a_cell_ends_is_on_record(tmp_path: Path, raised: BaseException | None, state: str, error: str) -> None:
    path = tmp_path / "a.state.json"

    def work() -> None:
        with Recorder(path, "k") as recorder:
            recorder.record_event({"event": "train", "step": 3, "steps": 9})
            running = Record.read(path, "k")
            assert running is not None
            assert running.alive
            if raised is not None:
                raise raised

    if raised is None:
        work()
    else:
        with pytest.raises(type(raised)):
            work()
    told = Record.read(path, "k")
    assert told is not None
    assert (told.state, told.error.startswith(error), bool(told.error)) == (state, True, bool(error))
    assert told.last == {"event": "train", "step": 3, "steps": 9}
    assert Record.read(path, "of another manifest") is None


def states(place: CellPaths) -> CellState:
    return cell_states([place])[0]


def test_a_cell_whose_process_is_gone_waits(tmp_path: Path) -> None:
    place = CellPaths("full/lstm/1", "k", ((tmp_path / "train", "t"),), tmp_path / "a.state.json")
    assert states(place).state == "waiting"
    record = Record("running", "k")
    record.write(place.record)
    assert states(place).state == "running"
    ended = subprocess.Popen([sys.executable, "-S", "-c", ""])
    ended.wait()
    replace(record, pid=ended.pid).write(place.record)
    assert states(place).state == "waiting"
    elsewhere = replace(record, host="node17", pid=ended.pid)
    elsewhere.write(place.record)
    assert states(place).state == "running"
    replace(elsewhere, at=elsewhere.at - 2 * HEARTBEAT_TIMEOUT).write(place.record)
    assert states(place).state == "waiting"
    replace(record, state="failed", error="why").write(place.record)
    assert states(place).state == "failed"
    (tmp_path / "train").mkdir()
    (tmp_path / "train" / "done.json").write_text('{"key": "t", "files": {}}')
    assert states(place).state == "done"


@pytest.fixture
def stop() -> Iterator[Stop]:
    before = {number: signal.getsignal(number) for number in SIGNALS}
    found = Stop()
    found.listen()
    yield found
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_ends_at_once_what_has_nothing_to_save(stop: Stop, number: signal.Signals) -> None:
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), number)


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_waits_for_what_looks_by_itself(stop: Stop, number: signal.Signals) -> None:
    seen = []
    with pytest.raises(KeyboardInterrupt), stop.deferred():
        seen.append(stop())
        os.kill(os.getpid(), number)
        os.kill(os.getpid(), number)
        seen.append(stop())
    assert seen == [False, True]
