"""Paths into the `.fict` files that they name, and new texts into those files."""

from __future__ import annotations

import difflib
import os
import re
import shutil
from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path

import click

from runner.corpus.query.filters import fict_files
from runner.workspace import atomic_write

STDIN, STDIN_NAME = "-", "<stdin>"


def files_of(paths: Sequence[str], stdin: Path, exclude: Sequence[str] = (), root: Path = Path()) -> list[Path]:
    """The files named and those in the folders named, each once; `-` is the file `stdin`.

    Of folders, what one of the patterns `exclude` (relative to `root`) means is left out. Raises UsageError for a
    folder that has no other.
    """
    files: list[Path] = []
    for written in paths:
        path = stdin if written == STDIN else Path(written)
        if written == STDIN or not path.is_dir():
            files.append(path)
            continue
        inside = [file for file in fict_files(path) if not _excluded(file, exclude, root)]
        files += inside
        if not inside:
            raise click.UsageError(f"There is no .fict file in {written}.")
    return list(dict.fromkeys(files))


def _excluded(file: Path, patterns: Sequence[str], root: Path) -> bool:
    if not patterns:
        return False
    relative = Path(os.path.relpath(real(file), real(root)))
    names = [part.as_posix() for part in (relative, *relative.parents)]
    return any(fnmatch(name, pattern.rstrip("/")) for name in names for pattern in patterns)


def write(file: Path, text: str) -> None:
    """Put a text into a file that is there, at once; a link stays one, and the file's mode stays."""
    target = real(file)
    with atomic_write(target) as temp:
        temp.write_bytes(text.encode())
        shutil.copymode(target, temp)


def difference(file: Path, before: str, after: str) -> str:
    """What `patch -p0` makes the one of the other with; empty if they are equal."""
    old, new = (re.findall(r"[^\n]*\n|[^\n]+", text) for text in (before, after))
    lines = difflib.unified_diff(old, new, str(file), str(file))
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def real(file: Path) -> Path:
    """The path that a file has without links."""
    return Path(os.path.realpath(file))
