"""What is given as a corpus into its files, and paths into the short labels that sources have in a store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path, PurePath

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.readers import real_path


def corpus_files(given: Sequence[Path], suffixes: Sequence[str], kind: str) -> list[Path]:
    """Files as given, folders as the files in them (at any depth, by name) that end in one of `suffixes`.

    Raises InputError for a folder without such files, for nothing at all, and for a file that comes twice.
    """
    found: list[Path] = []
    for path in given:
        if not path.is_dir():
            found.append(path)
            continue
        inside = sorted(p for p in path.rglob("*") if p.is_file() and p.name.endswith(tuple(suffixes)))
        if not inside:
            raise InputError(diagnostic("FICT733", path=path, kind=kind))
        found += inside
    seen: set[Path] = set()
    for path in found:
        if real_path(path) in seen:
            raise InputError(diagnostic("FICT737", path=path))
        seen.add(real_path(path))
    return found


def labels(paths: Sequence[Path]) -> list[str]:
    """For each path the shortest end of it that no other path shares: the file name where that is enough."""
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
    """The parts of an absolute path, without its root, as text that UTF-8 can hold."""
    absolute = PurePath(path.absolute())
    return tuple(
        part.encode(errors="surrogateescape").decode(errors="replace")
        for part in absolute.parts
        if part != absolute.anchor
    )
