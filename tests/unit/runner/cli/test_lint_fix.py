"""`fictc lint --fix`, `--diff`, baselines and the standard input, as commands."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.unit.runner.cli.test_lint import GOOD, WARNED, lint

REDUNDANT = 'fict 1\n# why\nfilter {name} {{ about "x" match {{ N:NOUN[upos = NOUN] -> _ }} }}\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "fictc.toml").touch()
    (tmp_path / "one.fict").write_text(REDUNDANT.format(name="one"))
    (tmp_path / "two.fict").write_text(WARNED.format(name="two"))
    return tmp_path


def test_fixes_are_written_and_the_rest_is_reported(folder: Path) -> None:
    (folder / "one.fict").chmod(0o600)
    code, result = lint(folder, "--fix", "--format", "concise")
    assert code == 0
    assert (folder / "one.fict").read_text() == REDUNDANT.format(name="one").replace("[upos = NOUN]", "")
    assert (folder / "one.fict").stat().st_mode & 0o777 == 0o600
    assert [line.split()[1] for line in result.stdout.splitlines()] == ["warning[FICT503]"]
    assert result.stderr == "2 files: 1 fixed, 1 warning\n"
    assert sorted(path.name for path in folder.iterdir()) == ["fictc.toml", "one.fict", "two.fict"]


def test_a_link_is_followed_and_stays_one(folder: Path) -> None:
    (folder / "inner").mkdir()
    link = folder / "inner" / "link.fict"
    link.symlink_to(folder / "one.fict")
    lint(link, "--fix")
    assert link.is_symlink() and "upos" not in (folder / "one.fict").read_text()


def test_what_is_silenced_or_left_out_is_not_fixed(folder: Path) -> None:
    before = (folder / "one.fict").read_text()
    lint(folder, "--fix", "--ignore", "redundant-test")
    lint(folder, "--fix", "--select", "FICT50")
    assert (folder / "one.fict").read_text() == before
    silenced = before.replace("# why", "# fict: ignore[FICT516] to be seen")
    (folder / "one.fict").write_text(silenced)
    lint(folder, "--fix")
    assert (folder / "one.fict").read_text() == silenced


@pytest.mark.skipif(shutil.which("patch") is None, reason="needs patch")
def test_a_difference_is_shown_and_nothing_written(folder: Path) -> None:
    before = (folder / "one.fict").read_text()
    code, result = lint(folder, "--diff")
    assert code == 1
    assert (folder / "one.fict").read_text() == before
    assert result.stderr == "2 files: 1 fix to make\n"
    done = subprocess.run(["patch", "-p0"], cwd="/", input=result.stdout, text=True, check=False, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert (folder / "one.fict").read_text() == before.replace("[upos = NOUN]", "")
    assert lint(folder, "--diff")[0] == 0


def test_a_difference_at_the_end_of_a_file_without_a_newline(folder: Path) -> None:
    (folder / "one.fict").write_bytes(REDUNDANT.format(name="one").rstrip().replace("\n", "\r\n").encode())
    shown = lint(folder / "one.fict", "--diff")[1].stdout_bytes.decode()
    assert shown.endswith(" match { N:NOUN -> _ } }\n\\ No newline at end of file\n")
    assert " fict 1\r\n" in shown


def test_the_standard_input_is_fixed_on_the_standard_output(folder: Path) -> None:
    text = REDUNDANT.format(name="x")
    code, result = lint("-", "--fix", "--stdin-filename", folder / "x.fict", stdin=text.encode())
    assert (code, result.stdout, result.stderr) == (0, text.replace("[upos = NOUN]", ""), "1 file: 1 fixed\n")
    assert not (folder / "x.fict").exists()
    wrong = text.replace("upos", "colour")
    code, result = lint("-", "--fix", stdin=wrong.encode())
    assert (code, result.stdout) == (1, wrong)
    assert "error[FICT301]" in result.stderr


def test_the_standard_input_stands_where_its_file_would(folder: Path) -> None:
    (folder / "words.fict").write_text("fict 1\nlist w = {a}\n")
    text = GOOD.format(name="x").replace("fict 1\n", 'fict 1\nuse "words.fict"\n').replace("N:NOUN", "N[lemma in @w]")
    code, result = lint("-", "--stdin-filename", folder / "x.fict", stdin=text.encode())
    assert (code, result.stdout) == (0, "")
    _, result = lint("-", "--format", "concise", "--stdin-filename", folder / "y.fict", stdin=text.encode())
    assert result.stdout.startswith(f"{folder}/y.fict:3:8: warning[FICT522]")


def test_fix_and_diff_exclude_each_other(folder: Path) -> None:
    with pytest.raises(Exception, match="exclude each other"):
        lint(folder, "--fix", "--diff")


# --- baselines


def test_what_a_baseline_holds_is_not_reported_wherever_it_has_moved(folder: Path) -> None:
    base = folder / "base.json"
    code, result = lint(folder, "--write-baseline", base)
    assert (code, result.stdout) == (0, "")
    assert result.stderr == f"2 findings written to {base}\n2 files: nothing to report\n"
    assert [entry["path"] for entry in json.loads(base.read_text())["findings"]] == ["one.fict", "two.fict"]
    two = folder / "two.fict"
    two.write_text(two.read_text().replace("fict 1\n", "fict 1\n\n# moved\n\n").replace("filter", "  filter"))
    assert lint(folder, "--strict", "--baseline", base)[0] == 0
    two.write_text(two.read_text() + WARNED.format(name="more").removeprefix("fict 1\n"))
    code, result = lint(folder, "--strict", "--baseline", base, "--format", "concise")
    assert code == 1
    assert sorted(line.split()[1] for line in result.stdout.splitlines()) == ["warning[FICT503]", "warning[FICT524]"]


def test_a_merged_baseline_may_hold_a_finding_twice(folder: Path) -> None:
    base, two = folder / "base.json", folder / "two.fict"
    same_line = 'filter {name} {{ about "x" match {{\n  N[Numbr = Plur]\n}} }}\n'
    two.write_text(f"fict 1\n{same_line.format(name='two')}")
    lint(folder, "--write-baseline", base)
    content = json.loads(base.read_text())
    base.write_text(json.dumps({**content, "findings": content["findings"] * 2}))
    two.write_text(two.read_text() + same_line.format(name="more"))
    _, result = lint(folder, "--baseline", base, "--format", "concise")
    assert "FICT524" in result.stdout and "FICT503" not in result.stdout


def test_a_file_that_cannot_be_read_leaves_the_baseline_as_it_is(folder: Path) -> None:
    base = folder / "base.json"
    lint(folder, "--write-baseline", base)
    before = base.read_bytes()
    (folder / "two.fict").unlink()
    (folder / "two.fict").symlink_to("/dev/zero")
    code, result = lint(folder / "one.fict", folder / "two.fict", "--write-baseline", base)
    assert (code, base.read_bytes()) == (2, before)
    assert f"{base} was not written: a file could not be read" in result.stderr


def test_a_baseline_is_the_same_from_everywhere(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lint(folder, "--write-baseline", folder / "base.json")
    written = (folder / "base.json").read_bytes()
    monkeypatch.chdir(folder)
    lint(".", "--write-baseline", "base.json")
    assert (folder / "base.json").read_bytes() == written
    assert lint("one.fict", "two.fict", "--strict", "--baseline", "base.json")[0] == 0


def test_errors_are_in_no_baseline(folder: Path) -> None:
    (folder / "two.fict").write_text("fict 1\nfilter two { match { N[frm = x] } }\n")
    code, result = lint(folder, "--write-baseline", folder / "base.json")
    assert code == 1 and "FICT301" in result.stdout
    assert lint(folder, "--baseline", folder / "base.json")[0] == 1


def test_findings_that_no_longer_occur_are_noted(folder: Path) -> None:
    base = folder / "base.json"
    lint(folder, "--write-baseline", base)
    (folder / "one.fict").write_text(GOOD.format(name="one"))
    note = f"{base}: 1 finding no longer occurs; --write-baseline updates it\n"
    assert lint(folder, "--baseline", base)[1].stderr == note + "2 files: nothing to report\n"
    assert lint(folder / "two.fict", "--baseline", base)[1].stderr == "1 file: nothing to report\n"
    (folder / "one.fict").unlink()
    assert lint(folder / "two.fict", "--baseline", base)[1].stderr.startswith(note)


def test_findings_that_are_not_looked_for_may_still_occur(folder: Path) -> None:
    base = folder / "base.json"
    lint(folder, "--write-baseline", base)
    assert lint(folder, "--baseline", base, "--select", "FICT503")[1].stderr == "2 files: nothing to report\n"
    with_corpus_rule = base.read_text().replace("FICT516", "FICT530")
    base.write_text(with_corpus_rule)
    assert "no longer" not in lint(folder, "--baseline", base)[1].stderr
    (folder / "one.fict").write_text("fict 1 filter")
    lint(folder, "--write-baseline", base)
    (folder / "two.fict").write_text("fict 1 filter")
    assert "no longer" not in lint(folder, "--baseline", base)[1].stderr


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "no such file"),
        ("{", "it is not JSON"),
        ("[]", "it is not a baseline of version 1"),
        ('{"version": 1, "findings": [{"path": "a"}]}', "entry 1 lacks one of"),
        ("\\xff", "it is not JSON"),
    ],
)
def test_a_baseline_that_is_none(folder: Path, content: str | None, reason: str) -> None:
    base = folder / "base.json"
    if content is not None:
        base.write_text(content)
    with pytest.raises(Exception, match=f"FICT625.*{reason}"):
        lint(folder, "--baseline", base)


def test_a_folder_that_may_not_be_written_is_said_and_the_file_stays(folder: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root writes everywhere")
    folder.chmod(0o500)
    try:
        with pytest.raises(Exception, match="FICT"):
            lint(folder / "one.fict", "--fix")
    finally:
        folder.chmod(0o700)
