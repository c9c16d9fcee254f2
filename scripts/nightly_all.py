"""Run every test suite that CI does not run, continue after failures, and print a table of results and times.

make nightly-all                            # or `python scripts/nightly_all.py PART...`
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]


def no_requirement() -> str | None:
    """Return None, because the target has no requirements."""
    return None


def missing_data() -> str | None:
    """Return why the real treebanks are missing, or None if they are not."""
    folder = os.environ.get("FICTC_DATA", "")
    return None if Path(folder).is_dir() and folder else "FICTC_DATA names no folder of treebanks and benchmarks"


def missing_java() -> str | None:
    """Return why Java is missing, or None if it is not."""
    home = os.environ.get("JAVA_HOME")
    return None if shutil.which(f"{home}/bin/java" if home else "java") else "Java is not installed"


def missing_advisories() -> str | None:
    """Return why the list of known vulnerabilities is not available, or None if it is."""
    try:
        urllib.request.urlopen("https://pypi.org/pypi/pip/25.0/json", timeout=30).close()
    except OSError as error:
        return f"PyPI does not answer ({error})"
    return None


@dataclass(frozen=True, slots=True)
class Part:
    """A target of the Makefile. `missing` returns why it cannot run here, or None if it can."""

    target: str
    missing: Callable[[], str | None] = no_requirement


PARTS = (
    Part("docs"),
    Part("test-shared", missing_data),
    Part("test-spark", missing_java),
    Part("bench-quick", missing_data),
    Part("audit", missing_advisories),
    Part("test-lowest"),
    Part("test-slow"),
    Part("nightly"),
    Part("fuzz"),
)


@dataclass(frozen=True, slots=True)
class PartResult:
    """The result of a part: `passed`, `failed (CODE)` or `skipped: REASON`, and its seconds."""

    part: str
    result: str
    seconds: float


def run_parts(parts: Sequence[Part], call: Callable[[str], int]) -> Iterator[PartResult]:
    """Run parts one after the other; `call` runs a target and returns its exit code."""
    for part in parts:
        start = time.monotonic()
        reason = part.missing()
        if reason is not None:
            result = f"skipped: {reason}"
        else:
            print(f"== make {part.target}", flush=True)
            code = call(part.target)
            result = "passed" if code == 0 else f"failed ({code})"
        yield PartResult(part.target, result, time.monotonic() - start)


def table(results: Sequence[PartResult]) -> str:
    """Return a table with one line per part."""
    return "\n".join(f"{item.part:12} {item.seconds:8,.0f} s  {item.result}" for item in results)


def make(target: str) -> int:
    """Run a target of the Makefile and return its exit code."""
    return subprocess.run(["make", "--no-print-directory", target], cwd=ROOT, check=False).returncode


def main(arguments: Sequence[str] | None = None, call: Callable[[str], int] = make) -> int:
    """Run the named parts, or all; return 1 if any failed, 130 after Ctrl-C."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=" ".join(part.target for part in PARTS))
    names = parser.parse_args(arguments).parts
    if unknown := set(names) - {part.target for part in PARTS}:
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    results: list[PartResult] = []
    try:
        results.extend(run_parts([part for part in PARTS if not names or part.target in names], call))
    except KeyboardInterrupt:
        return 130
    finally:
        print(f"\n{table(results)}")
    return int(any(item.result.startswith("failed") for item in results))


if __name__ == "__main__":
    sys.exit(main())
