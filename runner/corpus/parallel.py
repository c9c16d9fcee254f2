"""Pieces of files into what they hold, in their order, by this process or by several that end with it."""

from __future__ import annotations

import gc
import multiprocessing
from collections import deque
from collections.abc import Generator, Iterable, Iterator
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
_QUEUED = 2  # pieces that a process has before it, so that it need not wait for this one


@dataclass(frozen=True, slots=True)
class Input:
    """What is read, by the name that it has in messages; and the file, if any process can read it from any place on."""

    name: str
    file: Path | None


def in_order(
    items: Iterator[tuple[Source, Input, Piece | None]], jobs: int, folder: Path
) -> Generator[tuple[Source, Parsed | None], None, None]:
    """Parse the piece of each item; items without a piece keep their place.

    What comes out does not depend on `jobs`; this process parses what the others have no time for, and these hand over
    their tables in files in `folder`. Raises InputError if a process is killed.
    """
    if jobs == 1:
        yield from ((source, None if piece is None else parse(piece, read.name)) for source, read, piece in items)
        return
    context = multiprocessing.get_context("spawn")
    with TemporaryDirectory(dir=folder) as between, ProcessPoolExecutor(jobs - 1, context, _start) as pool:
        waiting: deque[tuple[Source, Input, _Coming]] = deque()
        try:
            for number, (source, read, piece) in enumerate(items):
                coming: _Coming = None
                if piece is not None and _unfinished(waiting) < _QUEUED * (jobs - 1):
                    coming = pool.submit(_hand_over, *_sent(piece, read), Path(between) / str(number))
                elif piece is not None:
                    coming = parse(piece, read.name)
                waiting.append((source, read, coming))
                while waiting and (len(waiting) > 2 * _QUEUED * jobs or not _unfinished([waiting[0]])):
                    yield _next(*waiting.popleft())
            while waiting:
                yield _next(*waiting.popleft())
        except BrokenProcessPool as error:
            raise InputError(diagnostic("FICT760")) from error
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _start() -> None:
    end_quietly()
    keep_freed()
    gc.disable()  # there are no cycles worth the time


@dataclass(frozen=True, slots=True)
class _Handed:
    """What was parsed, without the rows of its tables, and the files where they are."""

    parsed: Parsed
    files: dict[str, Path]


def _sent(piece: Piece, read: Input) -> tuple[Piece, Input, int]:
    """What a worker needs of a piece: its bytes only where it cannot read them itself, and how many they are."""
    return (piece if read.file is None else replace(piece, data=b"")), read, len(piece.data)


def _hand_over(piece: Piece, read: Input, size: int, place: Path) -> _Handed | None:
    """Parse in a worker; rows go through files, which costs less than through a pipe. None if the file has changed."""
    if read.file is not None:
        try:
            with read.file.open("rb") as file:
                file.seek(piece.start)
                piece = replace(piece, data=file.read(size))
        except OSError:
            return None
        if len(piece.data) < size:
            return None
    parsed = parse(piece, read.name)
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


_Coming = Parsed | Future[_Handed | None] | None


def _unfinished(waiting: Iterable[tuple[Source, Input, _Coming]]) -> int:
    return sum(isinstance(coming, Future) and not coming.done() for _, _, coming in waiting)


def _next(source: Source, read: Input, coming: _Coming) -> tuple[Source, Parsed | None]:
    if not isinstance(coming, Future):
        return source, coming
    handed = coming.result()
    if handed is None:
        raise changed(read.name)
    return source, _taken(handed)


def changed(path: object) -> InputError:
    """What to say of a file that is no longer what it was when its reading began."""
    return InputError(diagnostic("FICT700", path=path, reason="it was changed while it was read"))
