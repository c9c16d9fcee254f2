"""A cell whose model two processes train, told to stop as schedulers do: it is saved, nobody is left, and it goes on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from runner.execute.job import Job
from runner.execute.pool import WORKER, outcome
from runner.execute.state import INTERRUPTED, Record
from runner.model.training import TrainSpec
from tests.support.models import LINES, LSTM, tokenizer, tokens

pytest.importorskip("accelerate")
BUSY = 20  # steps after which it is told


@pytest.fixture
def job(tmp_path: Path) -> Path:
    """The job of a cell that trains for a while."""
    spec = TrainSpec(rows="sentence", epochs=30.0, batch=8, block=32, processes=2)
    here = {
        name: str(tmp_path / name) for name in ("tokenizer", "tokens", "valid", "train_folder", "perplexity_folder")
    }
    tokens(tmp_path / "tokens")
    tokens(tmp_path / "valid", LINES[::4])
    tokenizer().save_pretrained(here["tokenizer"])
    made = Job(
        name="a/m/1", seed=1, model=LSTM, training=spec, train_key="t", perplexity_key="p", texts={}, scores=(),
        record=str(tmp_path / "a.state.json"), **here,
    )  # fmt: skip
    return made.write(tmp_path / "a.json")


def begin(job: Path) -> subprocess.Popen[str]:
    """The cell's process, once it trains."""
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    started = subprocess.Popen(
        [*WORKER, str(job), "--detached"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env
    )
    assert started.stdout is not None
    for line in started.stdout:
        event = json.loads(line)
        if event["event"] == "train" and event["step"] >= BUSY:
            return started
    raise AssertionError(started.communicate()[1])


def processes(job: Path) -> list[int]:
    """All that run the cell, torchrun among them."""
    found = [int(folder.name) for folder in Path("/proc").iterdir() if folder.name.isdecimal()]
    return [pid for pid in found if str(job) in _command(pid)]


def _command(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().split("\0")
    except OSError:
        return []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "to_all"), [("SIGTERM", False), ("SIGUSR2", False), ("SIGUSR2", True), ("SIGTERM", True)]
)
def test_a_signal_to_the_cell_or_to_all_its_processes_saves_it(job: Path, number: str, to_all: bool) -> None:
    started = begin(job)
    running = processes(job)
    assert len(running) == 4  # the cell's, torchrun's, and two that train
    for pid in running if to_all else [started.pid]:
        os.kill(pid, getattr(signal, number))
    _, errors = started.communicate(timeout=100)
    assert started.returncode == 130, errors
    assert processes(job) == []
    read = Job.read(job)
    assert outcome(130, errors, read) == INTERRUPTED
    assert (job.parent / "train_folder.unfinished" / "checkpoint.safetensors").is_file()

    again = begin(job)
    again.communicate(timeout=200)
    assert again.returncode == 0
    told = Record.read(Path(read.record), read.key)
    assert told is not None
    assert told.state == "done"
    steps = [
        json.loads(line)["step"] for line in (job.parent / "train_folder" / "train.jsonl").read_text().splitlines()
    ]
    assert steps == sorted(steps)


@pytest.mark.slow
def test_nobody_trains_on_where_the_process_of_the_cell_is_killed(job: Path) -> None:
    started = begin(job)
    started.kill()
    started.communicate(timeout=60)
    until = time.monotonic() + 60
    while processes(job) and time.monotonic() < until:
        time.sleep(0.2)
    assert processes(job) == []
