"""`fictc config show`, and the settings of `fictc lint`."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from runner.cli.config import command
from tests.unit.runner.cli.test_lint import WARNED, lint


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "old").mkdir()
    (tmp_path / "one.fict").write_text(WARNED.format(name="one"))
    (tmp_path / "old" / "two.fict").write_text(WARNED.format(name="two"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def settings(folder: Path, text: str) -> None:
    (folder / "fictc.toml").write_text(f"[lint]\n{text}\n")


def test_every_setting_is_shown_with_its_origin(folder: Path) -> None:
    settings(folder, 'strict = true\nselect = ["FICT5"]')
    shown = CliRunner().invoke(command, ["show"]).stdout
    assert shown == (
        "settings: fictc.toml\n"
        'lint.select   = ["FICT5"]  fictc.toml:3\n'
        "lint.ignore   = []         default\n"
        "lint.exclude  = []         default\n"
        "lint.strict   = true       fictc.toml:2\n"
        "lint.baseline = null       default\n"
        "lint.corpus   = null       default\n"
    )
    assert CliRunner().invoke(command, ["show", "--isolated"]).stdout.startswith("settings: none found\n")


def test_lint_goes_by_the_settings_unless_told_otherwise(folder: Path) -> None:
    settings(folder, "strict = true")
    assert lint()[0] == 1
    assert lint("--no-strict")[0] == lint("--isolated")[0] == 0
    settings(folder, 'ignore = ["unknown-feature"]')
    assert lint()[1].stderr == "2 files: nothing to report\n"
    assert lint("--ignore", "FICT520")[1].stderr == "2 files: 2 warnings\n"
    settings(folder, 'select = ["FICT505", "FICT52"]')
    assert lint()[1].stderr == "2 files: nothing to report\n"
    assert lint("--select", "FICT503")[1].stderr == "2 files: 2 warnings\n"


def test_excluded_files_are_linted_only_by_name(folder: Path) -> None:
    for pattern in ("old", "old/", "old/*.fict", "*/two.fict"):
        settings(folder, f'exclude = ["{pattern}"]')
        assert lint()[1].stderr == "1 file: 1 warning\n"
        assert lint("old/two.fict")[1].stderr == "1 file: 1 warning\n"
    with pytest.raises(Exception, match="settings exclude all"):
        lint("old")


def test_the_settings_of_what_is_linted_count(folder: Path) -> None:
    (folder / "old" / "fictc.toml").write_text("[lint]\nstrict = true\n")
    assert lint("old")[0] == 1
    assert lint("old/two.fict")[0] == 1
    assert lint("one.fict")[0] == 0
    assert lint("-", "--stdin-filename", "old/new.fict", stdin=WARNED.format(name="new").encode())[0] == 1
    assert lint("one.fict", "--config", "old/fictc.toml")[0] == 1


def test_a_baseline_that_is_set_lies_beside_the_settings(folder: Path) -> None:
    lint("--write-baseline", "known.json")
    settings(folder, 'strict = true\nbaseline = "known.json"')
    assert lint()[0] == lint("old")[0] == 0


def test_a_selector_that_means_nothing(folder: Path) -> None:
    with pytest.raises(Exception, match=r"`FICT9` matches no lint"):
        lint("--select", "FICT9")
    with pytest.raises(Exception, match=r"exclude each other"):
        lint("--isolated", "--config", "x.toml")
