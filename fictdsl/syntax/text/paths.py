"""A path as written in a file into the bytes it names, within the project and nowhere else."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path, PurePath

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.diagnostics.suggest import nearest
from fictdsl.source import Source, Span

MAX_FILES = 64  # of each kind: `.fict` files and word lists
FICT_BYTES = 1_000_000
LIST_BYTES = 8_000_000
ROOT_MARKS = ("pyproject.toml", "fictc.toml")

_LISTED = 2_000  # files of a folder that are looked at for the nearest name


@dataclass(frozen=True, slots=True)
class Place:
    """Who asks for a file, for messages: the source, the span of the path in it, and the path as shown."""

    source: Source | None
    span: Span | None
    shown: str

    def problem(self, code: str, hint: str | None = None, **parameters: object) -> Diagnostic:
        """A diagnostic at this place."""
        return diagnostic(code, self.source, self.span, hint=hint, labels=(), fix=None, **parameters)


@dataclass(slots=True)
class Folder:
    """Where relative paths begin, and the project root that they may not leave. Both are real paths."""

    path: Path
    root: Path = field(init=False)
    _real: dict[str, Path] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.path = Path(os.path.realpath(self.path))
        self.root = project_root(self.path)

    def find(self, written: str, place: Place) -> Path | Diagnostic:
        """The real path of a file named in a file of this folder, or why it may not be read."""
        if PurePath(written).is_absolute():
            return place.problem("FICT147", "write it relative to the folder of this file", file=written)
        real = self._real.get(written)
        if real is None:
            real = self._real[written] = Path(os.path.realpath(self.path / written))
        if not real.is_relative_to(self.root):
            hint = "the project is the nearest folder upwards with `pyproject.toml` or `fictc.toml`, else this folder"
            return place.problem("FICT141", hint, file=written)
        return real


def project_root(folder: Path) -> Path:
    """The nearest folder upwards that marks a project, else the folder itself."""
    for candidate in (folder, *folder.parents):
        if any((candidate / mark).is_file() for mark in ROOT_MARKS):
            return candidate
    return folder


def read_bytes(path: Path, limit: int, place: Place) -> bytes | Diagnostic:
    """The bytes of a regular file of at most `limit` bytes, or the diagnostic."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            return place.problem("FICT142", file=place.shown)
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except FileNotFoundError:
        return place.problem("FICT140", _nearest_file(path), file=place.shown)
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        return place.problem("FICT146", file=place.shown, reason=reason)
    return limited(data, limit, place)


def limited(data: bytes, limit: int, place: Place) -> bytes | Diagnostic:
    """The bytes if they are at most `limit`, or the diagnostic."""
    if len(data) > limit:
        return place.problem("FICT143", file=place.shown, limit=f"{limit // 1_000_000} MB")
    return data


def _nearest_file(path: Path) -> str | None:
    try:
        with os.scandir(path.parent) as entries:
            kinds = {entry.name: "folder" if entry.is_dir() else "file" for entry in islice(entries, _LISTED)}
    except (OSError, ValueError):
        return "its folder does not exist"
    found = nearest(path.name, sorted(kinds))
    return f"the nearest {kinds[found]} there is `{found}`" if found else None
