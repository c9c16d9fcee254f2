"""Processes of cells on this machine: what they say, in whatever encoding, and from whatever folder."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

from runner.execute.cells.job import Job
from runner.execute.launch.pool import Pool
from runner.execute.launch.starter import WORKER
from runner.model.recipe import TrainSpec


@pytest.fixture
def job(tmp_path: Path) -> Path:
    """The job of a cell that is never trained."""
    here = str(tmp_path)
    spec = asdict(TrainSpec(epochs=1.0, processes=2))
    made = Job("a/m/1", 1, {}, spec, here, here, here, here, "t", here, "p", {}, (), str(tmp_path / "a.state.json"))
    path = tmp_path / "a.json"
    path.write_text(json.dumps(asdict(made)))
    return path


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


def test_so_is_each_of_the_processes_that_train_one_model(tmp_path: Path, job: Path) -> None:
    pytest.importorskip("accelerate")
    ended = cell(tmp_path, str(job), "--detached")
    assert "another program" not in ended.stderr
    assert "FICT802" in ended.stdout, ended.stderr
