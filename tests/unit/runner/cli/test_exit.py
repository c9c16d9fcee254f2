"""Commands run their exit handlers, unless a query does not end, and lose nothing that was printed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

START = "import atexit, sys, threading, time\nfrom runner.cli.terminal import exit_process\n"
CASES = [
    ("atexit.register(print, 'done')\nprint('said')", 2, "said\ndone\n"),
    ("sys.stdout.close()", 0, ""),
    ("import os, signal\natexit.register(os.kill, os.getpid(), signal.SIGINT)", 0, ""),
    (
        "threading.Thread(target=time.sleep, args=(600,), daemon=True, name='query').start()\n"
        "atexit.register(print, 'done')\nprint('said')",
        130,
        "said\n",
    ),
    ("threading.Thread(target=lambda: (time.sleep(0.2), print('later'))).start()", 1, "later\n"),
]


@pytest.mark.parametrize(("before", "code", "printed"), CASES)
def test_what_is_done_on_the_way(before: str, code: int, printed: str) -> None:
    script = f"{START}{before}\nexit_process({code})"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (code, printed, "")


def test_what_cannot_be_written_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    script = f"{START}print('lost')\nexit_process(0)"
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-c", script], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 120
    assert "No space left on device" in done.stderr


def test_an_interrupted_exec_does_not_change_the_code(tmp_path: Path) -> None:
    """CPython ends a module that is run with -m by SIGINT if any exec() was interrupted, as in a dataclass."""
    script = f"{START}try:\n    exec('raise KeyboardInterrupt')\nexcept KeyboardInterrupt:\n    exit_process(130)\n"
    (tmp_path / "interrupted.py").write_text(script)
    done = subprocess.run([sys.executable, "-m", "interrupted"], cwd=tmp_path, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (130, b"")
