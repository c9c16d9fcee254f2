"""A worker ends with its parent, even with one that died while the worker began."""

from __future__ import annotations

import subprocess
import sys

import pytest

SCRIPT = """
import multiprocessing, os
from types import SimpleNamespace
multiprocessing.parent_process = lambda: SimpleNamespace(pid={parent})
from runner.corpus.processes.lifetime import set_worker_signals
set_worker_signals()
print("it goes on")
"""


@pytest.mark.parametrize(("parent", "printed"), [("os.getppid()", "it goes on\n"), ("-1", "")])
def test_a_worker_whose_parent_died_first_ends(parent: str, printed: str) -> None:
    script = SCRIPT.format(parent=parent)
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (ended.stdout, ended.stderr) == (printed, "")
