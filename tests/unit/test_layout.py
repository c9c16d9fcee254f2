"""The layout of the packages: small folders that say what they are for, all of them in ARCHITECTURE.md."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("fictc", "fictdsl", "runner")
FOLDERS = sorted({file.parent for package in PACKAGES for file in (ROOT / package).rglob("*.py")})
MAXIMUM = 15  # modules, `__init__.py` apart


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(ROOT)))
def test_a_folder_is_small_and_has_a_docstring(folder: Path) -> None:
    modules = [file for file in folder.glob("*.py") if file.name != "__init__.py"]
    assert len(modules) <= MAXIMUM
    docstring = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8")))
    assert docstring and docstring.partition("\n")[0].endswith(".")


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(ROOT)))
def test_the_architecture_names_every_folder(folder: Path) -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    assert re.search(rf"(?<![a-z_]){re.escape(folder.name)}(?![a-z_])", text)


def test_the_architecture_names_modules_that_exist() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    table = [line.split("|")[2] for line in text.splitlines() if line.startswith("| ") and line.count("|") > 4]
    names = [name for cell in table for name in re.findall(r"`([a-z_.]+)(?:\.[A-Z]\w*)?`", cell) if "." in name]
    assert len(names) > 25
    for name in names:
        parts = name.split(".")
        found = [
            package
            for package in ("fictdsl", "runner")
            for end in (parts, parts[:-1])  # a module, or a function of one
            if ROOT.joinpath(package, *end).with_suffix(".py").exists() or ROOT.joinpath(package, *end).is_dir()
        ]
        assert found, name
