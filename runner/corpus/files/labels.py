"""Find corpus files in folders, and derive short labels of sources from their paths."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.readers import real_path

CONLLU_SUFFIXES = (".conllu", ".conllu.gz", ".conllu.xz", ".conllu.zip")


def corpus_files(paths: Sequence[Path], suffixes: Sequence[str], kind: str) -> list[Path]:
    """Return `paths`, with each folder replaced with the files below it that end in one of `suffixes`, sorted by path.

    Hidden files and folders below a folder are skipped.
    Raises InputError if a folder has no such file (FICT733) or a file occurs twice (FICT737).
    """
    files: list[Path] = []
    for path in paths:
        if not path.is_dir():
            files.append(path)
            continue
        folder_files = sorted(files_below(path, tuple(suffixes)))
        if not folder_files:
            raise InputError(diagnostic("FICT733", path=path, kind=kind))
        files += folder_files
    seen: set[Path] = set()
    for path in files:
        if real_path(path) in seen:
            raise InputError(diagnostic("FICT737", path=path))
        seen.add(real_path(path))
    return files


def files_below(folder: Path, suffixes: tuple[str, ...]) -> Iterator[Path]:
    """Yield the files in a folder and its subfolders that end in one of `suffixes`, but no hidden ones."""
    for path in folder.rglob("*"):
        if path.name.endswith(suffixes) and not is_hidden(path.relative_to(folder)) and path.is_file():
            yield path


def is_hidden(path: PurePath) -> bool:
    """Return whether a component of the path begins with a dot, as in `.ipynb_checkpoints/a.conllu`."""
    return any(part.startswith(".") and part != ".." for part in path.parts)


def source_labels(paths: Sequence[Path]) -> list[str]:
    """Return, for each path, the shortest suffix of whole components that no other path has, often the file name."""
    paths_as_components = [_components(path) for path in paths]
    lengths = [1] * len(paths)
    while True:
        labels = ["/".join(parts[-n:]) for parts, n in zip(paths_as_components, lengths, strict=True)]
        shared_labels = {label for label, count in Counter(labels).items() if count > 1}
        new_lengths = [
            min(n + 1, len(parts)) if label in shared_labels else n
            for label, parts, n in zip(labels, paths_as_components, lengths, strict=True)
        ]
        if new_lengths == lengths:
            return labels
        lengths = new_lengths


def _components(path: Path) -> tuple[str, ...]:
    """Return the components of an absolute path without its root, with undecodable bytes replaced."""
    absolute = PurePath(path.absolute())
    return tuple(
        part.encode(errors="surrogateescape").decode(errors="replace")
        for part in absolute.parts
        if part != absolute.anchor
    )
