"""Completion as shells do it: bash, fish and zsh are given a line that was begun, and say how it may go on."""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest

from fictdsl.diagnostics.codes import CATALOGUE
from runner.cli import COMMANDS, fictc

ROOT = Path(__file__).parents[4]
BASH = """
eval "$(fictc completion bash)"
complete -p fictc >&2
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_fictc_completion fictc
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with filters; `fictc` is on the path."""
    script = tmp_path / "bin" / "fictc"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -m runner.cli "$@"\n')
    script.chmod(0o755)
    work = tmp_path / "work"
    for name in ("one.fict", "only.txt", "more/in/two.fict", "more/in/three.fict", ".hidden/x.fict"):
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        (work / name).touch()
    monkeypatch.setenv("PATH", f"{script.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.chdir(work)
    return work


def need(shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} here")


def bash(*words: str) -> list[str]:
    need("bash")
    done = subprocess.run(["bash", "-c", BASH, "-", *words], capture_output=True, text=True, check=True)
    assert done.stderr == "complete -o nosort -F _fictc_completion fictc\n"
    return done.stdout.split()


@pytest.mark.usefixtures("folder")
def test_bash_completes_commands_and_options() -> None:
    assert bash("fictc", "") == [name for name in COMMANDS if name != "run-cell"]
    assert bash("fictc", "li") == ["lint"]
    assert bash("fictc", "--v") == ["--version"]
    assert bash("fictc", "fmt", "--") == ["--check", "--diff", "--stdin-filename", "--help"]
    assert bash("fictc", "compile", "--emit", "") == ["ast", "ir", "plan", "sql"]
    assert bash("fictc", "completion", "") == ["bash", "fish", "zsh"]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", ["lint", "fmt", "test"])
def test_bash_completes_files_of_filters(command: str) -> None:
    assert bash("fictc", command, "") == ["more/", "one.fict"]
    assert bash("fictc", command, "m") == ["more/in/three.fict", "more/in/two.fict"]
    assert bash("fictc", command, "./one.fict", "./o") == ["./one.fict"]
    assert bash("fictc", command, ".h") == [".hidden/x.fict"]
    assert bash("fictc", command, "nowhere/x") == []


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", ["compile", "explain", "match", "count", "show"])
def test_bash_completes_shipped_filters(command: str) -> None:
    assert bash("fictc", command, "on") == ["one.fict"]
    assert bash("fictc", command, "fict15/agr-p") == ["fict15/agr-pp-mod"]
    assert bash("fictc", command, "de")[:2] == ["decaf", "decaf/aann"]
    assert "words/lists" not in bash("fictc", command, "w")


@pytest.mark.usefixtures("folder")
def test_bash_completes_codes() -> None:
    for command in ("rule", "explain"):
        assert bash("fictc", command, "FICT20") == [code for code in CATALOGUE if code.startswith("FICT20")]
        assert bash("fictc", command, "fict201") == ["FICT201"]
    assert bash("fictc", "lint", "--select", "FICT5,FICT201") == ["FICT5,FICT201"]


@pytest.mark.usefixtures("folder")
def test_fish_completes_with_descriptions() -> None:
    need("fish")

    def fish(line: str) -> str:
        script = f"fictc completion fish | source; complete -C '{line}'"
        return subprocess.run(["fish", "-c", script], capture_output=True, text=True, check=True).stdout

    assert fish("fictc fm") == f"fmt\t{COMMANDS['fmt'][1]}\n"
    assert fish("fictc explain FICT201") == "FICT201\tunknown-list\n"
    assert fish("fictc lint m") == "more/in/three.fict\nmore/in/two.fict\n"


@pytest.mark.usefixtures("folder")
def test_zsh_completes_at_a_terminal() -> None:
    need("zsh")
    # What is typed is echoed: `re""ady` is not what `ready` is awaited for.
    setup = 'PS1="> "; autoload -Uz compinit; compinit -D; eval "$(fictc completion zsh)"; echo re""ady\n'
    steps = [(setup, "ready"), ("fictc fm\t", "fmt"), ("\x15fictc lint o\t", "one.fict")]
    assert "fictc lint one.fict" in typed(["zsh", "-f", "-i"], steps)


def typed(command: list[str], steps: list[tuple[str, str]]) -> str:
    """What a terminal shows after each text was typed and what it leads to has been seen."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvp(command[0], command)
    shown = ""
    try:
        for text, awaited in steps:
            os.write(terminal, text.encode())
            until, fresh = time.monotonic() + 60, ""
            while awaited not in fresh:
                assert time.monotonic() < until, f"no {awaited!r} in {fresh!r}"
                if select.select([terminal], [], [], 1)[0]:
                    fresh += os.read(terminal, 4096).decode(errors="replace")
            shown += fresh
    finally:
        os.close(terminal)
        os.waitpid(pid, 0)
    return shown


def test_nothing_heavy_is_loaded_to_complete() -> None:
    script = """
import atexit, sys
from runner.cli import main
heavy = {"torch", "duckdb", "stanza", "pyarrow", "numpy", "sqlglot", "lark", "pydantic"}
atexit.register(lambda: print(sorted(set(sys.modules) & heavy)))
main()
"""
    for words in ("fictc ", "fictc lint ", "fictc explain FICT2", "fictc run --", "fictc score --"):
        told = {"_FICTC_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
        run = [sys.executable, "-c", script]
        done = subprocess.run(run, capture_output=True, text=True, check=True, env={**os.environ, **told}, cwd=ROOT)
        assert done.stdout.splitlines()[-1] == "[]", words
        assert len(done.stdout.splitlines()) > 1


@pytest.mark.parametrize("name", COMMANDS)
def test_every_argument_that_takes_filters_or_codes_is_completed(name: str) -> None:
    command = fictc.get_command(click.Context(fictc), name)
    assert command is not None
    for param in command.params:
        if any(word in (param.metavar or "") for word in ("FILTER", "PATHS", "CODE")):
            assert param.shell_complete(click.Context(command), "FICT20" if "CODE" in (param.metavar or "") else "./")
