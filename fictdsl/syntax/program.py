"""A file with everything it reads: used files, word lists, and where each was found."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from fictdsl.source import Source
from fictdsl.syntax.nodes import File


@dataclass(frozen=True)
class Module:
    """One parsed file. `uses` maps the path as written in `use "…"` to the module it names;
    `lists` maps the path as written in `file "…"` to its entries (trimmed, NFC, comments gone)."""

    source: Source
    file: File
    uses: dict[str, Module] = field(default_factory=dict)
    lists: dict[str, tuple[str, ...]] = field(default_factory=dict)
    path: Path | None = None
