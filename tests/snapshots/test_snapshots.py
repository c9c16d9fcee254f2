"""Every command does what was recorded; `python -m tests.snapshots` records what it does now."""

from __future__ import annotations

import difflib
import subprocess
import sys
from pathlib import Path

import pytest

from tests.snapshots.__main__ import GROUPS, HERE

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def now(request, tmp_path_factory) -> Path:
    """Record the groups of the selected tests, in one process, and return the folder of their records."""
    folder = tmp_path_factory.mktemp("snapshots")
    chosen = [item.callspec.params["group"] for item in request.session.items if item.path == request.path]
    command = [sys.executable, "-m", "tests.snapshots", *chosen, "--output", str(folder)]
    done = subprocess.run(command, cwd=HERE.parents[1], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.parametrize("group", GROUPS)
def test_snapshot(group: str, now: Path) -> None:
    recorded, here = ((folder / f"{group}.txt").read_text(encoding="utf-8") for folder in (HERE / "recorded", now))
    if (first := recorded.split("\n", 1)[0]) != here.split("\n", 1)[0] and first.startswith("# on a processor"):
        pytest.skip(f"recorded {first[2:]}")
    changed = difflib.unified_diff(recorded.splitlines(), here.splitlines(), "recorded", "now", lineterm="")
    assert here == recorded, "\n".join(changed)
