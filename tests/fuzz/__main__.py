"""Fuzz targets one after the other, and report the cases and failures.

    python -m tests.fuzz [TARGET…] [--minutes 10] [--seed 1] [--memory 4GB] [--jobs 2] [--cases N] [--keep FOLDER]
    python -m tests.fuzz --replay FOLDER

Ends with 1 if a case failed. Failing cases are reduced and kept in FOLDER; --replay runs one again.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from runner.cli.query_options import Size
from runner.machine import available_cores
from tests.fuzz.runs import TARGETS, Options, Tally, replay, run

PROGRESS_INTERVAL = 30.0  # seconds


def main(arguments: Sequence[str] | None = None) -> int:
    """Fuzz and print a table for each target; return 1 if a case failed."""
    options = _parser().parse_args(arguments)
    memory = Size().convert(options.memory, None, None)
    if options.replay is not None:
        failure = replay(options.replay, memory)
        print("the case does not fail any more" if failure is None else f"{failure.summary}\n{failure.detail}")
        return int(failure is not None)
    settings = Options(
        options.seed, options.minutes * 60, options.cases, options.jobs, memory, options.keep, options.reduce
    )
    failed = [name for name in options.targets or TARGETS if _fuzz(name, settings)]
    return int(bool(failed))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", choices=[*TARGETS, []], metavar="TARGET", help=", ".join(TARGETS))
    parser.add_argument("--minutes", type=float, default=10.0, help="minutes per target")
    parser.add_argument("--cases", type=int, help="maximal number of cases per target")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--memory", default="4GB", help="limit of a command's address space")
    parser.add_argument("--jobs", type=int, default=available_cores(), help="number of processes")
    parser.add_argument("--keep", type=Path, default=Path("fuzz-failures"), help="folder for failing cases")
    parser.add_argument("--reduce", type=float, default=20.0, help="seconds to reduce a failing case")
    parser.add_argument("--replay", type=Path, help="run a failing case again")
    return parser


def _fuzz(name: str, options: Options) -> bool:
    reported = time.monotonic()
    tally = Tally()
    for tally in run(name, options):
        if time.monotonic() - reported >= PROGRESS_INTERVAL:
            reported = time.monotonic()
            print(
                f"{name}: {tally.cases:,} cases, {sum(tally.failures.values())} failures", file=sys.stderr, flush=True
            )
    _print(name, tally)
    return bool(tally.failures)


def _print(name: str, tally: Tally) -> None:
    codes = Counter[int]()
    for (_, code), count in tally.codes.items():
        codes[code] += count
    rate = tally.cases / max(tally.seconds, 1e-9)
    print(
        f"{name}: {tally.cases:,} cases, {codes.total():,} commands in {tally.seconds:.0f} s, {rate:.1f} cases per second"
    )
    print("  exit codes: " + ", ".join(f"{code}: {count:,}" for code, count in sorted(codes.items())))
    by_command = Counter[str]()
    for (command, _), count in tally.codes.items():
        by_command[command] += count
    print("  commands: " + ", ".join(f"{command} {count:,}" for command, count in sorted(by_command.items())))
    print(f"  slowest: {tally.slowest[0]:.1f} s, fictc {tally.slowest[1]}")
    for signature, count in tally.failures.most_common():
        kept = ", ".join(map(str, tally.kept.get(signature, [])))
        print(f"  FAILED {count:,} times: {signature}  [{kept}]")
    for signature, count in tally.passing.most_common():
        print(f"  failed once and then passed, {count:,} times: {signature}")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
