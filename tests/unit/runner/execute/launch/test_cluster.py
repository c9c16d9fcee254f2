"""Tasks of Slurm without Slurm: what is submitted again, and time limits."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from runner.errors import InputError
from runner.execute.cells.job import Job
from runner.execute.launch.cluster import SUBMITTED, Cluster
from runner.execute.launch.slurm_text import Resources, minutes_of
from runner.execute.records.cache import publish
from runner.execute.records.cell_record import INTERRUPTED, Record


class FakeQueue:
    """A queue that gives its answers one after the other, and then the last one."""

    def __init__(self, *answers: dict[str, str] | None, tasks: Sequence[str] = ("7_0", "7_1")) -> None:
        self.answers = list(answers)
        self.tasks = list(tasks)

    def states(self, tasks) -> dict[str, str] | None:
        assert sorted(tasks) == self.tasks
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


def cluster(folder: Path, queue: FakeQueue, submitted: list[Path], **options: str) -> Cluster:
    made = Cluster(folder, "x", Resources(more=options), lambda event: None, poll_seconds=0.0)
    made._queue = queue
    made._submit = lambda jobs: submitted.extend(jobs) or {path: f"8_{n}" for n, path in enumerate(jobs)}
    return made


@pytest.fixture
def jobs(tmp_path: Path) -> list[Path]:
    paths = [job_file(tmp_path / name) for name in ("a", "b")]
    submitted = {str(path): f"7_{number}" for number, path in enumerate(paths)}
    (tmp_path / SUBMITTED).write_text(json.dumps(submitted), encoding="utf-8")
    return paths


def test_a_queued_job_is_not_submitted_again_although_slurm_answers_late(tmp_path: Path, jobs: list[Path]) -> None:
    submitted: list[Path] = []
    made = cluster(tmp_path, FakeQueue(None, None, {"7_0": "RUNNING"}), submitted)
    assert made._submit_missing(jobs) == {jobs[0]: "7_0", jobs[1]: "8_0"}
    assert submitted == [jobs[1]]


def test_nothing_is_submitted_if_slurm_does_not_answer(tmp_path: Path, jobs: list[Path]) -> None:
    submitted: list[Path] = []
    with pytest.raises(InputError, match="FICT842"):
        cluster(tmp_path, FakeQueue(None), submitted)._submit_missing(jobs)
    assert submitted == []


@pytest.mark.parametrize(
    ("record", "is_reused"),
    [
        ({"state": "running", "task": "7_0"}, False),
        ({"state": "running", "task": "6_0"}, True),
        ({"state": "stopped", "task": "7_0"}, True),  # requeued
    ],
)
def test_a_job_that_was_changed_after_its_task_had_started_is_submitted_again(
    tmp_path: Path, jobs: list[Path], record: dict[str, Any], is_reused: bool
) -> None:
    Record(key="of the job before the change", **record).write(Path(Job.read(jobs[0]).record))
    submitted: list[Path] = []
    made = cluster(tmp_path, FakeQueue({"7_0": "RUNNING", "7_1": "PENDING"}), submitted)
    assert made._submit_missing(jobs) == {jobs[0]: "7_0" if is_reused else "8_0", jobs[1]: "7_1"}
    assert submitted == ([] if is_reused else [jobs[0]])


def test_the_tasks_of_other_jobs_stay_in_the_list(tmp_path: Path, jobs: list[Path]) -> None:
    other = job_file(tmp_path / "other")
    cluster(tmp_path, FakeQueue({"7_0": "RUNNING"}), [])._submit_missing([other])
    assert json.loads((tmp_path / SUBMITTED).read_text()) == {str(jobs[0]): "7_0", str(other): "8_0"}


@pytest.mark.parametrize("content", ["[]", "{", '{"/a.json": 7}'])
def test_a_damaged_list_of_tasks_is_none(tmp_path: Path, content: str) -> None:
    (tmp_path / SUBMITTED).write_text(content, encoding="utf-8")
    submitted: list[Path] = []
    cluster(tmp_path, FakeQueue({}), submitted)._submit_missing([Path("/a.json")])
    assert submitted == [Path("/a.json")]


@pytest.mark.parametrize(
    ("commands", "reason"),
    [
        ({}, "the command srun was not found"),
        ({"srun": "exit 0"}, "the command sbatch was not found"),
        ({"srun": "exit 0", "sbatch": "echo done"}, 'Could not make sense of sbatch output "done"'),
    ],
)
def test_the_command_that_fails_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, commands: dict[str, str], reason: str
) -> None:
    for name, script in commands.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match=f"FICT842.*{reason}"):
        Cluster(tmp_path / "jobs", "x", Resources(), lambda event: None)._submit([Path("/a.json")])


@pytest.mark.parametrize(
    ("time", "minutes"),
    [("90", 90), ("90:01", 91), ("1:30:00", 90), ("2-12", 3600), ("2-12:30", 3630), ("1-00:00:30", 1441)],
)
def test_a_time_limit_is_one_of_sbatch(time: str, minutes: int) -> None:
    assert minutes_of(time) == minutes


@pytest.mark.parametrize("time", ["", "two hours", "1:2:3:4", "UNLIMITED", "-5"])
def test_any_other_time_limit_is_refused(tmp_path: Path, time: str) -> None:
    made = Cluster(tmp_path, "x", Resources(more={"time": time}), lambda event: None)
    with pytest.raises(InputError, match="FICT843"):
        made._submit([Path("/a.json")])


def test_a_job_with_a_damaged_result_has_not_finished_until_it_is_replaced(tmp_path: Path) -> None:
    path, score = job_file(tmp_path), tmp_path / "score" / "scores.parquet"
    for folder in ("train", "perplexity", "score"):
        publish(tmp_path / folder, folder, lambda temp: (temp / "scores.parquet").write_text("whole"), {})
    score.unlink()
    polls: list[bool] = []

    class RepairedAtTheThirdPoll:
        def states(self, tasks) -> dict[str, str]:
            polls.append(score.exists())
            if len(polls) == 3:
                score.write_text("whole")
            return dict.fromkeys(tasks, "RUNNING")

    made = cluster(tmp_path / "cluster", FakeQueue({}), [])
    made._queue = RepairedAtTheThirdPoll()
    assert made.run([path]) == {path: None}
    assert polls == [False, False, False]


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ({"state": "stopped", "task": "8_0"}, INTERRUPTED),  # such as by scancel
        ({"state": "stopped", "task": "8_0", "error": "FICT790 no space"}, "FICT790 no space"),
        ({"state": "stopped", "task": "7_0"}, "its Slurm job 8_0 ended without a result; its log is in "),
        ({"state": "running", "task": "8_0"}, "its Slurm job 8_0 ended without a result; its log is in "),
    ],
)
def test_the_reason_of_a_task_that_was_stopped_is_given(tmp_path: Path, record: dict[str, Any], reason: str) -> None:
    path = job_file(tmp_path)
    job = Job.read(path)
    Record(key=job.key, **record).write(Path(job.record))
    made = cluster(tmp_path / "cluster", FakeQueue({}, tasks=["8_0"]), [])
    assert made.run([path]) == {path: reason + (str(tmp_path / "cluster") if reason.endswith(" ") else "")}


def job_file(folder: Path) -> Path:
    """A job whose results have the names of their folders as keys."""
    texts = dict.fromkeys(("name", "tokenizer", "tokens", "valid"), "x")
    keys = {f"{step}_key": step for step in ("train", "perplexity")}
    folders = {f"{step}_folder": str(folder / step) for step in ("train", "perplexity")}
    scores = ({"suite": "blimp", "folder": str(folder / "score"), "key": "score"},)
    record = str(folder / "job.state.json")
    job = Job(**texts, **keys, **folders, seed=1, model={}, training={}, texts={}, scores=scores, record=record)
    folder.mkdir(exist_ok=True)
    path = folder / "job.json"
    path.write_text(json.dumps(asdict(job)), encoding="utf-8")
    return path
