"""Commands run their exit handlers, unless a query does not end, and lose nothing that was printed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

START = "import atexit, sys, threading, time\nfrom runner.cli.shared.exit import exit_process\n"
CASES = [
    ("atexit.register(print, 'done')\nprint('said')", 2, "said\ndone\n"),
    ("sys.stdout.close()", 0, ""),
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
