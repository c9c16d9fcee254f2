"""Run `fictc` in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

FICTC = [sys.executable, "-m", "runner.cli"]
ROOT = Path(__file__).parents[2]


def fictc(
    *arguments: object, cwd: Path = ROOT, check: bool = False, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, by default in the folder of the project. With `check`, it must exit with 0."""
    command = [*FICTC, *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, env=os.environ | environment, check=check, capture_output=True, text=True)
