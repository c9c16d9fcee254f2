"""The CPU time of a running process."""

from __future__ import annotations

import subprocess
import sys

import pytest

from benchmarks.processes import process_cpu_seconds

BUSY = "import time\nstart = time.process_time()\nwhile time.process_time() < start + 0.3: pass\n"
PARENT = """
import subprocess, sys, threading

def start_child():
    child = subprocess.Popen([sys.executable, "-c", sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    if not child.stdout.readline():
        child.wait()
    print("ready", flush=True)
    sys.stdin.read()
    child.communicate()

thread = threading.Thread(target=start_child)
thread.start()
thread.join()
"""


@pytest.mark.parametrize("child", [BUSY, BUSY + "print('busy', flush=True)\ninput()"], ids=["ended", "waiting"])
def test_a_child_of_a_thread_is_counted(child: str) -> None:
    command = [sys.executable, "-c", PARENT, child]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        assert process_cpu_seconds(process.pid) >= 0.3
        process.communicate()


def test_a_process_that_has_ended_has_no_time() -> None:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    assert process_cpu_seconds(process.pid) == 0
