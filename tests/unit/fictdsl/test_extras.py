"""A missing package of an extra is a hint with the extra that installs it, not an internal error."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from fictdsl.installation import extra_of

PROJECT = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text())["project"]
FOR_DEVELOPERS = {"all", "bench", "dev", "docs"}


def packages(requirements: list[str]) -> set[str]:
    """The names of packages, which are also those of their modules; without fictc and its extras."""
    return {re.split(r"[<>=!\[ ]", requirement)[0] for requirement in requirements} - {"fictc"}


def test_every_package_of_an_extra_has_its_extra() -> None:
    extras: dict[str, set[str]] = {}
    for extra, requirements in PROJECT["optional-dependencies"].items():
        for package in packages(requirements) if extra not in FOR_DEVELOPERS else ():
            extras.setdefault(package, set()).add(extra)
    assert len(extras) > 20
    assert {package: extra_of(package) for package in extras if extra_of(package) not in extras[package]} == {}
    assert [package for package in packages(PROJECT["dependencies"]) if extra_of(package) is not None] == []
