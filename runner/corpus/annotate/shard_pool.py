"""Shards that are still to do into shard files, by this process or by several that end with it."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from runner.corpus.annotate.shards import write_shard
from runner.corpus.processes.lifetime import block_interrupts, end_with_parent
from runner.corpus.text.parsed import Parser, blank_record, record
from runner.corpus.text.units import Unit, text_units
from runner.errors import InputError

MakeParser = Callable[[], Parser]

_parser: Parser | None = None  # of a worker process, loaded once


@dataclass(frozen=True, slots=True)
class Task:
    """One shard: where it goes, its units, the name their sentences get, and the longest sentence to parse."""

    path: Path
    units: list[Unit]
    name: str
    max_tokens: int

    @property
    def size(self) -> int:
        """How many units have text."""
        return text_units(self.units)


def do_shard(parser: Parser, task: Task) -> None:
    """Parse the units of one shard and publish its file."""
    sentences = iter(parser.parse([unit.text for unit in task.units if not unit.blank], task.max_tokens))
    records = [blank_record(unit) if unit.blank else record(unit, next(sentences), task.name) for unit in task.units]
    write_shard(task.path, records)


def run_shards(tasks: Iterator[Task], make_parser: MakeParser, jobs: int, on_done: Callable[[int], None]) -> None:
    """Do all tasks in `jobs` processes, each with a parser of its own; `on_done` gets the size of each.

    Raises InputError if a process cannot write, or is killed.
    """
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, context, _start, (make_parser,)) as pool:
        running: dict[Future[tuple[Diagnostic, ...]], int] = {}
        try:
            for task in tasks:
                if len(running) >= 2 * jobs:
                    _collect(running, on_done)
                with block_interrupts():  # the first call starts the processes
                    running[pool.submit(_work, task)] = task.size
            while running:
                _collect(running, on_done)
        except BrokenProcessPool as error:
            raise InputError(diagnostic("FICT760")) from error
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _collect(running: dict[Future[tuple[Diagnostic, ...]], int], on_done: Callable[[int], None]) -> None:
    """Wait for at least one task and take away what is done."""
    done, _ = wait(running, return_when=FIRST_COMPLETED)
    for future in done:
        size = running.pop(future)
        if problems := future.result():
            raise InputError(problems)
        on_done(size)


def _start(make_parser: MakeParser) -> None:
    global _parser  # noqa: PLW0603 - a process pool has no other place for what a process keeps
    end_with_parent()
    _parser = make_parser()


def _work(task: Task) -> tuple[Diagnostic, ...]:
    """Do a shard in a worker; what the user has to know travels as values."""
    assert _parser is not None
    try:
        do_shard(_parser, task)
    except InputError as error:
        return error.diagnostics
    return ()
