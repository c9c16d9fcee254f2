"""Parse shards in this process or in a process pool."""

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
from runner.corpus.processes.lifetime import block_interrupts, set_worker_signals
from runner.corpus.text.parsed import Parser, blank_record, record
from runner.corpus.text.units import Unit, count_text_units
from runner.errors import InputError

MakeParser = Callable[[], Parser]

_parser: Parser | None = None  # the parser of a worker process


@dataclass(frozen=True, slots=True)
class Task:
    """A shard: its file, its units, the name for sentence ids, and the maximum number of words of a parsed sentence."""

    path: Path
    units: list[Unit]
    name: str
    max_words: int

    @property
    def size(self) -> int:
        """The number of units with text."""
        return count_text_units(self.units)


def parse_shard(parser: Parser, task: Task) -> None:
    """Parse the units of a shard and publish its file."""
    texts = [unit.text for unit in task.units if not unit.blank]
    sentences = iter(parser.parse(texts, task.max_words) if texts else ())
    records = [blank_record(unit) if unit.blank else record(unit, next(sentences), task.name) for unit in task.units]
    write_shard(task.path, records)


def parse_shards(tasks: Iterator[Task], make_parser: MakeParser, jobs: int, on_done: Callable[[int], None]) -> None:
    """Parse all shards in `jobs` processes, each with its own parser. `on_done` receives the size of each parsed shard.

    Raises InputError if a process cannot write its shard, or if it dies (FICT760).
    """
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, context, _initialize_worker, (make_parser,)) as pool:
        running_sizes: dict[Future[tuple[Diagnostic, ...]], int] = {}
        try:
            for task in tasks:
                if len(running_sizes) >= 2 * jobs:
                    _collect(running_sizes, on_done)
                with block_interrupts():  # the first call of `submit` starts the processes
                    running_sizes[pool.submit(_parse_in_worker, task)] = task.size
            while running_sizes:
                _collect(running_sizes, on_done)
        except BrokenProcessPool as error:
            raise InputError(diagnostic("FICT760")) from error
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _collect(running_sizes: dict[Future[tuple[Diagnostic, ...]], int], on_done: Callable[[int], None]) -> None:
    """Wait until a task is finished, remove all finished tasks, and report their sizes."""
    done, _ = wait(running_sizes, return_when=FIRST_COMPLETED)
    for future in done:
        size = running_sizes.pop(future)
        if problems := future.result():
            raise InputError(problems)
        on_done(size)


def _initialize_worker(make_parser: MakeParser) -> None:
    global _parser  # noqa: PLW0603 - a process pool offers no other place for the state of a worker
    set_worker_signals()
    _parser = make_parser()


def _parse_in_worker(task: Task) -> tuple[Diagnostic, ...]:
    """Parse a shard in a worker; return errors as values."""
    assert _parser is not None
    try:
        parse_shard(_parser, task)
    except InputError as error:
        return error.diagnostics
    return ()
