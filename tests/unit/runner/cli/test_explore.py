"""`fictc explore`: what it says before it starts. The page is tested in tests/end_to_end/test_explore.py."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from runner.cli import fictc
from runner.explore import server
from tests.support.explorer import small_store


def test_a_folder_without_runs_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    done = CliRunner().invoke(fictc, ["explore", "--runs", str(tmp_path / "runs"), "--no-browser"])
    assert done.exit_code == 2
    assert f"no run with results is in {tmp_path}/runs" in done.output


def test_a_folder_to_save_in_that_does_not_exist_is_mentioned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = small_store(tmp_path / "store")
    monkeypatch.setattr(server, "serve", lambda *_: None)
    for folder, notes in ((tmp_path / "new", 1), (tmp_path, 0)):
        done = CliRunner().invoke(fictc, ["explore", str(store), "--save", str(folder), "--no-browser"])
        assert done.exit_code == 0
        assert done.output.count("does not exist; the page creates it when it saves a file") == notes


def test_the_usage_has_an_optional_store() -> None:
    assert "[STORE]..." in CliRunner().invoke(fictc, ["explore", "--help"]).output
