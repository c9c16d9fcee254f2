"""`fictc lint`, as a command: what it prints where, what it ends with, what it does not load."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from time import process_time

import click
import pytest
from click.testing import CliRunner, Result

from runner.cli.lint import command
from runner.errors import InputError
from tests.support.rendered import github, junit, sarif

GOOD = 'fict 1\nfilter {name} {{ about "x" match {{ N:NOUN }} }}\n'
WARNED = 'fict 1\nfilter {name} {{ about "x" match {{ N[Numbr = Plur] }} }}\n'
WRONG = "fict 1\nfilter {name} {{ match {{ N[frm = x] }} }}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "inner" / ".hidden").mkdir(parents=True)
    (tmp_path / "good.fict").write_text(GOOD.format(name="good"))
    (tmp_path / "inner" / "warned.fict").write_text(WARNED.format(name="warned"))
    (tmp_path / "inner" / ".hidden" / "wrong.fict").write_text(WRONG.format(name="wrong"))
    (tmp_path / "inner" / "notes.txt").write_text("no filter")
    return tmp_path


def lint(*arguments: object, stdin: bytes | None = None) -> tuple[int, Result]:
    result = CliRunner().invoke(command, [str(a) for a in arguments], input=stdin, standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    return int(result.return_value), result


def test_a_clean_file_prints_only_the_sum(folder: Path) -> None:
    code, result = lint(folder / "good.fict")
    assert (code, result.stdout, result.stderr) == (0, "", "1 file: nothing to report\n")


def test_folders_are_searched_but_hidden_ones(folder: Path) -> None:
    code, result = lint(folder, "--format", "concise")
    assert code == 0
    assert result.stdout.startswith(f"{folder}/inner/warned.fict:2:37: warning[FICT503] `Numbr`")
    assert len(result.stdout.splitlines()) == 1
    assert result.stderr == "2 files: 1 warning\n"


def test_formats_for_tools(folder: Path) -> None:
    warned = folder / "inner" / "warned.fict"
    [result] = sarif(lint(folder, "--format", "sarif")[1].stdout)["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == warned.as_uri()
    [annotation] = github(lint(folder, "--format", "github")[1].stdout.rstrip("\n"))
    assert (annotation["level"], annotation["file"]) == ("warning", str(warned))
    for strict, failures in (((), "0"), (("--strict",), "1")):
        root = junit(lint(folder, "--format", "junit", *strict)[1].stdout)
        assert {suite.get("name") for suite in root} == {str(folder / "good.fict"), str(warned)}
        assert root.get("failures") == failures
    clean = folder / "good.fict"
    assert sarif(lint(clean, "--format", "sarif")[1].stdout)["results"] == []
    assert json.loads(lint(clean, "--format", "json")[1].stdout) == []
    assert lint(clean, "--format", "github")[1].stdout == ""
    assert junit(lint("-", "--format", "junit", stdin=b"fict 1\n")[1].stdout)[0].get("name") == "<stdin>"


def test_warnings_fail_when_strict(folder: Path) -> None:
    assert lint(folder, "--strict")[0] == 1
    assert lint(folder / "good.fict", "--strict")[0] == 0


def test_errors_fail_and_other_files_are_linted_still(folder: Path) -> None:
    wrong = folder / "inner" / ".hidden" / "wrong.fict"
    code, result = lint(wrong, folder)
    assert code == 1
    assert "error[FICT301]" in result.stdout and "warning[FICT503]" in result.stdout
    assert result.stderr == "3 files: 1 error, 1 warning (1 can be fixed with --fix)\n"


def test_no_more_fixes_are_promised_than_findings_are_shown(tmp_path: Path) -> None:
    """The third fix is of a warning that shows only when the two misspelt keywords are corrected."""
    path = tmp_path / "a.fict"
    path.write_text('fict 1\nfliter a {\n  abuot "A."\n  match { V:VERB|VERB -> _ }\n  remove sentence\n}\n')
    code, result = lint(path)
    assert code == 1 and result.stderr == "1 file: 2 errors (2 can be fixed with --fix)\n"
    assert lint(path, "--fix")[1].stderr.startswith("1 file: 3 fixed")


def test_a_path_that_cannot_be_read_ends_with_2_and_other_files_are_linted_still(folder: Path) -> None:
    code, result = lint(folder / "god.fict", folder / "inner")
    assert code == 2
    assert (
        "there is no file" in result.stdout
        and "the most similar file name in its folder is `good.fict`" in result.stdout
    )
    assert "FICT503" in result.stdout


def test_a_file_that_a_filter_lacks_is_a_finding_of_that_filter(folder: Path) -> None:
    (folder / "good.fict").write_text('fict 1\nuse "gone.fict"\n')
    assert lint(folder / "good.fict")[0] == 1


def test_bytes_that_are_no_text_are_a_finding(folder: Path) -> None:
    (folder / "good.fict").write_bytes(b"fict 1\n\xff\xfe\x00")
    code, result = lint(folder / "good.fict")
    assert code == 1
    assert "error[FICT104]" in result.stdout


def test_json_is_json_whatever_is_found(folder: Path) -> None:
    code, result = lint(folder, "--format", "json")
    [found] = json.loads(result.stdout)
    assert (code, found["code"], found["range"]["start"]) == (0, "FICT503", {"line": 2, "column": 37, "offset": 43})
    assert json.loads(lint(folder / "good.fict", "--format", "json")[1].stdout) == []


def test_the_standard_input(folder: Path) -> None:
    code, result = lint("-", "--format", "concise", stdin=WRONG.format(name="x").encode())
    assert code == 1
    assert result.stdout.startswith("<stdin>:2:")
    assert lint("-", stdin=b"\xff\xff")[0] == 1


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf" + WARNED.format(name="x").encode(),
        b"\xef\xbb\xbf" + WRONG.format(name="x").encode(),
        b"fict 1\n# caf\xe9\n",
        WARNED.format(name="x").encode("utf-16"),
        "# a\n".encode("utf-16-le"),
    ],
    ids=["mark", "mark and error", "latin-1", "utf-16", "utf-16 without mark"],
)
def test_the_standard_input_is_read_as_a_file(folder: Path, monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.chdir(folder)
    (folder / "x.fict").write_bytes(data)
    code, result = lint("x.fict")
    code_of_input, result_of_input = lint("-", "--stdin-filename", "x.fict", stdin=data)
    assert (code_of_input, result_of_input.output) == (code, result.output)


@pytest.mark.parametrize(
    "data", [b"fict 1\n# caf\xe9\n", GOOD.format(name="x").encode()], ids=["latin-1", "nothing to fix"]
)
def test_standard_input_without_fixes_is_written_as_it_is(folder: Path, data: bytes) -> None:
    code, result = lint("-", "--fix", "--stdin-filename", folder / "good.fict", stdin=data)
    assert result.stdout_bytes == data
    assert (code, "error[FICT104]" in result.stderr) == ((1, True) if b"\xe9" in data else (0, False))
    assert (folder / "good.fict").read_text() == GOOD.format(name="good")


def test_the_file_that_unreadable_standard_input_overrides_is_not_read(folder: Path) -> None:
    (folder / "good.fict").write_text("fict 1\nlist a = {x}\nfilter f { match { N[lemma in @a] } }\n")
    (folder / "words.txt").write_text("y\n")
    arguments = ("-", "--stdin-filename", folder / "good.fict", "--list", f"b={folder / 'words.txt'}")
    assert "FICT104" in lint(*arguments, stdin=b"\xff\xff")[1].stdout
    with pytest.raises(InputError, match="`b`"):
        lint(*arguments, stdin=b"fict 1\n")


def test_the_same_finding_of_a_shared_list_is_said_once(folder: Path) -> None:
    (folder / "words.txt").write_text("a\na\n")
    for name in ("one", "two"):
        text = GOOD.format(name=name).replace("N:NOUN", "N[lower(form) in @w]") + 'list w = file "words.txt"\n'
        (folder / f"{name}.fict").write_text(text)
    _, result = lint(folder / "one.fict", folder / "two.fict", "--format", "concise")
    assert len(result.stdout.splitlines()) == 1


def run(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "runner.cli", "lint", *map(str, arguments)]
    root = Path(__file__).parents[4]
    return subprocess.run(
        line, cwd=cwd, env={"PYTHONPATH": str(root)}, capture_output=True, text=True, check=False, timeout=60
    )


def test_the_exit_codes_of_the_program(folder: Path) -> None:
    assert run(cwd=folder).returncode == 0
    assert run("--strict", cwd=folder).returncode == 1
    empty = folder / "empty"
    empty.mkdir()
    for arguments in ([empty], ["--format", "xml"], ["gone.fict"]):
        done = run(*arguments, cwd=folder)
        assert done.returncode == 2
        assert "Traceback" not in done.stderr + done.stdout


def test_linting_loads_no_model_no_database_and_no_parser_of_text(folder: Path) -> None:
    script = (
        "import sys; from click.testing import CliRunner; from runner.cli.lint import command;"
        f"CliRunner().invoke(command, [{str(folder)!r}]);"
        "heavy = {'torch', 'duckdb', 'stanza', 'transformers', 'pyarrow', 'sqlglot', 'numpy'} & set(sys.modules);"
        "assert 'fictdsl.lint.rules.never_true' in sys.modules; sys.exit(', '.join(heavy) or 0)"
    )
    root = Path(__file__).parents[4]
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=root, capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_time_of_a_long_list_is_not_quadratic(tmp_path: Path) -> None:
    (tmp_path / "f.fict").write_text('fict 1\nlist w = file "w.txt"\nfilter f { match { X[form in @w] } }\n')

    def seconds(size: int) -> float:
        (tmp_path / "w.txt").write_text("".join(f"w{number}\n" for number in range(size)))
        start = process_time()
        result = CliRunner().invoke(command, [str(tmp_path / "f.fict")])
        assert "FICT510" in result.output
        return process_time() - start

    seconds(10)  # imports, and the tables of the parser
    small, large = (min(seconds(size) for _ in range(2)) for size in (20_000, 80_000))
    assert large < 10 * small


def test_a_diff_of_a_file_that_cannot_be_read_is_no_success(folder: Path) -> None:
    code, result = lint("--diff", folder / "good.fict", folder / "missing.fict")
    assert code == 2
    assert "FICT140" in result.stderr
    with pytest.raises(click.UsageError, match="--write-baseline and --diff exclude each other"):
        lint("--diff", "--write-baseline", folder / "baseline.json", folder)


def test_a_folder_whose_files_are_all_excluded_is_not_called_empty(folder: Path) -> None:
    (folder / "fictc.toml").write_text('[lint]\nexclude = ["*.fict"]\n')
    with pytest.raises(click.UsageError, match="The settings exclude all"):
        lint(folder)


@pytest.mark.timeout(30)
def test_a_pipe_is_no_baseline(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    with pytest.raises(InputError, match="FICT625"):
        lint(folder / "good.fict", "--baseline", folder / "pipe")
