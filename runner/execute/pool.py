"""Jobs to processes: each cell runs alone in one, a few at a time, and one that fails stops no other."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock

from runner.execute.events import Listener

# One thread a cell: several threads on a shared machine are slower than several cells (docs/experiments.md).
ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "HF_HUB_OFFLINE": "1",
}


class Pool:
    """Runs job files with `fictc run-cell`, `workers` at a time; events of all cells go to one listener."""

    def __init__(self, workers: int, listener: Listener) -> None:
        self._workers = workers
        self._listener = listener
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

    def _one(self, job: Path) -> str | None:
        command = [sys.executable, "-m", "runner.cli", "run-cell", str(job)]
        with self._lock:
            if self._stopped:
                return "interrupted"
            process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,  # the cell ends when this end closes, even if it closes by kill -9
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                env={**os.environ, **ENVIRONMENT},
            )
            self._running.add(process)
        errors = ThreadPoolExecutor(1).submit(process.stderr.read) if process.stderr else None
        failure: str | None = None
        assert process.stdout is not None
        for line in process.stdout:
            event = _parsed(line)
            if event.get("event") == "failed":
                failure = str(event.get("error"))
            self._listener(event)
        code = process.wait()
        with self._lock:
            self._running.discard(process)
        if code == 0:
            return None
        text = errors.result() if errors else ""
        job.with_suffix(".stderr").write_text(text, encoding="utf-8")
        return failure or _reason(code, text)


def _parsed(line: str) -> dict[str, object]:
    try:
        event = json.loads(line)
    except ValueError:
        return {"event": "output", "text": line.rstrip("\n")}
    return event if isinstance(event, dict) else {"event": "output", "text": line.rstrip("\n")}


def _reason(code: int, errors: str) -> str:
    told = [line for line in errors.splitlines() if line.strip() and not line.startswith("This is a bug")]
    last = told[-1] if told else ""
    ended = f"killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
    return f"{ended}: {last}" if last else ended
