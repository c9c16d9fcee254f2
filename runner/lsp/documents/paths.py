"""Find the files that a document may name."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from fictdsl.syntax.files import project_root
from runner.readers import real_path

_MAX_FILES = 20_000  # files that are visited; a larger project needs a `fictc.toml` in the folder of its filters
_SUFFIXES = {"use": ".fict", "file": ".txt", "from": ".tsv"}


def path_of(uri: str) -> Path | None:
    """Return the file on this machine that a URI names, or None."""
    try:
        parts = urlsplit(uri)
        path = url2pathname(parts.path)
        os.fsencode(path)
    except (ValueError, OSError):
        return None
    if parts.scheme != "file" or parts.netloc not in ("", "localhost") or "\0" in path or not Path(path).is_absolute():
        return None
    return Path(path)


def paths_for(document: Path | None, keyword: str) -> list[str]:
    """Return the files of the project that `use`, `file` or `from` can name in a document, relative to its folder."""
    if document is None:
        return []
    real_document = real_path(document)
    files = files_below(project_root(real_document.parent), _SUFFIXES[keyword])
    paths = {Path(os.path.relpath(file, real_document.parent)).as_posix() for file in files if file != real_document}
    return sorted(paths, key=lambda path: (path.count("/"), path))


def files_below(root: Path, suffix: str) -> Iterator[Path]:
    """Yield the real paths of files with a suffix below a folder, except in hidden folders and `node_modules`."""
    visited = 0
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "node_modules")
        for name in sorted(names):
            visited += 1
            if visited > _MAX_FILES:
                return
            if name.endswith(suffix):
                yield real_path(Path(folder) / name)
