"""A command killed at random moments and started again, and what must be equal afterwards.

`python -m tests.support.killing MANIFEST WORK [KILLS]` runs a manifest once in peace and once under kills, and
compares: the check behind the promise that a run can be killed at any time.
"""

from __future__ import annotations

import hashlib
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

FICTC = [sys.executable, "-m", "runner.cli"]


def run_with_kills(command: list[str], moments: list[float], cwd: Path) -> int:
    """Start the command, kill -9 it after each of the given seconds, then let it end; its exit code."""
    for seconds in moments:
        process = subprocess.Popen(command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            return process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            print(f"killed after {seconds:.1f} s", file=sys.stderr, flush=True)
    return subprocess.run(command, cwd=cwd, check=False, stdout=subprocess.DEVNULL).returncode


def fingerprint(run: Path) -> dict[str, str]:
    """sha256 of every corpus, score, model and table of a run; what tells the time (card, logs, page) is left out."""
    wanted = [*run.glob("corpora/*/*"), *run.glob("results/*.parquet"), run / "results" / "conditions.json"]
    wanted += [path for path in run.glob("cells/**/*") if path.is_file() and path.suffix != ".jsonl"]
    wanted += run.glob("report/*")
    return {str(path.relative_to(run)): hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(wanted)}


def differences(one: Path, two: Path) -> list[str]:
    """Files of two runs that are not equal, or that only one of them has."""
    first, second = fingerprint(one), fingerprint(two)
    assert first, "nothing to compare"
    return sorted(name for name in first.keys() | second.keys() if first.get(name) != second.get(name))


def main() -> int:
    """See the module."""
    manifest, work = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    kills = int(sys.argv[3]) if len(sys.argv) > 3 else 10
    work.mkdir(parents=True, exist_ok=True)
    peaceful, killed = work / "peaceful", work / "killed"
    begin = time.monotonic()
    command = [*FICTC, "run", str(manifest)]
    code = subprocess.run([*command, "--output", str(peaceful), "--cache", str(work / "c1")], check=False).returncode
    took = time.monotonic() - begin
    assert code == 0, code
    # moments drawn over the whole run: each start gets further, so a share of what is left of it
    moments = [random.uniform(0.02, 0.25) * took for _ in range(kills)]
    code = run_with_kills([*command, "--output", str(killed), "--cache", str(work / "c2")], moments, work)
    found = differences(peaceful, killed)
    print(f"exit {code}; {len(fingerprint(peaceful))} files compared; different: {found or 'none'}")
    return 1 if found or code else 0


if __name__ == "__main__":
    sys.exit(main())
