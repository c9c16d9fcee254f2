"""Run jobs in local processes, one per cell and several at a time."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from threading import Lock

from runner.execute.cells.job import Job
from runner.execute.launch.processes import ForkedProcess, start_process
from runner.execute.launch.starter import WORKER, outcome
from runner.execute.records.cell_record import INTERRUPTED
from runner.execute.records.events import Listener
from runner.readers import parse_json
from runner.workspace import write_text


class Pool:
    """Run the command `worker` on job files, `workers` at a time. All events go to one listener.

    `environments` has the environment variables of each slot, which select the GPU of its cell, for example.
    """

    def __init__(
        self,
        workers: int,
        listener: Listener,
        worker: Sequence[str] = WORKER,
        environments: Sequence[Mapping[str, str]] = (),
    ) -> None:
        self._workers = workers
        self._free_environments: SimpleQueue[Mapping[str, str]] = SimpleQueue()
        for index in range(workers):
            self._free_environments.put(environments[index % len(environments)] if environments else {})
        self._listener = listener
        self._worker = worker
        self._running_processes: set[subprocess.Popen[str] | ForkedProcess] = set()
        self._lock = Lock()
        self._stopped = False

    def run(self, jobs: Sequence[Path]) -> dict[Path, str | None]:
        """Run all jobs. Return the error of each, or None. An interrupt terminates the running jobs."""
        with ThreadPoolExecutor(self._workers) as threads:
            futures = {job: threads.submit(self._run_job, job) for job in jobs}
            try:
                return {job: future.result() for job, future in futures.items()}
            except BaseException:
                self.stop()
                raise

    def stop(self) -> None:
        """Terminate all running cells. The next run resumes from their saved states."""
        with self._lock:
            self._stopped = True
            for process in self._running_processes:
                process.terminate()

    def _is_stopped(self) -> bool:
        return self._stopped

    def _run_job(self, job: Path) -> str | None:
        environment = self._free_environments.get()
        try:
            return self._run_with(job, environment)
        finally:
            self._free_environments.put(environment)

    def _run_with(self, job: Path, environment: Mapping[str, str]) -> str | None:
        with self._lock:
            if self._is_stopped():
                return INTERRUPTED
            start_time = time.time()
            process = start_process(self._worker, job, environment)
            self._running_processes.add(process)
        assert process.stdout is not None
        assert process.stderr is not None
        stderr_future = ThreadPoolExecutor(1).submit(process.stderr.read)
        for line in process.stdout:
            self._listener(_parse_event(line))
        code = process.wait()
        with self._lock:
            self._running_processes.discard(process)
        if self._is_stopped():
            return INTERRUPTED
        if code:
            write_text(job.with_suffix(".stderr"), stderr_future.result())
        return outcome(code, stderr_future.result(), Job.read(job), start_time)


def _parse_event(line: str) -> dict[str, object]:
    try:
        event = parse_json(line)
    except ValueError:
        return {"event": "output", "text": line.rstrip("\n")}
    return event if isinstance(event, dict) else {"event": "output", "text": line.rstrip("\n")}
