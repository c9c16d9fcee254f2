"""Pieces of files into what they hold, in their order, by this process and those beside it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from runner.corpus.conllu.tables_of_pieces import Parsed, parse
from runner.corpus.files.pieces import Piece
from runner.corpus.processes.process_pool import Coming, Crew
from runner.workspace import changed

Source = TypeVar("Source")
_AHEAD = 8  # pieces for each process that may be there before those before them


@dataclass(frozen=True, slots=True)
class Input:
    """What is read, by the name that it has in messages; and the file, if any process can read it from any place on."""

    name: str
    file: Path | None


def in_order(
    items: Iterator[tuple[Source, Input, Piece | None]], crew: Crew | None
) -> Iterator[tuple[Source, Parsed | None]]:
    """Parse the piece of each item; items without a piece keep their place.

    What comes out does not depend on the crew; this process parses what it has no time for.
    """
    if crew is None:
        yield from ((source, None if piece is None else parse(piece, read.name)) for source, read, piece in items)
        return
    waiting: deque[tuple[Source, Input, _Found]] = deque()
    for source, read, piece in items:
        found: _Found = None
        if piece is not None and crew.idle:
            found = crew.call(_read, *_sent(piece, read))
        elif piece is not None:
            found = parse(piece, read.name)
        waiting.append((source, read, found))
        while waiting and (_there(waiting[0][2]) or len(waiting) > _AHEAD * (crew.size + 1)):
            yield _next(*waiting.popleft())
    while waiting:
        yield _next(*waiting.popleft())


def _sent(piece: Piece, read: Input) -> tuple[Piece, Input, int]:
    """What another process needs of a piece: its bytes only where it cannot read them, and how many they are."""
    return (piece if read.file is None else replace(piece, data=b"")), read, len(piece.data)


def _read(piece: Piece, read: Input, size: int) -> Parsed | None:
    """Parse in another process. None if the file has changed."""
    if read.file is not None:
        try:
            with read.file.open("rb") as file:
                file.seek(piece.start)
                piece = replace(piece, data=file.read(size))
        except OSError:
            return None
        if len(piece.data) < size:
            return None
    return parse(piece, read.name)


_Found = Parsed | Coming[Parsed | None] | None


def _there(found: _Found) -> bool:
    return not isinstance(found, Coming) or found.done()


def _next(source: Source, read: Input, found: _Found) -> tuple[Source, Parsed | None]:
    if not isinstance(found, Coming):
        return source, found
    parsed = found.result()
    if parsed is None:
        raise changed(read.name)
    return source, parsed
