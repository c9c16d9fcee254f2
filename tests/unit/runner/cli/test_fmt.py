"""`fictc fmt`, as a command: what it writes, prints and ends with, and what it leaves alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from fictdsl.syntax import printer as formatting
from runner.cli.fmt import command
from runner.cli.terminal import run_command

TYPED = "fict 1\nfilter x{match{A->B}} # why\n"
TIDY = "fict 1\n\nfilter x {\n  match {\n    A -> B\n  }\n}  # why\n"
BROKEN = "fict 1\nfilter x { match { A -> } }\n"


def fmt(*arguments: object, stdin: bytes | None = None) -> tuple[int, Result]:
    result = CliRunner().invoke(command, [str(a) for a in arguments], input=stdin, standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    return int(result.return_value), result


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("inner").mkdir()
    Path("typed.fict").write_text(TYPED)
    Path("inner/tidy.fict").write_text(TIDY)
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_files_are_written_once() -> None:
    code, result = fmt()
    assert (code, result.stdout, result.stderr) == (0, "", "2 files: 1 already formatted, 1 formatted\n")
    assert Path("typed.fict").read_text() == TIDY
    written = Path("typed.fict").stat().st_mtime_ns
    assert fmt("typed.fict", "inner")[1].stderr == "2 files: 2 already formatted\n"
    assert Path("typed.fict").stat().st_mtime_ns == written


@pytest.mark.usefixtures("folder")
def test_check_names_what_would_change_and_writes_nothing() -> None:
    code, result = fmt("--check")
    assert (code, result.stdout, result.stderr) == (1, "typed.fict\n", "2 files: 1 already formatted, 1 to format\n")
    assert Path("typed.fict").read_text() == TYPED
    assert fmt("--check", "inner")[0] == 0


@pytest.mark.usefixtures("folder")
def test_the_difference_can_be_patched() -> None:
    code, result = fmt("--diff", "--check")
    assert code == 1 and Path("typed.fict").read_text() == TYPED
    assert result.stderr == "typed.fict\n2 files: 1 already formatted, 1 to format\n"
    subprocess.run(["git", "apply", "-p0"], input=result.stdout, text=True, check=True)
    assert Path("typed.fict").read_text() == TIDY
    code, result = fmt("--diff")
    assert (code, result.stdout) == (0, "")


@pytest.mark.usefixtures("folder")
def test_broken_files_are_reported_and_left_alone_and_the_others_done() -> None:
    Path("a.fict").write_text(BROKEN)
    Path("bytes.fict").write_bytes(b"fict 1 \xff")
    code, result = fmt(".", "missing.fict")
    assert code == 2
    assert "error[FICT110]" in result.stderr and "--> a.fict:2:25" in result.stderr
    assert "error[FICT104]" in result.stderr and "error[FICT140]" in result.stderr
    assert result.stderr.endswith("5 files: 3 not formatted because of errors, 1 already formatted, 1 formatted\n")
    assert Path("a.fict").read_text() == BROKEN
    assert Path("typed.fict").read_text() == TIDY


def test_the_standard_input_goes_to_the_standard_output() -> None:
    assert fmt("-", stdin=TYPED.encode())[1].stdout == TIDY
    assert fmt("-", stdin=TIDY.encode())[1].stdout == TIDY
    code, result = fmt("--check", "--stdin-filename", "a/b.fict", "-", stdin=TYPED.encode())
    assert (code, result.stdout) == (1, "a/b.fict\n")
    code, result = fmt("--diff", "-", stdin=TYPED.encode())
    assert code == 1 and result.stdout.startswith("--- <stdin>\n+++ <stdin>\n")
    code, result = fmt("-", "--stdin-filename", "a/b.fict", stdin=BROKEN.encode())
    assert (code, result.stdout) == (2, "") and "--> a/b.fict:2:25" in result.stderr


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (TYPED.replace("\n", "\r\n"), TIDY.replace("\n", "\r\n")),
        ("\ufeff" + TYPED, TIDY),
        (TYPED.rstrip("\n"), TIDY),
    ],
    ids=["CR LF stays", "a byte order mark goes", "the last line is ended"],
)
def test_bytes_around_the_text(before: str, after: str, tmp_path: Path) -> None:
    file = tmp_path / "x.fict"
    file.write_bytes(before.encode())
    assert fmt(file)[0] == 0
    assert file.read_bytes() == after.encode()
    assert fmt("--check", file)[0] == 0


@pytest.mark.usefixtures("folder")
def test_modes_and_links_stay() -> None:
    Path("typed.fict").chmod(0o640)
    Path("link.fict").symlink_to("typed.fict")
    assert fmt("link.fict")[0] == 0
    assert Path("link.fict").is_symlink()
    assert Path("typed.fict").read_text() == TIDY
    assert Path("typed.fict").stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in Path().iterdir()) == ["inner", "link.fict", "typed.fict"]


@pytest.mark.usefixtures("folder")
def test_a_layout_that_loses_something_is_a_bug_and_nothing_is_written(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(formatting, "print_file", lambda *given: "fict 1\n")
    assert run_command(lambda **options: command(["typed.fict"], **options)) == 3
    assert "FormatError: the layout of typed.fict has another syntax tree" in capfd.readouterr().err
    assert Path("typed.fict").read_text() == TYPED


@pytest.mark.usefixtures("folder")
def test_a_folder_without_filters_is_a_mistake() -> None:
    Path("empty").mkdir()
    with pytest.raises(click.UsageError, match=r"no \.fict file in empty"):
        fmt("empty")


def test_no_heavy_package_is_loaded() -> None:
    script = f"""
import sys
from click.testing import CliRunner
from runner.cli import fictc
assert CliRunner().invoke(fictc, ["fmt", "-"], input={TYPED!r}).output.startswith({TIDY!r})
print(sorted(set(sys.modules) & {{"torch", "duckdb", "stanza", "pyarrow", "numpy", "sqlglot"}}))
"""
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout == "[]\n"
