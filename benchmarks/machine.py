"""Describe in one line the machine and the package versions that a benchmark ran with."""

from __future__ import annotations

import importlib.metadata
import os
import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from runner.machine import available_cores


def describe_machine(packages: Sequence[str] = ("duckdb", "pyarrow")) -> str:
    """Return the processor, cores, memory, system, versions of Python and packages, and the date."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    versions = [f"Python {platform.python_version()}"]
    versions += [f"{name} {version}" for name in packages if (version := version_of(name))]
    day = datetime.now(UTC).date().isoformat()
    hardware = f"{_processor()}, {available_cores()} cores, {memory:.0f} GiB, {platform.system()}"
    return f"{hardware}; {', '.join(versions)}; {day}"


def version_of(package: str) -> str | None:
    """Return the version of a package, or None if it is not installed."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.partition(": ")[2] for line in lines if line.startswith("model name")), platform.machine())
