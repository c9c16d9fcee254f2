"""Kill a command at random moments and start it again, then compare the results.

`python -m tests.support.killing MANIFEST WORK [KILLS]` runs a manifest once without and once with kills, with two cells
at a time, and compares the runs: a run can be killed at any time.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.support import command as in_process
from tests.support.command import FICTC

TIMES = re.compile(r"<h4>times</h4><dl.*?</dl>")
OF_THE_CALL = re.compile(r"<h4>command</h4><p.*?</p>|<dt>(training|scoring) seconds</dt><dd>.*?</dd>")


def fictc(*arguments: object, cwd: Path, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, with this exit code."""
    done = in_process.fictc(*arguments, cwd=cwd)
    assert done.returncode == code, done.stderr
    return done


def run_with_kills(command: list[str], moments: list[float], cwd: Path) -> int:
    """Start the command, kill -9 it after each of the given seconds, then let it end; return its exit code."""
    for seconds in moments:
        process = subprocess.Popen(command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            return process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            print(f"killed after {seconds:.1f} s", file=sys.stderr, flush=True)
    return subprocess.run(command, cwd=cwd, check=False, stdout=subprocess.DEVNULL).returncode


def run_with_kills_after(command: list[str], counts: list[int], log: Path, cwd: Path) -> tuple[int, list[str]]:
    """Start the command, kill -9 it after each of the given numbers of new events in its log, then let it end.

    Every other time its cells are killed too; otherwise they must notice it themselves. Return the exit code, and the
    last event at each kill.
    """
    before: list[str] = []
    for number, count in enumerate(counts):
        start = len(_lines(log))
        process = subprocess.Popen(
            command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        while process.poll() is None and len(_lines(log)) < start + count:
            time.sleep(0.01)
        if process.poll() is not None:
            return process.returncode, before
        before.append(json.loads(_lines(log)[-1])["event"])
        if number % 2:
            os.killpg(process.pid, signal.SIGKILL)
        else:
            os.kill(process.pid, signal.SIGKILL)
        process.wait()
        print(f"killed after {count} events, the last of which was {before[-1]}", file=sys.stderr, flush=True)
    return subprocess.run(command, cwd=cwd, check=False, stdout=subprocess.DEVNULL).returncode, before


def _lines(log: Path) -> list[str]:
    """Return the complete lines of a log."""
    return log.read_text(encoding="utf-8").split("\n")[:-1] if log.exists() else []


def fingerprint(run: Path) -> dict[str, str]:
    """Return the sha256 of every corpus, score, model and table of a run, without files that contain times."""
    wanted = [*run.glob("corpora/*/*"), *run.glob("results/*.parquet"), *run.glob("results/*.csv")]
    wanted.append(run / "results" / "conditions.json")
    wanted += [path for path in run.glob("cells/**/*") if path.is_file() and path.suffix != ".jsonl"]
    wanted += run.glob("report/*")
    return {str(path.relative_to(run)): hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(wanted)}


def page(run: Path) -> str:
    """Return the report's page without the command and the durations of the run."""
    text = (run / "report.html").read_text(encoding="utf-8")
    assert TIMES.search(text)
    return OF_THE_CALL.sub("", TIMES.sub("", text))


def differences(one: Path, two: Path) -> list[str]:
    """Return the files of two runs that differ or that only one has; times in the page are ignored."""
    first, second = fingerprint(one), fingerprint(two)
    assert first, "nothing to compare"
    first["report.html"], second["report.html"] = page(one), page(two)
    return sorted(name for name in first.keys() | second.keys() if first.get(name) != second.get(name))


def main() -> int:
    """Run the check of the module's docstring."""
    manifest, work = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    kills = int(sys.argv[3]) if len(sys.argv) > 3 else 10
    work.mkdir(parents=True, exist_ok=True)
    peaceful, killed = work / "peaceful", work / "killed"
    command = [*FICTC, "run", str(manifest), "--jobs", "2"]
    code = subprocess.run([*command, "--output", str(peaceful), "--cache", str(work / "c1")], check=False).returncode
    assert code == 0, code
    events = len(_lines(peaceful / "events.jsonl"))
    counts = [max(1, round(random.uniform(0.02, 0.25) * events)) for _ in range(kills)]
    again = [*command, "--output", str(killed), "--cache", str(work / "c2")]
    code, _ = run_with_kills_after(again, counts, killed / "events.jsonl", work)
    different = differences(peaceful, killed)
    print(f"exit {code}; {len(fingerprint(peaceful))} files compared; different: {different or 'none'}")
    return 1 if different or code else 0


if __name__ == "__main__":
    sys.exit(main())
