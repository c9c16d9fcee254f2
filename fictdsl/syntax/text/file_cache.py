"""Files that were read, kept as what they hold: a run over many files reads what they share once."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar, cast

from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.source import Source
from fictdsl.syntax.text.characters import decode
from fictdsl.syntax.text.paths import Folder, Place, limited, read_bytes

Content = TypeVar("Content")
Read = Callable[[Source], tuple[Content, list[Diagnostic]]]


@dataclass(slots=True)
class Shelf:
    """What one run has read. A file whose time, size or inode is another than before is read again.

    `unsaved` are the texts that an editor has and the disk does not, by real path; they stand in their files' place.
    """

    unsaved: Mapping[Path, str] = field(default_factory=dict)
    _folders: dict[Path, Folder] = field(default_factory=dict)
    _contents: dict[tuple[Path, str], tuple[object, object]] = field(default_factory=dict)

    def folder(self, path: Path) -> Folder:
        """A folder that paths are relative to."""
        if path not in self._folders:
            self._folders[path] = Folder(path)
        return self._folders[path]

    def content(
        self, real: Path, limit: int, place: Place, shown: str, read: Read[Content]
    ) -> tuple[Content | None, list[Diagnostic]]:
        """What `read` makes of a file, with its problems; None if it is no text. People see the name `shown`."""
        stamp = self.unsaved[real] if real in self.unsaved else _stamp(real)
        kept = self._contents.get((real, shown))
        if kept is not None and kept[0] == stamp:
            return cast("tuple[Content | None, list[Diagnostic]]", kept[1])
        data = self.read(real, limit, place)
        if isinstance(data, Diagnostic):
            return None, [data]  # said of the place that asks, so not kept
        found = _content(data, real, shown, read)
        self._contents[real, shown] = stamp, found
        return found

    def read(self, path: Path, limit: int, place: Place) -> bytes | Diagnostic:
        """The bytes of a file, as an editor has it or as it is on disk."""
        text = self.unsaved.get(Path(os.path.realpath(path))) if self.unsaved else None
        if text is None:
            return read_bytes(path, limit, place)
        return limited(text.encode("utf-8", "replace"), limit, place)


def _content(data: bytes, real: Path, shown: str, read: Read[Content]) -> tuple[Content | None, list[Diagnostic]]:
    source, problems = decode(data, shown)
    if source is None:
        return None, problems
    content, found = read(Source(source.name, source.text, real))
    return content, [*problems, *found]


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        status = os.stat(path)  # noqa: PTH116 - asked thousands of times
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
