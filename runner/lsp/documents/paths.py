"""A folder into the files below it that a document may name."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from fictdsl.syntax.text.paths import project_root

_MOST = 20_000  # files looked at; a project of more has its filters in a folder with a `fictc.toml`
_SUFFIXES = {"use": ".fict", "file": ".txt"}


def path_of(uri: str) -> Path | None:
    """The file on this machine that a URI names. None if it names none."""
    try:
        parts = urlsplit(uri)
        path = url2pathname(parts.path)
        os.fsencode(path)
    except (ValueError, OSError):
        return None
    if parts.scheme != "file" or parts.netloc not in ("", "localhost") or "\0" in path or not Path(path).is_absolute():
        return None
    return Path(path)


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
