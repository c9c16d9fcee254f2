"""Make and check cases of targets in several processes for some time; reduce and keep the failures."""

from __future__ import annotations

import json
import os
import random
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from queue import Empty
from typing import TYPE_CHECKING, Any, Protocol, cast

from fictdsl.syntax.grammar import parser
from tests.fuzz.reduce import reduced
from tests.fuzz.sandbox import Failure, Sandbox, mirror

if TYPE_CHECKING:
    from multiprocessing.queues import Queue

TARGETS = ("filters", "numbers", "conllu", "manifests", "suites", "models", "stores", "lsp", "explore")
KEPT = 2  # failures per signature that a process keeps and reduces


class Target(Protocol):
    """The functions of a target's module."""

    def make(self, rng: random.Random, folder: Path) -> None:
        """Write the files of one case below an empty folder."""

    def check(self, folder: Path, sandbox: Sandbox) -> None:
        """Run the commands of a case in its folder, which they may change. Raises Failure."""


@dataclass(frozen=True)
class Options:
    """The options of a run, which ends after `seconds` or `cases` for each target."""

    seed: int
    seconds: float
    cases: int | None
    jobs: int
    memory: int
    keep: Path
    reduce: float  # seconds per kept failure


@dataclass
class Tally:
    """The results of the cases of a target."""

    cases: int = 0
    seconds: float = 0.0
    codes: Counter[tuple[str, int]] = field(default_factory=Counter)
    slowest: tuple[float, str] = (0.0, "")
    failures: Counter[str] = field(default_factory=Counter)
    kept: dict[str, list[Path]] = field(default_factory=dict)
    passing: Counter[str] = field(default_factory=Counter)  # failures that did not repeat

    def add(self, other: Tally) -> None:
        """Add the results of another process."""
        self.cases += other.cases
        self.codes.update(other.codes)
        self.slowest = max(self.slowest, other.slowest)
        self.failures.update(other.failures)
        self.passing.update(other.passing)
        for signature, paths in other.kept.items():
            self.kept.setdefault(signature, []).extend(paths)


def load(name: str) -> Target:
    """Return the module of a target."""
    return cast("Target", import_module(f"tests.fuzz.{name}"))


def run(name: str, options: Options) -> Iterator[Tally]:
    """Fuzz one target; yield the results so far every few seconds, and at the end."""
    context = get_context("fork")
    reports: Queue[Tally] = context.Queue()
    start = time.monotonic()
    workers = [context.Process(target=_work, args=(name, options, number, reports)) for number in range(options.jobs)]
    for worker in workers:
        worker.start()
    total = Tally()
    while any(worker.is_alive() for worker in workers) or not reports.empty():
        try:
            total.add(reports.get(timeout=0.2))
        except Empty:
            continue
        total.seconds = time.monotonic() - start
        yield total
    for worker in workers:
        worker.join()
        if worker.exitcode:
            raise RuntimeError(f"a process that fuzzed {name} ended with {worker.exitcode}")
    total.seconds = time.monotonic() - start
    yield total


def replay(folder: Path, memory: int) -> Failure | None:
    """Run a kept case again; return its failure, or None."""
    name = json.loads((folder / "case.json").read_text())["target"]
    with _folder() as base:
        return _failure(_prepared(name, base), folder / "files", Sandbox(base / "scratch", memory), base)


@contextmanager
def _folder() -> Iterator[Path]:
    """Yield a temporary folder that forked processes do not remove at exit."""
    base = Path(tempfile.mkdtemp(prefix="fictc-fuzz-"))
    try:
        yield base
    finally:
        _remove(base)


def _prepared(name: str, base: Path) -> Target:
    """Return the module of a target, after filling a cache that commands share."""
    os.environ["OMP_NUM_THREADS"] = "1"
    os.environ["XDG_CACHE_HOME"] = str(base / "cache")
    target = load(name)
    parser()  # otherwise every command would build its tables
    return target


def _work(name: str, options: Options, worker: int, reports: Queue[Tally]) -> None:
    """Make and check every case whose number modulo the number of workers is `worker`."""
    deadline = time.monotonic() + options.seconds
    number, seen = worker, Counter[str]()
    with _folder() as base:
        target = _prepared(name, base)
        while time.monotonic() < deadline and (options.cases is None or number < options.cases):
            tally, last = Tally(), time.monotonic()
            while time.monotonic() - last < 5 and (options.cases is None or number < options.cases):
                tally.add(_case(name, target, options, number, base, seen))
                number += options.jobs
                if time.monotonic() > deadline:
                    break
            reports.put(tally)
    reports.close()
    reports.join_thread()


def _case(name: str, target: Target, options: Options, number: int, base: Path, seen: Counter[str]) -> Tally:
    """Make and check one case; a failure that repeats is reduced and kept."""
    files, sandbox = base / "case", Sandbox(base / "scratch", options.memory)
    _remove(files)
    files.mkdir()
    target.make(random.Random(f"{options.seed}:{name}:{number}"), files)
    failure = _failure(target, files, sandbox, base)
    tally = Tally(1, 0.0, sandbox.codes, sandbox.slowest)
    if failure is None:
        return tally
    signature = failure.signature
    seen[signature] += 1
    if seen[signature] > KEPT:
        tally.failures[signature] += 1
        return tally

    def fails(candidate: Path) -> Failure | None:
        repeated = _failure(target, candidate, Sandbox(base / "scratch", options.memory), base)
        return repeated if repeated is not None and repeated.signature == signature else None

    if fails(files) is None:
        tally.passing[signature] += 1
        return tally
    tally.failures[signature] += 1
    smaller = reduced(files, fails, options.reduce)
    tally.kept[signature] = [_keep(options, name, number, smaller, fails(smaller) or failure)]
    return tally


def _failure(target: Target, files: Path, sandbox: Sandbox, base: Path) -> Failure | None:
    """Check a copy of a case's files."""
    copy = base / "copy"
    _remove(copy)
    mirror(files, copy)
    shutil.rmtree(sandbox.scratch, ignore_errors=True)
    sandbox.scratch.mkdir()
    try:
        target.check(copy, sandbox)
    except Failure as failure:
        return failure
    return None


def _keep(options: Options, name: str, number: int, files: Path, failure: Failure) -> Path:
    target = options.keep / f"{name}-{options.seed}-{number}"
    _remove(target)
    target.mkdir(parents=True)
    mirror(files, target / "files")
    case: dict[str, Any] = {"target": name, "seed": options.seed, "number": number, "signature": failure.signature}
    (target / "case.json").write_text(json.dumps(case, indent=1))
    (target / "failure.txt").write_text(f"{failure.summary}\n{failure.detail}\n", errors="backslashreplace")
    return target


def _remove(folder: Path) -> None:
    """Remove a folder, whatever the modes of its subfolders."""
    if folder.exists():
        for path, _, _ in os.walk(folder):
            Path(path).chmod(0o700)
        shutil.rmtree(folder)
