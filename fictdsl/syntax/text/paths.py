"""Resolve paths in `.fict` files, within the project only, and read the files within size limits."""

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
MAX_FICT_BYTES = 1_000_000
MAX_LIST_BYTES = 8_000_000
_ROOT_MARKERS = ("pyproject.toml", "fictc.toml")

_MAX_LISTED = 2_000  # directory entries considered for a suggestion


@dataclass(frozen=True, slots=True)
class FileReference:
    """A reference to a file, for diagnostics: the source and span that they point at, and the path to display."""

    source: Source | None
    span: Span | None
    display_name: str

    def problem(self, code: str, hint: str | None = None, **parameters: object) -> Diagnostic:
        """Create a diagnostic at this reference."""
        return diagnostic(code, self.source, self.span, hint=hint, labels=(), fix=None, **parameters)


@dataclass(slots=True)
class Folder:
    """The folder that relative paths start from, and the project root that they must stay in, as real paths."""

    path: Path
    root: Path = field(init=False)
    _real_paths: dict[str, Path] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.path = Path(os.path.realpath(self.path))
        self.root = project_root(self.path)

    def find(self, written_path: str, reference: FileReference) -> Path | Diagnostic:
        """Resolve a path written in a file of this folder.

        Return a diagnostic if the path is absolute or leaves the project.
        """
        if PurePath(written_path).is_absolute():
            return reference.problem("FICT147", "write it relative to the folder of this file", file=written_path)
        real_path = self._real_paths.get(written_path)
        if real_path is None:
            real_path = self._real_paths[written_path] = Path(os.path.realpath(self.path / written_path))
        if not real_path.is_relative_to(self.root):
            hint = "the project is the nearest parent folder with `pyproject.toml` or `fictc.toml`, else this folder"
            return reference.problem("FICT141", hint, file=written_path)
        return real_path


def project_root(folder: Path) -> Path:
    """Return the nearest ancestor with `pyproject.toml` or `fictc.toml`, or the folder itself if there is none."""
    for candidate in (folder, *folder.parents):
        if any(os.path.isfile(candidate / marker) for marker in _ROOT_MARKERS):  # noqa: PTH113 - false if not permitted
            return candidate
    return folder


def read_bytes(path: Path, limit: int, reference: FileReference) -> bytes | Diagnostic:
    """Read a regular file of at most `limit` bytes. Return a diagnostic if that fails."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            return reference.problem("FICT142", file=reference.display_name)
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except FileNotFoundError:
        return reference.problem("FICT140", _missing_file_hint(path), file=reference.display_name)
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        return reference.problem("FICT146", file=reference.display_name, reason=reason)
    return check_size(data, limit, reference)


def check_size(data: bytes, limit: int, reference: FileReference) -> bytes | Diagnostic:
    """Return the bytes, or a diagnostic (FICT143) if there are more than `limit`."""
    if len(data) > limit:
        return reference.problem("FICT143", file=reference.display_name, limit=f"{limit // 1_000_000} MB")
    return data


def _missing_file_hint(path: Path) -> str | None:
    try:
        with os.scandir(path.parent) as entries:
            kinds = {entry.name: "folder" if entry.is_dir() else "file" for entry in islice(entries, _MAX_LISTED)}
    except (OSError, ValueError):
        return "its folder does not exist"
    suggestion = nearest(path.name, sorted(kinds))
    return f"the most similar {kinds[suggestion]} name in its folder is `{suggestion}`" if suggestion else None
