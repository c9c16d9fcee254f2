"""Files of the cache under readable names in a run's folder; names that an earlier run gave there go away."""

from __future__ import annotations

import json
from collections.abc import Mapping, Set
from contextlib import suppress
from pathlib import Path, PurePosixPath

from runner.readers import parse_json, real_path
from runner.workspace import link_or_copy, write_text

LINKS = "links.json"  # the names given, relative to the run's folder


def link_all(links: Mapping[str, Path], out: Path) -> None:
    """Give each file its name below `out`, and take away what an earlier call named there and this one does not.

    Nothing else is touched. What is named is written down before, so that a run that is killed forgets none.
    """
    before = _named(out)
    write_text(out / LINKS, _json(before | links.keys()))
    for name, source in links.items():
        link_or_copy(source, out / name)
    for name in before - links.keys():
        _take_away(out, PurePosixPath(name))
    write_text(out / LINKS, _json(links.keys()))


def _json(names: Set[str]) -> str:
    return json.dumps(sorted(names), indent=1, ensure_ascii=False) + "\n"


def _named(out: Path) -> set[str]:
    """The names that were given; none where nobody wrote them down."""
    try:
        found = parse_json((out / LINKS).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return set()
    return {name for name in found if isinstance(name, str)} if isinstance(found, list) else set()


def _take_away(out: Path, name: PurePosixPath) -> None:
    """Remove a file of the run's folder, and the folders that are empty without it."""
    path = out / name
    if name.is_absolute() or ".." in name.parts or not real_path(path.parent).is_relative_to(real_path(out)):
        return  # not a name that a run gives
    if path.is_file():
        path.unlink()
    with suppress(OSError):  # until there is one with something in it
        for folder in list(path.parents)[: len(name.parts) - 1]:
            folder.rmdir()
