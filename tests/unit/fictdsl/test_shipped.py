"""Shipped data is found in a checkout and in a wheel."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from fictdsl import installation as module
from fictdsl.installation import shipped

ROOT = Path(__file__).parents[3]


def test_in_a_checkout() -> None:
    assert shipped("grammar/fict.lark").is_file()
    assert shipped("filters").is_dir()
    assert shipped("messages/FICT1.md").is_file()


def test_a_wheel_is_built_with_what_is_shipped() -> None:
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert set(wheel["sources"]) == {"grammar", "filters", "messages", "docs"}
    assert {folder.partition("/")[0] for folder in wheel["only-include"]} == {"fictc", "fictdsl", "runner"} | set(
        wheel["sources"]
    )


def test_in_a_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "_shipped/grammar").mkdir(parents=True)
    monkeypatch.setattr(module, "_IN_WHEEL", tmp_path / "_shipped")
    assert shipped("grammar") == tmp_path / "_shipped/grammar"
