"""Run every suite that CI does not, continue after failures, and print a table of results and times.

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


def nothing() -> str | None:
    """Return None: the part has no requirement."""
    return None


def data() -> str | None:
    """Return why the real treebanks are missing, or None."""
    folder = os.environ.get("FICTC_DATA", "")
    return None if Path(folder).is_dir() and folder else "FICTC_DATA names no folder of treebanks and benchmarks"


def java() -> str | None:
    """Return why Java is missing, or None."""
    home = os.environ.get("JAVA_HOME")
    return None if shutil.which(f"{home}/bin/java" if home else "java") else "Java is not installed"


def advisories() -> str | None:
    """Return why the list of known vulnerabilities is out of reach, or None."""
    try:
        urllib.request.urlopen("https://pypi.org/pypi/pip/25.0/json", timeout=30).close()
    except OSError as error:
        return f"PyPI does not answer ({error})"
    return None


@dataclass(frozen=True, slots=True)
class Part:
    """A target of the Makefile; `missing` returns the reason why it cannot run here, if any."""

    target: str
    missing: Callable[[], str | None] = nothing


PARTS = (
    Part("docs"),
    Part("test-shared", data),
    Part("test-spark", java),
    Part("bench-quick", data),
    Part("audit", advisories),
    Part("test-lowest"),
    Part("test-slow"),
    Part("nightly"),
    Part("fuzz"),
)


@dataclass(frozen=True, slots=True)
class Ended:
    """The result of a part: `passed`, `failed (CODE)` or `skipped: REASON`, and its seconds."""

    part: str
    result: str
    seconds: float


def run_parts(parts: Sequence[Part], call: Callable[[str], int]) -> Iterator[Ended]:
    """Run parts one after the other; `call` runs a target and returns its exit code."""
    for part in parts:
        began = time.monotonic()
        reason = part.missing()
        if reason is not None:
            result = f"skipped: {reason}"
        else:
            print(f"== make {part.target}", flush=True)
            code = call(part.target)
            result = "passed" if code == 0 else f"failed ({code})"
        yield Ended(part.target, result, time.monotonic() - began)


def table(ended: Sequence[Ended]) -> str:
    """Return a table with one line per part."""
    return "\n".join(f"{each.part:12} {each.seconds:8,.0f} s  {each.result}" for each in ended)


def make(target: str) -> int:
    """Run a target of the Makefile and return its exit code."""
    return subprocess.run(["make", "--no-print-directory", target], cwd=ROOT, check=False).returncode


def main(arguments: Sequence[str] | None = None, call: Callable[[str], int] = make) -> int:
    """Run the named parts, or all; return 1 if any failed, 130 after Ctrl-C."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=" ".join(part.target for part in PARTS))
    wanted = parser.parse_args(arguments).parts
    if unknown := set(wanted) - {part.target for part in PARTS}:
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    ended: list[Ended] = []
    try:
        ended.extend(run_parts([part for part in PARTS if not wanted or part.target in wanted], call))
    except KeyboardInterrupt:
        return 130
    finally:
        print(f"\n{table(ended)}")
    return int(any(each.result.startswith("failed") for each in ended))


if __name__ == "__main__":
    sys.exit(main())
