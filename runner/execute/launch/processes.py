"""Start cells in new processes, or in forks of a server that has imported PyTorch and transformers."""

from __future__ import annotations

import multiprocessing
import os
import runpy
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from pathlib import Path
from threading import Lock

from runner.corpus import processes
from runner.corpus.processes import block_interrupts
from runner.execute.launch.starter import ENVIRONMENT, WORKER
from runner.machine import may_have_gpu

_CAN_FORK = sys.platform == "linux"  # on macOS, system libraries do not work after a fork
_PRELOADED_MODULES = [
    processes.__name__,
    "runner.execute.cells.cell",
    "runner.model.lstm",
]  # importing them takes 5 CPU seconds
_lock = Lock()


class ForkedProcess:
    """A fork of this process's server that runs a module with arguments, as `python -m` does.

    It has the streams and methods of `subprocess.Popen` that `Pool` uses.
    """

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
        with _lock, _environment({**ENVIRONMENT, processes.STARTED_BY: str(os.getpid())}), block_interrupts():
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
        """Send SIGTERM."""
        self._process.terminate()


def start_process(
    command: Sequence[str], job: Path, variables: Mapping[str, str]
) -> subprocess.Popen[str] | ForkedProcess:
    """Start a command with a job file as its last argument. `variables` are added to the environment.

    The process ends when its standard input is closed, which also happens if this process is killed by SIGKILL. A fork
    of the server takes milliseconds, a new process 5 CPU seconds. On a machine that may have a GPU, every process is
    new, because CUDA does not work after a fork.
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
