"""Models of a folder, in order."""

from __future__ import annotations

from pathlib import Path

from runner.score.evaluate.sweep import models_in


def test_numbers_in_names_sort_as_numbers_and_text_as_text(tmp_path: Path) -> None:
    names = ["5", "10", "009", "checkpoint-10", "checkpoint-9", "checkpoint-1a", "final", "zeta", "alpha"]
    for name in names:
        (tmp_path / name).mkdir()
        (tmp_path / name / "config.json").touch()
    assert [path.name for path in models_in(tmp_path)] == [
        *("5", "009", "10", "alpha", "checkpoint-1a", "checkpoint-9", "checkpoint-10", "final", "zeta")
    ]
