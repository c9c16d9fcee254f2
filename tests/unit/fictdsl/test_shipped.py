"""Shipped data is found in a checkout and in a wheel."""

from __future__ import annotations

from pathlib import Path

import pytest

from fictdsl import shipped as module
from fictdsl.shipped import shipped


def test_in_a_checkout() -> None:
    assert shipped("grammar/fict.lark").is_file()
    assert shipped("filters").is_dir()


def test_in_a_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "_shipped/grammar").mkdir(parents=True)
    monkeypatch.setattr(module, "_IN_WHEEL", tmp_path / "_shipped")
    assert shipped("grammar") == tmp_path / "_shipped/grammar"
