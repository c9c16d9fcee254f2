"""The layout of the packages: all folders are in ARCHITECTURE.md."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("fictc", "fictdsl", "runner")
FOLDERS = sorted({file.parent for package in PACKAGES for file in (ROOT / package).rglob("*.py")})


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(ROOT)))
def test_the_architecture_names_every_folder(folder: Path) -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    assert re.search(rf"(?<![a-z_]){re.escape(folder.name)}(?![a-z_])", text)
