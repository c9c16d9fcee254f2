"""The command that runs what CI leaves out, and the workflow that calls it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
import yaml

from scripts import nightly_all

ROOT = Path(__file__).parents[3]
TARGETS = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


@pytest.fixture
def everything_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/java").touch(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    monkeypatch.setenv("FICTC_DATA", str(tmp_path))


def rows(printed: str) -> dict[str, str]:
    return dict(re.findall(r"^(\S+) +[\d,]+ s  (.*)$", printed, re.MULTILINE))


def test_a_failure_stops_nothing(everything_there: None, capfd: pytest.CaptureFixture[str]) -> None:
    called: list[str] = []

    def call(target: str) -> int:
        called.append(target)
        return 2 * (target == "test-spark")

    assert nightly_all.main(["fuzz", "docs", "test-spark", "bench-quick"], call) == 1
    assert called == ["docs", "test-spark", "bench-quick", "fuzz"]
    expected = {"docs": "passed", "test-spark": "failed (2)", "bench-quick": "passed", "fuzz": "passed"}
    assert rows(capfd.readouterr().out) == expected


def test_what_is_missing_is_skipped_and_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("FICTC_DATA", raising=False)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert nightly_all.main(["docs", "test-shared", "test-spark"], lambda target: 0) == 0
    assert rows(capfd.readouterr().out) == {
        "docs": "passed",
        "test-shared": "skipped: FICTC_DATA names no folder of treebanks and benchmarks",
        "test-spark": "skipped: Java is not installed",
    }


def test_an_interrupted_run_shows_what_ended(everything_there: None, capfd: pytest.CaptureFixture[str]) -> None:
    def call(target: str) -> int:
        if target == "nightly":
            raise KeyboardInterrupt
        return 0

    assert nightly_all.main(["docs", "nightly", "fuzz"], call) == 130
    assert rows(capfd.readouterr().out) == {"docs": "passed"}


def test_a_misspelt_part_is_refused(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        nightly_all.main(["fuz"], lambda target: 0)
    assert "no such part: fuz" in capfd.readouterr().err


def test_every_part_is_a_target() -> None:
    assert {part.target for part in nightly_all.PARTS} <= TARGETS


def test_the_workflow_runs_what_there_is() -> None:
    jobs = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())["jobs"]
    commands = [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]
    assert set(commands) == {".ci/run", "make test", "make nightly-all"}
    assert {command.removeprefix("make ") for command in commands if command.startswith("make ")} <= TARGETS
    versions = ["3.11", *jobs["python"]["strategy"]["matrix"]["python"]]
    assert versions == ["3.11", "3.12", "3.13", "3.14"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["requires-python"] == f">={versions[0]}"
