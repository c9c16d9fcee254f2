"""`fictc run` on a disk that is full, at every step: it says so, and goes on once there is space."""

from __future__ import annotations

import json
import os
import random
import re
import resource
import subprocess
import time
from pathlib import Path

import pytest

from tests.end_to_end.test_run import MANIFEST
from tests.support.killing import FICTC, differences, fictc

ENVIRONMENT = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}  # Python leaves half a `.pyc` on a full disk
SIZES = (0, 200, 700, 2_000, 30_000, 300_000, 1_500_000, 25_000_000)  # bytes that a file may have


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("work")
    (folder / "manifest.toml").write_text(MANIFEST)
    fictc("run", "manifest.toml", "--output", "whole", "--cache", "c-whole", cwd=folder)
    return folder


def check(ended: subprocess.CompletedProcess[str] | subprocess.Popen[str], said: str, work: Path) -> str:
    """That a command that found the disk full says so as it should; the file where it did."""
    assert ended.returncode in (1, 2), said
    assert "Traceback" not in said
    if ended.returncode == 1:
        assert re.search(r"^failed: \S+: FICT790", said, re.MULTILINE), said
    hit = re.search(r"no space left to write (\S+) \([\d,]+ MB free\)", said)
    assert hit, said
    assert ".tmp." not in hit[1]
    path = Path(hit[1])
    return path.relative_to(work).as_posix() if path.is_relative_to(work) else str(path)  # else temporary files


@pytest.mark.slow
def test_files_may_be_larger_from_run_to_run(work: Path) -> None:
    command = [*FICTC, "run", "manifest.toml", "--output", "sizes", "--cache", "c-sizes"]
    hits = {}
    for size in SIZES:
        done = subprocess.run(
            command,
            cwd=work,
            env=ENVIRONMENT,
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=lambda size=size: resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY)),  # type: ignore[misc]
        )
        if done.returncode == 0:
            break
        hits[size] = check(done, done.stderr, work)
        print(size, hits[size])
    assert len(set(hits.values())) >= 3
    fictc(*command[len(FICTC) :], cwd=work)
    assert differences(work / "whole", work / "sizes") == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_the_disk_is_full_at_some_moment(seed: int, work: Path) -> None:
    command = [*FICTC, "run", "manifest.toml", "--output", f"m{seed}", "--cache", f"c-m{seed}"]
    log, dice = work / f"m{seed}" / "events.jsonl", random.Random(seed)

    def events() -> list[str]:
        return log.read_text().splitlines() if log.exists() else []

    for _ in range(10):
        goal = len(events()) + dice.choice([1, 3, 6, 10])
        running = subprocess.Popen(
            command, cwd=work, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        while running.poll() is None and len(events()) < goal:
            time.sleep(0.005)
        _fill(running.pid)
        _, said = running.communicate(timeout=300)
        assert all(json.loads(line) for line in events())
        if running.returncode == 0:
            break
        print(events()[-1], check(running, said, work))
    fictc(*command[len(FICTC) :], cwd=work)
    assert differences(work / "whole", work / f"m{seed}") == []


def _fill(pid: int) -> None:
    """No file of this process and of its children may grow any more."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        for each in [pid, *map(int, children)]:
            resource.prlimit(each, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
    except (FileNotFoundError, ProcessLookupError):
        return
