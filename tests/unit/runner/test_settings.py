"""Settings are found, checked, and know where they come from."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from runner.errors import InputError
from runner.settings import Settings, load


def put(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def problems(path: Path) -> list[str]:
    with pytest.raises(InputError) as caught:
        load(path.parent)
    found = []
    for problem in caught.value.diagnostics:
        assert problem.source is not None and problem.span is not None
        line, column = problem.source.position(problem.span.start)
        found.append(f"{line}:{column} {problem.code} {problem.message} ({problem.hint})")
    return found


def test_the_nearest_file_with_settings_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path / "pyproject.toml", "[tool.fictc.lint]\nstrict = true\n")
    inner = put(tmp_path / "a" / "b" / "fictc.toml", "").parent  # marks a root, and sets nothing
    put(tmp_path / "a" / "pyproject.toml", '[project]\nname = "fictc"\n')
    monkeypatch.chdir(tmp_path)
    found = load(inner)
    assert found.flag("lint", "strict") and found.folder == tmp_path
    assert found.origin("lint", "strict") == "pyproject.toml:2"
    assert found.origin("lint", "select") == "default"
    put(inner / "fictc.toml", '[lint]\n\nbaseline = "known.json"\n')
    found = load(inner)
    assert not found.flag("lint", "strict")
    assert found.path("lint", "baseline") == inner / "known.json"
    assert found.origin("lint", "baseline") == "a/b/fictc.toml:3"


def test_without_a_file_there_are_defaults(tmp_path: Path) -> None:
    assert load(tmp_path) == Settings()
    assert load(tmp_path).path("lint", "corpus") is None


def test_a_named_file_is_read_and_no_other(tmp_path: Path) -> None:
    put(tmp_path / "fictc.toml", "[lint]\nstrict = true\n")
    other = put(tmp_path / "other.toml", '[lint]\nexclude = ["old"]\n')
    assert load(tmp_path, other).strings("lint", "exclude") == ("old",)
    assert not load(tmp_path, other).flag("lint", "strict")
    with pytest.raises(InputError, match="FICT620"):
        load(tmp_path, tmp_path / "gone.toml")


def test_all_that_is_wrong_is_said_with_its_place(tmp_path: Path) -> None:
    text = '[lint]\nselct = []\nstrict = "yes"\nignore = ["FICT505", "name-used-onse"]\nexclude = [1]\ncorpus = ""\n[lnt]\n'
    assert problems(put(tmp_path / "fictc.toml", text)) == [
        "2:1 FICT622 unknown key `selct` in [lint] (the nearest key is `select`)",
        '3:1 FICT623 wrong value for `strict`: it should be true or false, found "yes" (None)',
        "4:1 FICT624 `name-used-onse` matches no lint rule (the nearest one is `name-used-once`)",
        "5:1 FICT623 wrong value for `exclude`: it should be a list of strings, found [1] (None)",
        '6:1 FICT623 wrong value for `corpus`: it should be a path, found "" (None)',
        "7:1 FICT622 unknown key `lnt` in the settings (the nearest key is `lint`)",
    ]
    text = "[tool.fictc]\nlint = 3\n"
    (tmp_path / "fictc.toml").unlink()
    for value in ('""', "false", "[]", "0"):
        assert problems(put(tmp_path / "pyproject.toml", f"[tool]\nfictc = {value}\n"))[0].startswith("2:1 FICT623")
    assert problems(put(tmp_path / "pyproject.toml", text)) == [
        "2:1 FICT623 wrong value for `lint`: it should be a table (None)"
    ]


def test_errors_cannot_be_left_out(tmp_path: Path) -> None:
    [found] = problems(put(tmp_path / "fictc.toml", '[lint]\nignore = ["FICT301"]\n'))
    assert found == "2:1 FICT624 `FICT301` matches no lint rule (it is an error, and errors are always reported)"
    [found] = problems(put(tmp_path / "fictc.toml", '[lint]\nselect = ["FICT722"]\n'))
    assert found == "2:1 FICT624 `FICT722` matches no lint rule (it is a warning that `fictc lint` does not report)"


def test_what_is_no_toml_and_no_text(tmp_path: Path) -> None:
    assert problems(put(tmp_path / "fictc.toml", "[lint\n"))[0].startswith("1:6 FICT621")
    (tmp_path / "fictc.toml").write_bytes(b"\xff")
    with pytest.raises(InputError, match=r"FICT620.*not UTF-8"):
        load(tmp_path)
    (tmp_path / "fictc.toml").unlink()
    put(tmp_path / "pyproject.toml", "not toml, and none of our business")
    assert load(tmp_path) == Settings()


@pytest.mark.timeout(30)
def test_a_pipe_is_no_file_of_settings(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="FICT620"):
        load(tmp_path, tmp_path / "pipe")
