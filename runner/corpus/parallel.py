"""Pieces of files into what they hold, in their order, by this process or by several that end with it."""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import pyarrow as pa

from fictdsl.diagnostics.codes import diagnostic
from runner.corpus.bulk import Parsed, parse
from runner.corpus.memory import keep_freed
from runner.corpus.pieces import Piece
from runner.corpus.workers import end_quietly
from runner.errors import InputError

Source = TypeVar("Source")


def in_order(
    items: Iterator[tuple[Source, str, Piece | None]], jobs: int, folder: Path
) -> Generator[tuple[Source, Parsed | None], None, None]:
    """Parse the piece of each item, whose file has the name given; items without a piece keep their place.

    What comes out does not depend on `jobs`; several processes hand over their tables in files in `folder`. Raises
    InputError if a process is killed.
    """
    if jobs == 1:
        yield from ((source, None if piece is None else parse(piece, name)) for source, name, piece in items)
        return
    context = multiprocessing.get_context("spawn")
    with TemporaryDirectory(dir=folder) as between, ProcessPoolExecutor(jobs, context, _start) as pool:
        waiting: deque[tuple[Source, Future[_Handed] | None]] = deque()
        try:
            for number, (source, name, piece) in enumerate(items):
                place = Path(between) / str(number)
                waiting.append((source, None if piece is None else pool.submit(_hand_over, piece, name, place)))
                if len(waiting) > 2 * jobs:
                    yield _next(waiting)
            while waiting:
                yield _next(waiting)
        except BrokenProcessPool as error:
            raise InputError(diagnostic("FICT760")) from error
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _start() -> None:
    end_quietly()
    keep_freed()


@dataclass(frozen=True, slots=True)
class _Handed:
    """What was parsed, without the rows of its tables, and the files where they are."""

    parsed: Parsed
    files: dict[str, Path]


def _hand_over(piece: Piece, name: str, place: Path) -> _Handed:
    """Parse in a worker; rows go through files, which costs less than through a pipe."""
    parsed = parse(piece, name)
    if parsed.tables is None:
        return _Handed(parsed, {})
    files = {}
    for table, rows in parsed.tables.tables.items():
        files[table] = place.with_name(f"{place.name}.{table}")
        with pa.OSFile(str(files[table]), "wb") as sink, pa.ipc.new_file(sink, rows.schema) as writer:
            writer.write_table(rows)
    return _Handed(replace(parsed, tables=replace(parsed.tables, tables={})), files)


def _taken(handed: _Handed) -> Parsed:
    """What was handed over, whole; its files last as long as its tables."""
    parsed, found = handed.parsed, {}
    if parsed.tables is None:
        return parsed
    for table, file in handed.files.items():
        found[table] = pa.ipc.open_file(pa.memory_map(str(file))).read_all()
        file.unlink()
    return replace(parsed, tables=replace(parsed.tables, tables=found))


def _next(waiting: deque[tuple[Source, Future[_Handed] | None]]) -> tuple[Source, Parsed | None]:
    source, future = waiting.popleft()
    return source, None if future is None else _taken(future.result())
