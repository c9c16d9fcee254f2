"""Run jobs as Slurm arrays through submitit, and requeue jobs that Slurm terminates early."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import starmap
from pathlib import Path
from typing import Any

from submitit import SlurmExecutor
from submitit.core.utils import FailedJobError, FailedSubmissionError
from submitit.helpers import Checkpointable, DelayedSubmission

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.execute.cells.job import Job
from runner.execute.launch.slurm_queue import Queue
from runner.execute.launch.slurm_text import MAX_ARRAY_TASKS, NOTICE, Resources, minutes_of
from runner.execute.launch.starter import PYTHON, WORKER, outcome
from runner.execute.records.cache import is_intact, is_published
from runner.execute.records.cell_record import INTERRUPTED, Record
from runner.execute.records.events import Listener
from runner.readers import parse_json
from runner.workspace import write_text

MAX_TIMEOUTS = 100  # maximum number of times that a cell reaches its time limit and is requeued
POLL_SECONDS = 10.0  # seconds between status checks
MAX_QUERIES = 6  # maximum number of times that squeue is asked for the tasks of an earlier run
SUBMITTED = "submitted.json"


class CellJob(Checkpointable):
    """A task of an array: one cell in its own process, which saves a checkpoint when it is terminated."""

    def __call__(self, path: str) -> str | None:
        """Run the cell of a job file. Return its error message, or None."""
        start_time = time.time()
        self._process = subprocess.Popen([*WORKER, "--detached", path])
        error = outcome(self._process.wait(), "", Job.read(Path(path)), start_time)
        if error == INTERRUPTED:  # Slurm has terminated the cell first and will terminate this process too
            time.sleep(2 * NOTICE)
        return error

    def checkpoint(self, path: str) -> DelayedSubmission:
        """Let the cell save a checkpoint, and requeue the job, which resumes from it."""
        self._process.terminate()
        os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT)  # the interrupted `wait` reaps it
        return DelayedSubmission(CellJob(), path)  # type: ignore[no-untyped-call]


class Cluster:
    """Run job files as Slurm tasks and wait for them. `folder` has the task logs, and only the user can access it."""

    def __init__(
        self, folder: Path, name: str, resources: Resources, listener: Listener, poll_seconds: float = POLL_SECONDS
    ) -> None:
        self._folder = folder
        self._name = name
        self._resources = resources
        self._listener = listener
        self._poll_seconds = poll_seconds
        self._queue = Queue()

    def run(self, job_files: Sequence[Path]) -> dict[Path, str | None]:
        """Submit the jobs that are not queued, and wait for all jobs. Return the error message of each, or None.

        An interrupt leaves tasks in the queue. Raises InputError if Slurm is not available (FICT842) or rejects jobs
        (FICT843).
        """
        tasks = self._submit_missing(job_files) if job_files else {}
        outcomes: dict[Path, str | None] = {}
        ended_files: set[Path] = set()  # job files whose tasks had ended at an earlier check; results may appear late
        while len(outcomes) < len(job_files):
            states = self._queue.states(tasks.values())
            for path in (path for path in job_files if path not in outcomes):
                # the state is None if the task has left the queue, and empty if Slurm did not answer
                job, state = Job.read(path), "" if states is None else states.get(tasks[path])
                if self._report_progress(job):
                    outcomes[path] = None
                elif (error := self._error(job)) is not None:
                    outcomes[path] = error
                elif state is None and path in ended_files:
                    outcomes[path] = self._reason_of_end(job, tasks[path])
                elif state is None:
                    ended_files.add(path)
            if len(outcomes) < len(job_files):
                time.sleep(self._poll_seconds)
        return outcomes

    def _report_progress(self, job: Job) -> bool:
        """Send the last event of a cell, or the end of its steps, to the listener. Return whether it has finished."""
        results = job.results
        if not _are_finished([(folder, key) for _, folder, key in results]):
            record = Record.read(Path(job.record), job.key)
            if record is not None and record.alive and record.last:
                self._listener(dict(record.last))
            return False
        for step, _, _ in results:
            self._listener({"event": "done", "step": step, "cached": False, "cell": job.name})
        return True

    def _error(self, job: Job) -> str | None:
        record = Record.read(Path(job.record), job.key)
        return record.error if record is not None and record.state == "failed" else None

    def _reason_of_end(self, job: Job, task: str) -> str:
        """Return why a task has left the queue without a result."""
        record = Record.read(Path(job.record), job.key)
        if record is not None and record.state == "stopped" and record.task == task:
            return record.error or INTERRUPTED
        return f"its Slurm job {task} ended without a result; its log is in {self._folder}"

    def _submit_missing(self, job_files: Sequence[Path]) -> dict[Path, str]:
        """Submit the jobs without a queued task. Return the id of each job's task.

        A task that an earlier run submitted reads the job file when it starts, so it counts unless it has started with
        an earlier content of the file.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        self._folder.chmod(0o700)  # submitit loads pickles from there
        submitted = self._read_submitted()
        states = self._states_of_earlier_tasks(submitted.values())
        queued = {Path(path): task for path, task in submitted.items() if task in states}
        tasks = {path: queued[path] for path in job_files if path in queued and not _has_other_job(queued[path], path)}
        for array in _arrays([path for path in job_files if path not in tasks]):
            tasks |= self._submit(array)
            content = {str(path): task for path, task in (queued | tasks).items()}
            write_text(self._folder / SUBMITTED, json.dumps(content, indent=1))
        return tasks

    def _states_of_earlier_tasks(self, tasks: Collection[str]) -> Mapping[str, str]:
        """Return the states of tasks that an earlier run submitted and that are still queued.

        Raises InputError (FICT842) if Slurm repeatedly does not answer, because the jobs might then be queued twice.
        """
        if not tasks:
            return {}
        for attempt in range(MAX_QUERIES):
            time.sleep(self._poll_seconds * (attempt > 0))
            states = self._queue.states(tasks)
            if states is not None:
                return states
        reason = "squeue does not answer, so the jobs of an earlier run may still be queued"
        raise InputError(diagnostic("FICT842", reason=reason))

    def _read_submitted(self) -> dict[str, str]:
        """Return the tasks of an earlier run by job file, or {} if there are none."""
        try:
            tasks = parse_json((self._folder / SUBMITTED).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return {path: task for path, task in tasks.items() if isinstance(task, str)} if isinstance(tasks, dict) else {}

    def _submit(self, job_files: Sequence[Path]) -> dict[Path, str]:
        options: dict[str, Any] = dict(self._resources.options)
        minutes = _minutes(options.pop("time"))
        try:
            executor = SlurmExecutor(self._folder, max_num_timeout=MAX_TIMEOUTS, python=shlex.join(PYTHON))
        except RuntimeError as error:
            raise InputError(diagnostic("FICT842", reason="the command srun was not found")) from error
        try:
            executor.update_parameters(
                job_name=f"fictc-{self._name}",
                time=minutes,
                array_parallelism=self._resources.parallel,
                signal_delay_s=NOTICE,
                additional_parameters={"requeue": True, **options},
            )
            slurm_jobs = executor.map_array(CellJob(), [str(path) for path in job_files])  # type: ignore[no-untyped-call]
        except FailedJobError as error:
            raise InputError(diagnostic("FICT843", reason=_sbatch_error(error))) from error
        except FailedSubmissionError as error:  # the output of sbatch has no job id
            raise InputError(diagnostic("FICT842", reason=str(error).partition("\n")[0])) from error
        except FileNotFoundError as error:
            raise InputError(diagnostic("FICT842", reason=f"the command {error.filename} was not found")) from error
        return {path: str(job.job_id) for path, job in zip(job_files, slurm_jobs, strict=True)}


def _has_other_job(task: str, path: Path) -> bool:
    """Return whether a task is running a job with other results than those of the job file."""
    job = Job.read(path)
    record = Record.read(Path(job.record))
    return record is not None and record.state == "running" and record.task == task and record.key != job.key


def _are_finished(results: Sequence[tuple[Path, str]]) -> bool:
    """Return whether the results of all folders and keys are published and intact: a job replaces a damaged result."""
    return all(starmap(is_published, results)) and all(starmap(is_intact, results))  # `is_intact` reads all files


def _minutes(limit: str) -> int:
    """Return a time limit in minutes, which submitit requires.

    Raises InputError (FICT843) if the text is not a time limit.
    """
    try:
        return minutes_of(limit)
    except ValueError:
        reason = f"`{limit}` is not a time limit such as 90 (minutes), 1:30:00 or 2-12:00"
        raise InputError(diagnostic("FICT843", reason=reason)) from None


def _arrays(job_files: Sequence[Path]) -> Iterable[Sequence[Path]]:
    return (job_files[start : start + MAX_ARRAY_TASKS] for start in range(0, len(job_files), MAX_ARRAY_TASKS))


def _sbatch_error(error: FailedJobError) -> str:
    """Return the error messages of sbatch without their prefix."""
    lines = [line for line in str(error).splitlines() if line.startswith("sbatch: error:")]
    return "; ".join(line.removeprefix("sbatch: error:").strip() for line in lines) or str(error).strip()
