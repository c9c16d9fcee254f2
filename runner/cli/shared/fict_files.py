"""Find `.fict` files that path arguments name, and write them."""

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
from runner.readers import real_path
from runner.workspace import atomic_write

STDIN, STDIN_NAME = "-", "<stdin>"


def expand_paths(
    paths: Sequence[str], stdin_path: Path, exclude: Sequence[str] = (), root: Path = Path()
) -> list[Path]:
    """Return the named files and the filter files in named folders, each once. `-` is the file `stdin_path`.

    Files in these folders are skipped if their path relative to `root`, or that of a folder above them, matches a
    pattern of `exclude`. Raises UsageError if a folder has no other `.fict` file.
    """
    files: list[Path] = []
    for name in paths:
        path = stdin_path if name == STDIN else Path(name)
        if name == STDIN or not path.is_dir():
            files.append(path)
            continue
        found_files = fict_files(path)
        included = [file for file in found_files if not _is_excluded(file, exclude, root)]
        files += included
        if not included:
            reason = (
                f"The settings exclude all .fict files in {name}."
                if found_files
                else f"There is no .fict file in {name}."
            )
            raise click.UsageError(reason)
    return list(dict.fromkeys(files))


def _is_excluded(file: Path, patterns: Sequence[str], root: Path) -> bool:
    if not patterns:
        return False
    relative = Path(os.path.relpath(real_path(file), real_path(root)))
    candidates = [path.as_posix() for path in (relative, *relative.parents)]
    return any(fnmatch(candidate, pattern.rstrip("/")) for candidate in candidates for pattern in patterns)


def replace_text(file: Path, text: str) -> None:
    """Replace the text of an existing file atomically, without changing its mode. Symbolic links are followed."""
    target = real_path(file)
    with atomic_write(target) as temp:
        temp.write_bytes(text.encode())
        shutil.copymode(target, temp)


def unified_diff(file: Path, before: str, after: str) -> str:
    """Return the unified diff for `patch -p0`, empty if the texts are equal."""
    old, new = (re.findall(r"[^\n]*\n|[^\n]+", text) for text in (before, after))
    lines = difflib.unified_diff(old, new, str(file), str(file))
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
