"""Processes of cells on this machine: what they say, in whatever encoding, and from whatever folder."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from runner.execute import pool as processes
from runner.execute.job import Job
from runner.execute.pool import PYTHON, WORKER, Pool
from runner.execute.state import Record
from runner.model.recipe import ModelSpec
from runner.model.training import TrainSpec


@pytest.fixture
def job(tmp_path: Path) -> Path:
    """The job of a cell that is never trained."""
    paths = dict.fromkeys(("tokenizer", "tokens", "valid", "train_folder", "perplexity_folder"), tmp_path)
    made = Job(
        name="a/m/1", seed=1, model=ModelSpec("m", "lstm"), training=TrainSpec(epochs=1.0, processes=2), train_key="t",
        perplexity_key="p", texts={}, scores=(), record=tmp_path / "a.state.json", **paths,
    )  # fmt: skip
    return made.write(tmp_path / "a.json")


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
@pytest.mark.parametrize("code", [0, 1])
def test_bytes_that_are_not_utf_8_fail_no_run(tmp_path: Path, job: Path, stream: str, code: int) -> None:
    worker = f"import sys; sys.{stream}.buffer.write('Größe\\n'.encode('latin-1')); sys.exit({code})"
    events: list[dict[str, object]] = []
    ended = Pool(1, events.append, [sys.executable, "-S", "-c", worker]).run([job])
    said = "Gr\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}e"
    told = f": {said}" if stream == "stderr" else ""
    assert ended == {job: f"ended with exit code {code}{told}" if code else None}
    assert events == ([{"event": "output", "text": said}] if stream == "stdout" else [])


def test_a_cell_that_dies_before_its_record_is_not_taken_for_one_that_was_stopped_earlier(job: Path) -> None:
    read = Job.read(job)
    Record("stopped", read.key).write(Path(read.record))
    worker = [sys.executable, "-S", "-c", "raise SystemExit('no library')"]
    assert Pool(1, lambda event: None, worker).run([job]) == {job: "ended with exit code 1: no library"}
    record = Record.read(Path(read.record), read.key)
    assert record is not None and record.state == "failed"


def test_a_cell_is_understood_where_the_terminal_has_another_encoding(
    tmp_path: Path, job: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "latin-1")
    events: list[dict[str, object]] = []
    Pool(1, events.append, [sys.executable, "-S", "-c", "print('Größe')"]).run([job])
    assert events == [{"event": "output", "text": "Größe"}]


def test_cells_that_run_at_the_same_time_have_different_environments(tmp_path: Path, job: Path) -> None:
    worker = "import os, time; print(os.environ['GPU'], flush=True); time.sleep(0.5)"
    events: list[dict[str, object]] = []
    jobs = [job, *(job.with_name(f"{number}.json") for number in range(3))]
    for path in jobs[1:]:
        path.write_text(job.read_text())
    pool = Pool(2, events.append, [sys.executable, "-S", "-c", worker], [{"GPU": "5"}, {"GPU": "7"}])
    assert set(pool.run(jobs).values()) == {None}
    assert sorted(str(event["text"]) for event in events) == ["5", "5", "7", "7"]
    assert {str(event["text"]) for event in events[:2]} == {"5", "7"}


FOREIGN = "raise SystemExit('another program')\n"


def cell(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """What a cell's process says in a folder with a module of the name of ours."""
    (folder / "runner.py").write_text(FOREIGN)
    return subprocess.run(
        [*WORKER, *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )


def test_a_cell_is_ours_in_a_folder_with_a_module_of_that_name(tmp_path: Path) -> None:
    ended = cell(tmp_path, "missing.json")
    assert (ended.returncode, "FICT841" in ended.stderr) == (2, True), ended.stderr


@pytest.mark.slow
def test_so_is_each_of_the_processes_that_train_one_model(tmp_path: Path, job: Path) -> None:
    pytest.importorskip("accelerate")
    ended = cell(tmp_path, str(job), "--detached")
    assert "another program" not in ended.stderr
    assert "FICT802" in ended.stdout, ended.stderr


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="cells are forked on Linux only")
def test_cells_are_forked_from_one_server(tmp_path: Path, job: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FICTC_WHOSE", "ours")
    (tmp_path / "runner.py").write_text(FOREIGN)
    worker = (*PYTHON, "-m", "of_a_test")
    monkeypatch.setattr(processes, "WORKER", worker)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "of_a_test.py").write_text(
        "import json, os, sys\n"
        "state = ['transformers' in sys.modules, os.getppid(), os.getcwd(), os.environ['FICTC_WHOSE'], sys.argv[1:]]\n"
        "print(json.dumps({'event': state}), flush=True)\n"
        "sys.stderr.buffer.write('Größe\\n'.encode('latin-1'))\n"
        "sys.exit(int(os.environ.get('FICTC_CODE', '0')))\n"
    )
    events: list[dict[str, Any]] = []
    assert Pool(2, events.append, worker).run([job]) == {job: None}
    monkeypatch.setenv("FICTC_CODE", "7")
    ended = Pool(2, events.append, worker).run([job])
    assert ended == {job: "ended with exit code 7: Gr\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}e"}
    first, second = (event["event"] for event in events)
    assert first == second
    assert first[0] is True
    assert first[1] != os.getpid()
    assert first[2:] == [str(tmp_path), "ours", [str(job)]]


@pytest.mark.skipif(sys.platform != "linux", reason="cells are forked on Linux only")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_forked_process_ends_by_a_signal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    process = waiting(tmp_path, monkeypatch)
    if number == signal.SIGTERM:
        process.terminate()
    else:
        os.kill(int(process.stdout.readline()), number)
    assert process.wait() == -number


@pytest.mark.skipif(sys.platform != "linux", reason="cells are forked on Linux only")
def test_a_forked_process_sees_the_end_of_its_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    process, other = waiting(tmp_path, monkeypatch), waiting(tmp_path, monkeypatch)
    process.stdin.close()
    assert process.wait() == 5
    other.terminate()
    assert other.wait() == -signal.SIGTERM


def waiting(folder: Path, monkeypatch: pytest.MonkeyPatch) -> processes.ForkedProcess:
    """A forked process that waits for its input and then ends with code 5."""
    monkeypatch.syspath_prepend(folder)
    (folder / "waits.py").write_text("import os, sys\nprint(os.getpid(), flush=True)\nos.read(0, 1)\nsys.exit(5)\n")
    return processes.ForkedProcess(["waits"], os.environ)
