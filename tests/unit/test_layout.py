"""The layout of the packages: rooms of one level, plug-ins in flat folders, and an ARCHITECTURE.md that names what exists."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("fictc", "fictdsl", "runner")
PLUGINS = {
    "fictdsl/lint/rules",
    "runner/report/figures",
    "runner/report/sections",
    "runner/score/pair_formats",
}
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
NAMES = sorted(set(re.findall(r"`((?:fictc|fictdsl|runner)(?:\.\w+)+)`", ARCHITECTURE)))


def folders() -> set[str]:
    files = (file for package in PACKAGES for file in (ROOT / package).rglob("*.py"))
    return {str(file.parent.relative_to(ROOT)) for file in files}


def test_only_plug_ins_lie_deeper_than_the_rooms() -> None:
    assert {folder for folder in folders() if folder.count("/") > 1} == PLUGINS


def test_the_architecture_names_every_room() -> None:
    rooms = {folder.rpartition("/")[2] for folder in folders() if folder.count("/") == 1}
    assert {room for room in rooms if not re.search(rf"`?\b{room}\b`?", ARCHITECTURE)} == set()


def test_the_architecture_names_enough() -> None:
    assert len(NAMES) > 50


@pytest.mark.parametrize("name", NAMES)
def test_the_architecture_names_what_exists(name: str) -> None:
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        path = ROOT.joinpath(*parts[:length])
        file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        if path.is_dir() or file.exists():
            break
    rest = parts[length:]
    assert len(rest) <= 1
    if rest:
        assert rest[0] in {getattr(node, "name", None) for node in ast.parse(file.read_text(encoding="utf-8")).body}
