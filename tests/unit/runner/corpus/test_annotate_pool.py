"""A worker ends with its parent, even with one that died while the worker began or that computes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

SCRIPT = """
import multiprocessing, os
from types import SimpleNamespace
reader, writer = os.pipe()
multiprocessing.parent_process = lambda: SimpleNamespace(sentinel=reader)
{before}
from runner.corpus.processes import set_worker_signals
set_worker_signals()
print("it goes on")
"""
WORKER = """
import os, re
from runner.corpus.processes import end_with_pipe
end_with_pipe(0)
print(os.getpid(), flush=True)
{work}
"""
PARENT = """
import subprocess, sys, time
subprocess.Popen([sys.executable, "-c", sys.argv[1]], stdin=subprocess.PIPE)
time.sleep(100)
"""


@pytest.mark.parametrize(("before", "printed"), [("", "it goes on\n"), ("os.close(writer)", "")])
def test_a_worker_whose_parent_died_first_ends(before: str, printed: str) -> None:
    script = SCRIPT.format(before=before)
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (ended.stdout, ended.stderr) == (printed, "")


@pytest.mark.parametrize("work", ["import time; time.sleep(60)", "re.match('(a+)+$', 'a' * 40 + 'b')"])
def test_a_worker_ends_with_a_killed_parent_whatever_it_does(work: str) -> None:
    script = WORKER.format(work=work)
    parent = subprocess.Popen([sys.executable, "-c", PARENT, script], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    worker = int(parent.stdout.readline())
    time.sleep(0.2)
    assert runs(worker)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    end = time.monotonic() + 5
    while runs(worker):
        assert time.monotonic() < end
        time.sleep(0.05)


def runs(pid: int) -> bool:
    """Whether a process exists and is not a zombie, which its new parent may not collect."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    return not state.startswith("Z")
