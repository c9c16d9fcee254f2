"""Run cells in processes on this machine, several at once."""

from __future__ import annotations

import multiprocessing
import os
import runpy
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Lock

from fictdsl.words import counted
from runner.corpus import processes as lifetime
from runner.corpus.processes import block_interrupts
from runner.errors import InputError
from runner.execute.cell import SIGNALS
from runner.execute.job import Job
from runner.execute.state import INTERRUPTED, Listener, Record, State
from runner.machine import available_cores, choose, gpu_ids, kind, may_have_gpu
from runner.readers import parse_json
from runner.steps.resolve import Resolved
from runner.workspace import write_text

PYTHON = (sys.executable, "-P")  # -P: do not import a runner.py of the current folder
WORKER = (*PYTHON, "-m", "runner.cli", "run-cell")  # followed by a job file
# One thread per cell: several cells are faster than several threads per cell (docs/experiments.md).
ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "HF_HUB_OFFLINE": "1",
    "PYTHONSAFEPATH": "1",  # for the processes that torchrun starts; see `PYTHON`
}


def outcome(code: int, stderr: str, job: Job, start_time: float = 0.0) -> str | None:
    """Return the error of a cell's process, or None. Record the error if the process could not do so.

    A record older than `start_time` is of another process. A process that was asked to stop, or whose disk was full,
    has not failed, so the next run resumes it.
    """
    if code == 0:
        return None
    path = job.record
    record = Record.read(path, job.key)
    if record is not None and record.at >= start_time:
        if record.state == "failed":
            return record.error
        if record.state == "stopped":
            return record.error or INTERRUPTED
    lines = [line for line in stderr.splitlines() if line.strip() and not line.startswith("This is a bug")]
    error = f"killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
    error += f": {lines[-1]}" if lines else ""
    Record("failed", job.key, error=error).write(path)
    return error


_CAN_FORK = sys.platform == "linux"  # on macOS, system libraries do not work after a fork
_PRELOADED_MODULES = [
    lifetime.__name__,
    "runner.execute.cell",
    "runner.model.lstm",
]  # importing them takes 5 CPU seconds
_lock = Lock()


class ForkedProcess:
    def __init__(self, arguments: Sequence[str], environment: Mapping[str, str]) -> None:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(_PRELOADED_MODULES)
        (stdin, stdin_writer), (stdout_reader, stdout), (stderr_reader, stderr) = (
            context.Pipe(duplex=False) for _ in range(3)
        )
        streams = (stdin, stdout, stderr)
        self._process = context.Process(
            target=_run_module, args=(list(arguments), dict(environment), Path.cwd(), streams)
        )
        # The first start also starts the server, which imports modules for seconds. The fork does not get SIGINT; it
        # ends with SIGTERM.
        with _lock, _environment({**ENVIRONMENT, lifetime.STARTED_BY: str(os.getpid())}), block_interrupts():
            self._process.start()
        self.stdin = os.fdopen(os.dup(stdin_writer.fileno()), "wb", buffering=0)
        self.stdout, self.stderr = (
            os.fdopen(os.dup(reader.fileno()), encoding="utf-8", errors="replace")
            for reader in (stdout_reader, stderr_reader)
        )
        for connection in (*streams, stdin_writer, stdout_reader, stderr_reader):
            connection.close()

    def wait(self) -> int:
        """Wait until the process ends. Return its exit code, or the negative number of the signal that killed it."""
        wait([self._process.sentinel])
        with _lock:  # if two threads reap a process, one of them gets 255; a start also reaps the finished processes
            self._process.join()
        code = self._process.exitcode
        assert code is not None
        return code

    def terminate(self) -> None:
        self._process.terminate()


def start_process(
    command: Sequence[str], job: Path, variables: Mapping[str, str]
) -> subprocess.Popen[str] | ForkedProcess:
    """Start a command with a job file as its last argument, which ends when its standard input is closed.

    A fork of the server takes milliseconds, a new process 5 CPU seconds. On a machine that may have a GPU, every
    process is new, because CUDA does not work after a fork.
    """
    environment = {**os.environ, **variables, "PYTHONIOENCODING": "utf-8"}
    if _CAN_FORK and command == WORKER and not may_have_gpu():
        return ForkedProcess([*WORKER[WORKER.index("-m") + 1 :], str(job)], environment)
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [*command, str(job)],
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        text=True,
        encoding="utf-8",
        errors="replace",  # messages of libraries and the system may have any encoding
        env=environment,
    )


@contextmanager
def _environment(variables: Mapping[str, str]) -> Iterator[None]:
    saved_environment = dict(os.environ)
    os.environ.update(variables)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(saved_environment)


def _run_module(
    arguments: Sequence[str], environment: Mapping[str, str], folder: Path, streams: Sequence[Connection]
) -> None:
    for descriptor, stream in enumerate(streams):
        os.dup2(stream.fileno(), descriptor)
        stream.close()
    # the streams of the server may have another encoding
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv = list(arguments)
    runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)


VISIBLE_GPUS = "CUDA_VISIBLE_DEVICES"
MAX_PROCESSES_PER_UNIT = 4  # of a cell, per core or GPU


