"""Pieces of files into what they hold, in their order, by this process or by several that end with it."""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from fictdsl.diagnostics.codes import diagnostic
from runner.corpus.bulk import Parsed, parse
from runner.corpus.pieces import Piece
from runner.corpus.workers import end_quietly
from runner.errors import InputError

Source = TypeVar("Source")


def in_order(
    items: Iterator[tuple[Source, str, Piece | None]], jobs: int
) -> Generator[tuple[Source, Parsed | None], None, None]:
    """Parse the piece of each item, whose file has the name given; items without a piece keep their place.

    What comes out does not depend on `jobs`. Raises InputError if a process is killed.
    """
    if jobs == 1:
        yield from ((source, None if piece is None else parse(piece, name)) for source, name, piece in items)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, context, end_quietly) as pool:
        waiting: deque[tuple[Source, Future[Parsed] | None]] = deque()
        try:
            for source, name, piece in items:
                waiting.append((source, None if piece is None else pool.submit(parse, piece, name)))
                if len(waiting) > 2 * jobs:
                    yield _next(waiting)
            while waiting:
                yield _next(waiting)
        except BrokenProcessPool as error:
            raise InputError(diagnostic("FICT760")) from error
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _next(waiting: deque[tuple[Source, Future[Parsed] | None]]) -> tuple[Source, Parsed | None]:
    source, future = waiting.popleft()
    return source, None if future is None else future.result()
