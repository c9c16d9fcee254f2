"""Cache the contents of files in memory during one command or editor session."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias, TypeVar, cast

from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.source import Source
from fictdsl.syntax.text.characters import decode
from fictdsl.syntax.text.paths import FileReference, Folder, check_size, read_bytes

Content = TypeVar("Content")
Kind: TypeAlias = Literal["filters", "list", "table"]
Reader = Callable[[Source], tuple[Content, list[Diagnostic]]]


@dataclass(slots=True)
class FileCache:
    """The parsed contents of files. A file is read again if its modification time, size or inode has changed.

    `unsaved` maps real paths to the texts of unsaved editor buffers, which replace the files on disk. With
    `trees_on_disk`, syntax trees are also cached in the user's cache folder, so that Lark need not be imported.
    """

    unsaved: Mapping[Path, str] = field(default_factory=dict)
    trees_on_disk: bool = False
    _folders: dict[Path, Folder] = field(default_factory=dict)
    _contents: dict[tuple[Path, str, Kind], tuple[object, object]] = field(default_factory=dict)  # stamp, result

    def folder(self, path: Path) -> Folder:
        """Return the folder at a path, with its resolved paths cached."""
        if path not in self._folders:
            self._folders[path] = Folder(path)
        return self._folders[path]

    def content(
        self,
        real_path: Path,
        limit: int,
        reference: FileReference,
        display_name: str,
        kind: Kind,
        reader: Reader[Content],
    ) -> tuple[Content | None, list[Diagnostic]]:
        """Read a file with the reader of its kind. Return the content and the diagnostics.

        The content is None if the file cannot be read, has more than `limit` bytes, or is not text. Diagnostics name
        the file `display_name`. The cache has one result for each file, name and kind.
        """
        stamp = self._current_stamp(real_path)
        cached = self._contents.get((real_path, display_name, kind))
        if cached is not None and cached[0] == stamp:
            return cast("tuple[Content | None, list[Diagnostic]]", cached[1])
        data = self.read(real_path, limit, reference)
        if isinstance(data, Diagnostic):
            return None, [data]  # not cached, since it points at the reference
        result = _read_content(data, real_path, display_name, reader)
        self._contents[real_path, display_name, kind] = stamp, result
        return result

    def copy(self, unsaved: Mapping[Path, str]) -> FileCache:
        """Return a cache with the same contents, for other unsaved texts. Later changes of the two are separate."""
        return FileCache(unsaved, self.trees_on_disk, _contents=dict(self._contents))

    def is_current(self) -> bool:
        """Return whether no file in the cache has changed."""
        return all(stamp == self._current_stamp(real_path) for (real_path, _, _), (stamp, _) in self._contents.items())

    def _current_stamp(self, real_path: Path) -> object:
        return self.unsaved[real_path] if real_path in self.unsaved else _stamp(real_path)

    def read(self, path: Path, limit: int, reference: FileReference) -> bytes | Diagnostic:
        """Return the bytes of a file, from an editor buffer or from disk, or a diagnostic."""
        text = self.unsaved.get(Path(os.path.realpath(path))) if self.unsaved else None
        if text is None:
            return read_bytes(path, limit, reference)
        return check_size(text.encode("utf-8", "replace"), limit, reference)


def _read_content(
    data: bytes, real_path: Path, display_name: str, reader: Reader[Content]
) -> tuple[Content | None, list[Diagnostic]]:
    source, problems = decode(data, display_name)
    if source is None:
        return None, problems
    content, read_problems = reader(Source(source.name, source.text, real_path))
    return content, [*problems, *read_problems]


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        status = os.stat(path)  # noqa: PTH116 - called thousands of times, and Path.stat is slower
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
