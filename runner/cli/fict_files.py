"""Paths into the `.fict` files that they name, and new texts into those files."""

from __future__ import annotations

import difflib
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from runner.workspace import atomic_write

STDIN, STDIN_NAME = "-", "<stdin>"


def files_of(paths: Sequence[str]) -> list[Path]:
    """The files named and those in the folders named, each once. Raises UsageError for a folder that has none."""
    files: list[Path] = []
    for written in paths:
        path = Path(written)
        if written == STDIN or not path.is_dir():
            files.append(path)
            continue
        inside = sorted(_walk(path))
        files += inside
        if not inside:
            raise click.UsageError(f"There is no .fict file in {written}.")
    return list(dict.fromkeys(files))


def _walk(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (Path(place) / name for name in names if name.endswith(".fict"))


def write(file: Path, text: str) -> None:
    """Put a text into a file that is there, at once; a link stays one, and the file's mode stays."""
    real = Path(os.path.realpath(file))
    with atomic_write(real) as temp:
        temp.write_bytes(text.encode())
        shutil.copymode(real, temp)


def difference(name: str, before: str, after: str) -> str:
    """What `patch -p0` makes the one of the other with; empty if they are equal."""
    old, new = (re.findall(r"[^\n]*\n|[^\n]+", text) for text in (before, after))
    lines = difflib.unified_diff(old, new, name, name)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
