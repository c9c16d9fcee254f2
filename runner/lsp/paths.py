"""A folder into the files below it that a document may name."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from fictdsl.syntax.files import project_root

_MOST = 20_000  # files looked at; a project of more has its filters in a folder with a `fictc.toml`
_SUFFIXES = {"use": ".fict", "file": ".txt"}


def paths_for(document: Path | None, word: str) -> list[str]:
    """The files of the project that `use` or `file` can name in a document, relative to its folder."""
    if document is None:
        return []
    own = Path(os.path.realpath(document))
    files = files_below(project_root(own.parent), _SUFFIXES[word])
    paths = {Path(os.path.relpath(file, own.parent)).as_posix() for file in files if file != own}
    return sorted(paths, key=lambda path: (path.count("/"), path))


def files_below(root: Path, suffix: str) -> Iterator[Path]:
    """The real paths of the files below a folder that end so; hidden folders and installed packages are left out."""
    seen = 0
    for place, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "node_modules")
        for name in sorted(names):
            seen += 1
            if seen > _MOST:
                return
            if name.endswith(suffix):
                yield Path(os.path.realpath(Path(place) / name))
