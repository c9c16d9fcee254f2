"""Parse pieces of files in this process and in a process pool, and yield the results in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from runner.corpus.conllu.tables_of_pieces import ParsedPiece, parse_piece
from runner.corpus.files.pieces import Piece
from runner.corpus.processes.process_pool import PendingResult, ProcessPool
from runner.workspace import changed_error

Source = TypeVar("Source")
_MAX_WAITING = 8  # pieces per process whose results are not yielded yet


@dataclass(frozen=True, slots=True)
class InputFile:
    """The name of an input in messages, and its path if other processes can read it from any offset, else None."""

    name: str
    path: Path | None


def parse_in_order(
    items: Iterator[tuple[Source, InputFile, Piece | None]], pool: ProcessPool | None
) -> Iterator[tuple[Source, ParsedPiece | None]]:
    """Parse the piece of each item, and yield the results in the order of the items.

    An item may have no piece, and then no result. If all workers of the pool are busy, this process parses the piece.
    Raises InputError (FICT700) if a file has become shorter or cannot be read any more.
    """
    if pool is None:
        yield from ((source, None if piece is None else parse_piece(piece, file.name)) for source, file, piece in items)
        return
    waiting: deque[tuple[Source, InputFile, _Result]] = deque()
    for source, file, piece in items:
        result: _Result = None
        if piece is not None and pool.has_capacity:
            result = pool.submit(_parse_in_worker, *_arguments(piece, file))
        elif piece is not None:
            result = parse_piece(piece, file.name)
        waiting.append((source, file, result))
        while waiting and (_is_done(waiting[0][2]) or len(waiting) > _MAX_WAITING * (pool.size + 1)):
            yield _wait(*waiting.popleft())
    while waiting:
        yield _wait(*waiting.popleft())


def _arguments(piece: Piece, file: InputFile) -> tuple[Piece, InputFile, int]:
    """Return the arguments of `_parse_in_worker`, without the bytes of the piece if the worker can read its file."""
    return (piece if file.path is None else replace(piece, data=b"")), file, len(piece.data)


def _parse_in_worker(piece: Piece, file: InputFile, size: int) -> ParsedPiece | None:
    """Parse a piece in a worker. Return None if its bytes can no longer be read from the file."""
    if file.path is not None:
        try:
            with file.path.open("rb") as stream:
                stream.seek(piece.start)
                piece = replace(piece, data=stream.read(size))
        except OSError:
            return None
        if len(piece.data) < size:
            return None
    return parse_piece(piece, file.name)


_Result = ParsedPiece | PendingResult[ParsedPiece | None] | None


def _is_done(result: _Result) -> bool:
    return not isinstance(result, PendingResult) or result.done()


def _wait(source: Source, file: InputFile, result: _Result) -> tuple[Source, ParsedPiece | None]:
    if not isinstance(result, PendingResult):
        return source, result
    parsed = result.result()
    if parsed is None:
        raise changed_error(file.name)
    return source, parsed