def environments(resolved: Resolved, jobs: int | None) -> list[Mapping[str, str]]:
    """Return the environment variables of each slot. A slot runs one cell at a time.

    By default, there is a slot per GPU, per group of GPUs if cells have several processes, or per core if all models
    train on the CPU; one if a device is `mps` or a numbered GPU. If `jobs` exceeds the number of groups, slots share
    GPUs. Raises InputError if a device does not exist (FICT808), or if cells have far too many processes (FICT604).
    """
    settings = [entry.training for entry in resolved.models.values()]
    devices = {choose(training.device) for training in settings}
    _check_processes(resolved)
    if devices == {"cpu"}:
        return [{}] * (jobs or available_cores())
    groups = _groups(gpu_ids(), max(training.processes for training in settings))
    # in these cases, cells find their devices themselves
    is_unassigned = any(kind(device) == "mps" or ":" in device for device in devices) or not groups
    slots: list[Mapping[str, str]] = [{}] if is_unassigned else [{VISIBLE_GPUS: ",".join(group)} for group in groups]
    return [slots[index % len(slots)] for index in range(jobs or len(slots))]


def _check_processes(resolved: Resolved) -> None:
    for index, entry in enumerate(resolved.models.values()):
        processes, cores = entry.training.processes, available_cores()
        if processes > MAX_PROCESSES_PER_UNIT * cores and processes > MAX_PROCESSES_PER_UNIT * len(gpu_ids()):
            machine = f"this machine has {counted(cores, 'core')} and {counted(len(gpu_ids()), 'GPU')}"
            reason = f"{machine}, with at most {MAX_PROCESSES_PER_UNIT} processes each, found {processes:,}"
            hint = "`--emit-jobs FOLDER` writes jobs for other machines"
            path = ("model", index, "training", "processes")
            raise InputError(resolved.draft.problem("FICT604", *path, key="processes", reason=reason, hint=hint))


def _groups(gpus: list[str], size: int) -> list[list[str]]:
    return [gpus[start : start + size] for start in range(0, len(gpus) - size + 1, size)]


def with_gpus(resolved: Resolved, gpus_per_cell: int) -> Resolved:
    processes = max(entry.training.processes for entry in resolved.models.values())
    if processes != gpus_per_cell:
        raise ValueError(
            f"a cell has {counted(processes, 'process', 'processes')}, and each process uses one GPU: "
            f"set `processes` in [training] to {gpus_per_cell}"
        )
    return resolved.with_device("cuda")


GRACE_SECONDS = "90"  # time for workers to save a checkpoint after SIGTERM, as much as schedulers give


def run_distributed(path: Path, job: Job) -> State:
    """The processes end when their standard input does, which this process holds, also if torchrun was killed."""
    _write_record(job, "running")  # replaces an older record
    torchrun_options = ["-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={job.training.processes}"]
    with subprocess.Popen(
        [sys.executable, *torchrun_options, *WORKER[WORKER.index("-m") :], str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "TORCH_ELASTIC_SHUTDOWN_TIMEOUT": GRACE_SECONDS},
        # Slurm signals all processes of a task; SIGUSR2 would kill torchrun but not its workers
        preexec_fn=lambda: signal.signal(signal.SIGUSR2, signal.SIG_IGN),  # noqa: PLW1509 - no locks are held
    ) as torchrun:
        is_stopping = False

        def forward(*_: object) -> None:
            nonlocal is_stopping
            if not is_stopping:  # a second SIGTERM would end torchrun before its workers
                torchrun.terminate()
            is_stopping = True

        for signal_number in SIGNALS:
            signal.signal(signal_number, forward)
        assert torchrun.stdout is not None
        for line in torchrun.stdout:
            sys.stdout.buffer.write(line)
            sys.stdout.flush()
    record = Record.read(job.record, job.key)
    if record is not None and record.state != "running":
        return record.state
    if torchrun.returncode == 0:
        return "done"
    if is_stopping:  # before the workers wrote a record
        _write_record(job, "stopped")
    return "stopped" if is_stopping else "failed"


def _write_record(job: Job, state: State) -> None:
    with suppress(InputError, OSError):  # a cell must not fail because of its record
        Record(state, job.key).write(job.record)


class Pool:
    """Runs job files in processes, one per worker at a time, and returns the error of each, or None.

    An environment serves one process at a time. `stop`, from any thread, terminates the processes; the object is then
    finished, and jobs that have not ended return `INTERRUPTED`. The listener is called from several threads at once.
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
        self._stopped = Event()

    def run(self, jobs: Sequence[Path]) -> dict[Path, str | None]:
        with ThreadPoolExecutor(self._workers) as threads:
            futures = {job: threads.submit(self._run, job) for job in jobs}
            try:
                return {job: future.result() for job, future in futures.items()}
            except BaseException:
                self.stop()
                raise

    def stop(self) -> None:
        with self._lock:
            self._stopped.set()
            for process in self._running_processes:
                process.terminate()

    def _run(self, job: Path) -> str | None:
        environment = self._free_environments.get()
        try:
            return self._run_with(job, environment)
        finally:
            self._free_environments.put(environment)

    def _run_with(self, job: Path, environment: Mapping[str, str]) -> str | None:
        with self._lock:
            if self._stopped.is_set():
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
        if self._stopped.is_set():
            return INTERRUPTED
        if code:
            write_text(job.with_suffix(".stderr"), stderr_future.result())
        return outcome(code, stderr_future.result(), Job.read(job), start_time)


def _parse_event(line: str) -> dict[str, object]:
    with suppress(ValueError):
        if isinstance(event := parse_json(line), dict):
            return event
    return {"event": "output", "text": line.rstrip("\n")}
