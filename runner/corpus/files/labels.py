"""Find corpus files in folders, and derive short labels of sources from their paths."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path, PurePath

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.readers import real_path


def corpus_files(paths: Sequence[Path], suffixes: Sequence[str], kind: str) -> list[Path]:
    """Replace each folder in `paths` by its files, at any depth, that end in one of `suffixes`, sorted by path.

    Raises InputError if a folder has no such file (FICT733) or a file occurs twice (FICT737).
    """
    files: list[Path] = []
    for path in paths:
        if not path.is_dir():
            files.append(path)
            continue
        inside = sorted(p for p in path.rglob("*") if p.is_file() and p.name.endswith(tuple(suffixes)))
        if not inside:
            raise InputError(diagnostic("FICT733", path=path, kind=kind))
        files += inside
    seen: set[Path] = set()
    for path in files:
        if real_path(path) in seen:
            raise InputError(diagnostic("FICT737", path=path))
        seen.add(real_path(path))
    return files


def source_labels(paths: Sequence[Path]) -> list[str]:
    """Return for each path its shortest suffix of whole components that no other path shares, often the file name."""
    parts = [_parts(path) for path in paths]
    depth = [1] * len(parts)
    while True:
        names = ["/".join(part[-d:]) for part, d in zip(parts, depth, strict=True)]
        shared = {name for name, count in Counter(names).items() if count > 1}
        deeper = [
            min(d + 1, len(part)) if name in shared else d for name, part, d in zip(names, parts, depth, strict=True)
        ]
        if deeper == depth:
            return names
        depth = deeper


def _parts(path: Path) -> tuple[str, ...]:
    """Return the components of an absolute path without its root, with undecodable bytes replaced."""
    absolute = PurePath(path.absolute())
    return tuple(
        part.encode(errors="surrogateescape").decode(errors="replace")
        for part in absolute.parts
        if part != absolute.anchor
    )
