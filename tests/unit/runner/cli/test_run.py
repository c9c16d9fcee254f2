"""`fictc run` and `fictc report`: what is said of cells that have no results, and when."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from runner.cli import fictc
from runner.execute.pool import Pool
from tests.unit.runner.execute.test_run import HEAD, PLACEBO, planned, prepared  # noqa: F401 - a fixture


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(fictc, list(map(str, arguments)), standalone_mode=False)


def run(folder: Path, *options: str) -> Result:
    return invoke("run", folder / "m.toml", "--output", folder / "run", *options)


@pytest.fixture
def mishaps(tmp_path: Path, prepared: list[str], monkeypatch: pytest.MonkeyPatch) -> Path:  # noqa: F811
    """A file that says which cells fail; nothing is trained."""
    monkeypatch.setattr("runner.cli.run._local_pool", lambda plan, jobs: partial(Pool, jobs or 2, worker=prepared))
    planned(tmp_path, "m", conditions={"a": "passive"})
    return tmp_path / "mishaps.json"


def test_a_cell_that_was_told_to_stop_has_not_failed(tmp_path: Path, mishaps: Path) -> None:
    mishaps.write_text(json.dumps({"full/m/1": "stop"}))
    ended = run(tmp_path)
    assert ended.return_value == 130
    assert "interrupted: full/m/1\nrun this command again to continue interrupted cells\n" in ended.output
    assert "failed" not in ended.output
    mishaps.write_text(json.dumps({"full/m/1": "stop", "a/m/1": "fail"}))
    (tmp_path / "again").mkdir()
    ended = invoke("run", tmp_path / "m.toml", "--output", tmp_path / "again", "--cache", tmp_path / "other")
    assert ended.return_value == 1
    assert "failed: a/m/1: ended with exit code 1: made up\ninterrupted: full/m/1\n" in ended.output
    mishaps.write_text("{}")
    assert run(tmp_path).return_value == 0


def test_a_run_that_is_named_as_a_table_is_reported_on(tmp_path: Path, mishaps: Path) -> None:
    for name in ("exp.csv", "exp.parquet"):
        out = tmp_path / name
        assert invoke("run", tmp_path / "m.toml", "--output", out).return_value == 0
        (out / "report.html").unlink()
        assert invoke("report", out).output == f"{out / 'report.html'}\n"
        assert json.loads(invoke("report", out, "--format", "json").output)["run"] == "x"


def test_the_time_of_a_placebo_is_given_while_some_of_its_cells_remain(tmp_path: Path, mishaps: Path) -> None:
    (tmp_path / "m.toml").write_text(HEAD + PLACEBO)
    plan = partial(invoke, "plan", tmp_path / "m.toml", "--output", tmp_path / "run")
    assert "Of these, placebo has 3 cells, roughly" in plan().output
    mishaps.write_text("{}")
    assert run(tmp_path).return_value == 0
    ended = plan()
    assert "No training or scoring remains.\n" in ended.output
    assert "Of these" not in ended.output
