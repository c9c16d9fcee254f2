"""FILTER arguments (`FILE`, `FILE::name`, `FILE::name.value`, a folder, shipped names) to compiled filters."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from fictdsl.compiler import CompiledFilter, compile_file
from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.suggest import did_you_mean, nearest
from fictdsl.shipped import shipped
from fictdsl.syntax.parsing.word_lists import NO_OVERRIDES, ListOverrides
from runner.errors import InputError


def load_filters(arguments: Iterable[str], given: ListOverrides = NO_OVERRIDES) -> list[CompiledFilter]:
    """The filters that the arguments name, in their order, none twice.

    The lists `given` replace those that the files declare under their names. Raises InputError with every mistake of
    every file, or where a name is not there.
    """
    found: dict[tuple[Path | None, str], CompiledFilter] = {}
    problems = []
    compiled: dict[Path, tuple[CompiledFilter, ...]] = {}
    for argument in arguments:
        path, name = _split(argument)
        for file in _files(path):
            if file not in compiled:
                compilation = compile_file(file, given)
                problems += list(compilation.errors)
                compiled[file] = compilation.filters
                if compilation.errors:
                    continue
            chosen = _chosen(compiled[file], file, name) if not problems else []
            found |= {(file, one.name): one for one in chosen}
        if not problems and not any(compiled[file] for file in _files(path)):
            raise InputError(diagnostic("FICT291", path=path))
    if problems:
        raise InputError(problems)
    return list(found.values())


def fict_files(folder: Path) -> list[Path]:
    """Return the `.fict` files of a folder and the folders in it, sorted, except in hidden folders such as `.venv`."""
    found = []
    for inside, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [Path(inside) / name for name in names if name.endswith(".fict")]
    return sorted(file for file in found if file.is_file())


def labels(filters: Sequence[CompiledFilter]) -> list[str]:
    """A name for each filter: its own, or with its path where another filter has the same."""
    names = Counter(compiled.name for compiled in filters)
    return [compiled.name if names[compiled.name] == 1 else f"{compiled.path}::{compiled.name}" for compiled in filters]


def _split(argument: str) -> tuple[Path, str | None]:
    path, separator, name = argument.rpartition("::")
    if separator and not Path(argument).exists():
        return _located(path), name
    return _located(argument), None


def _located(argument: str) -> Path:
    """The path itself, or that of filters that come with fictc: `fict15`, `fict15/passive`."""
    path = Path(argument)
    if not path.exists() and not path.is_absolute():
        for name in (argument, f"{argument}.fict"):
            if (found := shipped("filters") / name).exists():
                return found
    return path


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        return fict_files(path)
    if not path.exists():
        raise InputError(diagnostic("FICT292", path=path, reason="nothing is there", hint=_nearest(path)))
    return [path]


def _nearest(path: Path) -> str | None:
    """Return the hint that names the nearest file or folder beside the path, or else in the filter library."""
    beside = sorted(file.name for file in path.parent.glob("*"))
    if hint := did_you_mean(path.name, beside):
        return hint
    stems = {Path(name).stem: name for name in beside if name.endswith(".fict")}
    if found := path.name if path.name in stems else nearest(path.stem, stems):
        return f"the nearest name is `{stems[found]}`"
    library = shipped("filters")
    known = [file.relative_to(library) for file in [*library.iterdir(), *library.glob("*/*.fict")]]
    written = path.with_suffix("").as_posix().removeprefix("filters/")
    return did_you_mean(written, sorted(name.with_suffix("").as_posix() for name in known))


def _chosen(filters: Sequence[CompiledFilter], file: Path, name: str | None) -> list[CompiledFilter]:
    if name is None:
        return list(filters)
    chosen = [one for one in filters if name in (one.name, one.definition.name.text)]
    if not chosen:
        names = [one.name for one in filters]
        hint = did_you_mean(name, dict.fromkeys([*names, *(one.definition.name.text for one in filters)]))
        if hint is None and names:
            hint = f"it has {', '.join(f'`{known}`' for known in names[:8])}{' …' if len(names) > 8 else ''}"
        raise InputError(diagnostic("FICT290", path=file, name=name, hint=hint))
    return chosen
