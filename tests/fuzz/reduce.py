"""Reduce the files of a failing case while it still fails."""

from __future__ import annotations

import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path

LARGEST = 4 << 20  # bytes; larger files are not reduced


def reduced(files: Path, fails: Callable[[Path], object], seconds: float) -> Path:
    """Drop files, then lines, then bytes below `files` in place, while `fails`, for at most `seconds`."""
    deadline = time.monotonic() + seconds
    for path in sorted(files.rglob("*"), reverse=True):
        if time.monotonic() < deadline and path.is_file() and not path.is_symlink() and path.name != "commands.json":
            _without(path, files, fails)
    for path in sorted(files.rglob("*")):
        if path.exists() and _is_regular(path) and path.stat().st_size <= LARGEST and path.name != "commands.json":
            _smaller(path, lambda: fails(files) is not None, deadline)
    return files


def _is_regular(path: Path) -> bool:
    return stat.S_ISREG(path.lstat().st_mode)


def _without(path: Path, files: Path, fails: Callable[[Path], object]) -> None:
    content = path.read_bytes()
    path.unlink()
    if fails(files) is None:
        path.write_bytes(content)


def _smaller(path: Path, fails: Callable[[], bool], deadline: float) -> None:
    for split, joint in ((b"\n", b"\n"), (b"", b"")):
        pieces = path.read_bytes().split(split) if split else [bytes([each]) for each in path.read_bytes()]
        for candidate in _shrinking(pieces, deadline):
            before = path.read_bytes()
            path.write_bytes(joint.join(candidate.pieces))
            if fails():
                candidate.accepted = True
            else:
                path.write_bytes(before)


class _Candidate:
    """Pieces to try, and whether they were accepted."""

    def __init__(self, pieces: list[bytes]) -> None:
        self.pieces, self.accepted = pieces, False


def _shrinking(pieces: list[bytes], deadline: float) -> Iterator[_Candidate]:
    """Yield candidates, each without a run of pieces: halves, then quarters, down to single pieces."""
    size = max(1, len(pieces) // 2)
    while True:
        start = 0
        while start < len(pieces) and time.monotonic() < deadline:
            candidate = _Candidate(pieces[:start] + pieces[start + size :])
            yield candidate
            if candidate.accepted:
                pieces = candidate.pieces
            else:
                start += size
        if size == 1 or time.monotonic() >= deadline:
            return
        size //= 2
