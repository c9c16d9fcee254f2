"""The cores that this process may use, and the name of its query threads."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

QUERY_THREAD = "query"  # the name of threads that run queries; a process that exits does not wait for them


def available_cores() -> int:
    """Return the number of cores that this process may use. On macOS and Windows, this is all cores."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def made_by() -> dict[str, str]:
    """Return what computes results in this process: the versions of fictc and Python, fictc's commit, the processor."""
    import platform
    from importlib.metadata import PackageNotFoundError, version

    try:
        release = version("fictc")
    except PackageNotFoundError:
        release = "unknown"
    facts = {"fictc": release, "commit": _commit(), "python": platform.python_version(), "cpu": _processor()}
    return {name: value for name, value in facts.items() if value}


def _commit() -> str:
    """Return the commit of fictc that is installed from Git or runs from a checkout, with + if files differ from it."""
    import json
    import subprocess
    from importlib.metadata import PackageNotFoundError, distribution

    folder = Path(__file__).resolve().parent.parent
    try:
        if (folder / ".git").exists():
            git = ["git", "-C", str(folder), "describe", "--always", "--abbrev=40", "--exclude=*", "--dirty=+"]
            return subprocess.run(git, capture_output=True, text=True, timeout=10, check=True).stdout.strip()
        source = json.loads(distribution("fictc").read_text("direct_url.json") or "{}")
        return str(source.get("vcs_info", {}).get("commit_id", ""))
    except (OSError, ValueError, subprocess.SubprocessError, PackageNotFoundError):
        return ""


def _processor() -> str:
    """Return the model of the processor."""
    import platform

    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, "") or platform.processor() or platform.machine()
