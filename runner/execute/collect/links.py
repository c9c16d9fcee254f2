"""Link files of the cache into a run's folder, and remove links of earlier runs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Set
from contextlib import suppress
from pathlib import Path, PurePosixPath

from runner.readers import parse_json, real_path
from runner.workspace import link_or_copy, write_text

LINKS = "links.json"  # the linked names, relative to the run's folder


def link_all(links: Mapping[str, Path], out: Path) -> None:
    """Link each file under its name below `out`, and remove names that only an earlier call linked.

    Other files are not changed. The names are written before linking, so a killed run leaves no unrecorded link.
    """
    old_names = _linked_names(out)
    write_text(out / LINKS, _json(old_names | links.keys()))
    for name in old_names - links.keys():  # first, since a new file may need the name of an old folder, or the reverse
        _remove(out, PurePosixPath(name))
    for name, source in links.items():
        link_or_copy(source, out / name)
    write_text(out / LINKS, _json(links.keys()))


def _json(names: Set[str]) -> str:
    return json.dumps(sorted(names), indent=1, ensure_ascii=False) + "\n"


def _linked_names(out: Path) -> set[str]:
    """Read the linked names. Return the empty set if the file is missing or invalid."""
    try:
        names = parse_json((out / LINKS).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return set()
    return {name for name in names if isinstance(name, str)} if isinstance(names, list) else set()


def _remove(out: Path, name: PurePosixPath) -> None:
    """Remove a file of the run's folder, and parent folders that become empty."""
    path = out / name
    if name.is_absolute() or ".." in name.parts or not real_path(path.parent).is_relative_to(real_path(out)):
        return  # not written by a run
    if path.is_file():
        path.unlink()
    with suppress(OSError):  # stop at the first folder that is not empty
        for folder in list(path.parents)[: len(name.parts) - 1]:
            folder.rmdir()
