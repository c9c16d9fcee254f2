"""Jobs to processes of this machine: each cell runs alone in one, a few at a time."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock

from runner.execute.cells.job import Job
from runner.execute.launch.starter import WORKER, ended
from runner.execute.records.cell_record import INTERRUPTED
from runner.execute.records.events import Listener
from runner.readers import parse_json
from runner.workspace import write_text


class Pool:
    """Runs job files with a worker's command, `workers` at a time; events of all cells go to one listener."""

    def __init__(self, workers: int, listener: Listener, worker: Sequence[str] = WORKER) -> None:
        self._workers = workers
        self._listener = listener
        self._worker = worker
        self._running: set[subprocess.Popen[str]] = set()
        self._lock = Lock()
        self._stopped = False

    def run(self, jobs: Sequence[Path]) -> dict[Path, str | None]:
        """Run all jobs; for each, None or what made it fail. An interrupt ends the running ones first."""
        with ThreadPoolExecutor(self._workers) as threads:
            futures = {job: threads.submit(self._one, job) for job in jobs}
            try:
                return {job: future.result() for job, future in futures.items()}
            except BaseException:
                self.stop()
                raise

    def stop(self) -> None:
        """End every running cell; what they had saved is found by the next run."""
        with self._lock:
            self._stopped = True
            for process in self._running:
                process.terminate()

    def _ended(self) -> bool:
        return self._stopped

    def _one(self, job: Path) -> str | None:
        with self._lock:
            if self._ended():
                return INTERRUPTED
            process = subprocess.Popen(
                [*self._worker, str(job)],
                stdin=subprocess.PIPE,  # the cell ends when this end closes, even if it closes by kill -9
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",  # what libraries or the system say may be in any encoding
                env={**os.environ, "PYTHONIOENCODING": "utf-8"},
            )
            self._running.add(process)
        errors = ThreadPoolExecutor(1).submit(process.stderr.read) if process.stderr else None
        assert process.stdout is not None
        for line in process.stdout:
            self._listener(_parsed(line))
        code = process.wait()
        with self._lock:
            self._running.discard(process)
        if self._ended():
            return INTERRUPTED
        text = errors.result() if errors else ""
        if code:
            write_text(job.with_suffix(".stderr"), text)
        return ended(code, text, Job.read(job))


def _parsed(line: str) -> dict[str, object]:
    try:
        event = parse_json(line)
    except ValueError:
        return {"event": "output", "text": line.rstrip("\n")}
    return event if isinstance(event, dict) else {"event": "output", "text": line.rstrip("\n")}
