"""How commands end: whose mistake it was, in one message and one exit code."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from fictdsl.diagnostics.codes import diagnostic
from runner.cli.terminal import DUCKDB_INTERRUPTED, run_command
from runner.errors import InputError


def ending(error):
    @click.command()
    def command():
        raise error

    return run_command(lambda **options: command(args=[], **options))


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (click.UsageError("no such option"), 2, "no such option"),
        (InputError(diagnostic("FICT609")), 2, "FICT609"),
        (OSError(errno.ENOSPC, "No space left on device"), 2, "FICT792]: reading or writing failed: no space left"),
        (PermissionError(errno.EACCES, "Permission denied", "/x/y"), 2, "permission denied: /x/y"),
        (MemoryError(), 2, "FICT793]: not enough memory"),
        (RuntimeError("can't start new thread"), 2, "FICT793]: not enough memory"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (ModuleNotFoundError("x", name="duckdb"), 2, "pip install '.[corpus]'"),
        (ModuleNotFoundError("x", name="urllib3"), 2, "pip install '.[corpus]'"),
        (ModuleNotFoundError("x", name="torch.nn"), 2, "pip install '.[train]'"),
        (ModuleNotFoundError("x", name="pygls.lsp.server"), 2, "pip install '.[lsp]'"),
    ],
)
def test_a_mistake_is_one_message_without_a_traceback(error, code, words, capsys):
    assert ending(error) == code
    told = capsys.readouterr().err
    assert words in told
    assert "Traceback" not in told


@pytest.mark.parametrize("error", [ZeroDivisionError("oh"), ModuleNotFoundError("x", name="ours")])
def test_a_bug_says_that_it_is_one(error, capsys):
    assert ending(error) == 3
    assert "bug in fictc" in capsys.readouterr().err


def test_what_a_command_returns_is_its_exit_code():
    assert run_command(lambda **_: 1) == 1
    assert run_command(lambda **_: None) == 0


def test_a_reader_that_has_enough_is_no_failure():
    """`fictc rule --all | head -1`: no message, and no exit code that says something was found."""
    command = [sys.executable, "-m", "runner.cli", "rule", "--all"]
    reads, writes = os.pipe()
    process = subprocess.Popen(command, stdout=writes, stderr=subprocess.PIPE)
    os.close(writes)
    os.close(reads)
    assert process.stderr is not None
    assert (process.stderr.read(), process.wait()) == (b"", 0)


def test_ctrl_c_while_the_database_works_is_an_interruption(capsys):
    """DuckDB's error is raised here; `tests/end_to_end/test_interrupt.py` sends a real Ctrl-C."""

    def command(**_):
        raise RuntimeError(DUCKDB_INTERRUPTED)

    assert run_command(command) == 130
    assert capsys.readouterr().err == "interrupted\n"


@pytest.mark.parametrize("redirection", ["2>/dev/full", "2>&-", ">&- 2>&-"])
def test_the_code_of_a_mistake_needs_no_standard_error(redirection, tmp_path):
    for arguments in ("plan missing.toml", "nothing"):
        line = f"exec {sys.executable} -m runner.cli {arguments} {redirection}"
        assert subprocess.run(["bash", "-c", line], cwd=tmp_path, check=False).returncode == 2


def test_a_closed_standard_error_is_no_terminal(tmp_path):
    script = (
        "import sys\nfrom runner.cli.terminal import open_closed_streams\nopen_closed_streams()\n"
        "assert not sys.stderr.isatty()\nprint('kept')"
    )
    line = f'exec {sys.executable} -c "{script}" 2>&-'
    assert subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False).stdout == "kept\n"


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "koi8-r", "ascii"])
def test_characters_that_the_encoding_lacks_have_a_plain_form(encoding, tmp_path):
    (tmp_path / "f.fict").write_text('fict 1\nfilter f { match { V[lemma = "狗"] } }\n', encoding="utf-8")
    for command in ("lint", "explain"):
        done = subprocess.run(
            [sys.executable, "-m", "runner.cli", command, "f.fict"],
            env={**os.environ, "PYTHONIOENCODING": encoding},
            cwd=tmp_path,
            capture_output=True,
            check=False,
        )
        assert done.returncode in (0, 1)
        assert b"lacks" not in done.stderr
        if encoding != "ascii":  # click replaces ASCII by UTF-8
            assert "\\u72d7" in done.stdout.decode(encoding)


@pytest.mark.parametrize(
    ("variables", "arguments", "code"),
    [
        ({"SOURCE_DATE_EPOCH": "x"}, ["report", "nothing"], 2),
        ({"SOURCE_DATE_EPOCH": "9" * 23}, ["report", "nothing"], 2),
        ({"SOURCE_DATE_EPOCH": "1.5", "WORLD_SIZE": ""}, ["score", "nothing", "x.csv"], 2),
        ({"HOME": "/dev/null", "XDG_CACHE_HOME": ""}, ["count", "f.fict", "-c", "c.conllu"], 0),
    ],
)
def test_an_odd_environment_is_no_bug(variables, arguments, code, tmp_path):
    (tmp_path / "f.fict").write_text("fict 1\nfilter f { match { V:VERB } }\n", encoding="utf-8")
    (tmp_path / "c.conllu").write_text("1\tGo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "runner.cli", *arguments],
        env={**os.environ, **variables, "TMPDIR": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        check=False,
        text=True,
    )
    assert done.returncode == code, done.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"f.fict", "c.conllu"}


def test_filters_of_files_load_no_rule_of_lint(tmp_path):
    (tmp_path / "f.fict").write_text("fict 1\nfilter f { match { V:VERB } }\n", encoding="utf-8")
    script = (
        "import sys; from runner.cli.query_options import load_filters;"
        "load_filters(['f.fict'], {}); sys.exit(', '.join(name for name in sys.modules if '.lint' in name) or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[4])},
        capture_output=True,
        check=False,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
