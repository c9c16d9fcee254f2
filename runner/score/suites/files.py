"""The files of a suite: a file, or the files of a folder and of the folders below it."""

from __future__ import annotations

import os
from pathlib import Path

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.readers import read_text, text_reason

TABLE_SUFFIXES = (".csv", ".tsv")
PAIR_SUFFIXES = (".jsonl", *TABLE_SUFFIXES)
MAX_ENTRIES = 20_000  # files and folders below a folder: a home directory is no suite


def suite_files(path: Path, suffixes: tuple[str, ...]) -> list[Path]:
    """Return the file, or the files with these suffixes in a folder and the folders below it, in order of their paths.

    Hidden files and folders are left out. Raises InputError (FICT811) for a folder of more than `MAX_ENTRIES` entries.
    """
    if not path.is_dir():
        return [path]
    files: list[Path] = []
    entries = 0
    visited = set[str]()
    for folder, subfolders, names in os.walk(path, followlinks=True):
        subfolders[:] = [name for name in subfolders if not name.startswith(".")]
        entries += len(subfolders) + len(names)
        if entries > MAX_ENTRIES:
            reason = f"the folder has more than {MAX_ENTRIES:,} files and folders"
            raise InputError(diagnostic("FICT811", path=path, reason=reason))
        if (real := os.path.realpath(folder)) in visited:  # a link to a folder above it
            subfolders.clear()
            continue
        visited.add(real)
        files += [Path(folder, name) for name in names if not name.startswith(".")]
    return sorted(file for file in files if file.suffix.lower() in suffixes and file.is_file())


def is_table(path: Path) -> bool:
    """Return whether a path is a file whose suffix is that of a table."""
    return path.suffix.lower() in TABLE_SUFFIXES and not path.is_dir()


def suite_text(path: Path) -> str:
    """Return the text of a suite's file. Raises InputError (FICT811) if it cannot be read or is not UTF-8."""
    try:
        return read_text(path)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(diagnostic("FICT811", path=path, reason=text_reason(error))) from error
