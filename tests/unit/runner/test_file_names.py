"""Names of files that mean the same on every system."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from runner.cli import fictc
from runner.errors import InputError
from runner.readers import case_collision, invalid_reason

MANIFEST = """[experiment]
name = "{experiment}"
seeds = [1]
[corpus]
sample = {{ sentences = 500, pairs = 10, seed = 3 }}
[[condition]]
name = "{condition}"
remove = ["${{filters}}/fict15/passive.fict"]
[[condition]]
name = "{other}"
remove = ["${{filters}}/fict15/agr-pp-mod.fict"]
[[model]]
preset = "lstm-128"
name = "{model}"
[[evaluate]]
name = "{suite}"
path = "${{sample}}"
"""
GOOD = {"experiment": "one", "condition": "no-obj", "other": "no-subj", "model": "lstm", "suite": "pairs"}


@pytest.mark.parametrize("name", ["con", "Con", "aux.txt", "nul", "COM1", "lpt9.x", "a.", "b ", "con.fict", "con .txt"])
def test_names_that_mean_something_else_on_windows_are_refused(name: str) -> None:
    assert invalid_reason(name) is not None


@pytest.mark.parametrize("name", ["a", "con-1", "context", "com", "com10", "a.b", "no-obj", "con x.txt"])
def test_other_names_are_not(name: str) -> None:
    assert invalid_reason(name) is None


def test_names_that_differ_by_case_are_one_file() -> None:
    assert case_collision(["a", "B", "b"]) == ("B", "b")
    assert case_collision(["a", "B", "a"]) == ("a", "a")
    assert case_collision(["a", "b"]) is None


@pytest.mark.parametrize("part", GOOD)
@pytest.mark.parametrize("name", ["con", "a.", "NUL.x"])
def test_no_part_of_a_manifest_has_such_a_name(part: str, name: str, tmp_path: Path) -> None:
    manifest = tmp_path / "experiment.toml"
    manifest.write_text(MANIFEST.format(**GOOD | {part: name}))
    with pytest.raises(InputError) as refused:
        CliRunner().invoke(fictc, ["plan", str(manifest)], catch_exceptions=False)
    assert "FICT604" in {problem.code for problem in refused.value.diagnostics}
    assert any("Windows" in problem.message for problem in refused.value.diagnostics)


@pytest.mark.parametrize(("other", "code"), [("NO-OBJ", "FICT611"), ("no-obj", "FICT606"), ("Full", "FICT604")])
def test_conditions_differ_by_more_than_case(other: str, code: str, tmp_path: Path) -> None:
    manifest = tmp_path / "experiment.toml"
    manifest.write_text(MANIFEST.format(**GOOD | {"other": other}))
    with pytest.raises(InputError) as refused:
        CliRunner().invoke(fictc, ["plan", str(manifest)], catch_exceptions=False)
    assert code in {problem.code for problem in refused.value.diagnostics}
