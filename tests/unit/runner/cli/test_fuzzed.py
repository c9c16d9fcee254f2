"""Inputs that the fuzzer found to end commands with a traceback, or to stop them for ever."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pytest

from runner.cli import fictc
from runner.cli.terminal import run_command

MANIFEST = """
[experiment]
name = "e"
seeds = [1]

[corpus]
sample = { sentences = 10 }

[[tokenizer]]
kind = "saved"
path = "tokenizer"
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ended(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    return run_command(partial(fictc, [*arguments], prog_name="fictc")), capsys.readouterr().err


def test_a_loop_of_links_is_no_corpus(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "loop.conllu").symlink_to("loop.conllu")
    code, message = ended(capsys, "import", "loop.conllu", "--output", "store")
    assert (code, "error[FICT" in message) == (2, True)


def test_an_id_of_thousands_of_digits_is_no_id(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "long.conllu").write_text(f"{'1' * 4_400}\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n")
    code, message = ended(capsys, "import", "long.conllu", "--output", "store")
    assert (code, "error[FICT" in message) == (2, True)


def test_a_list_in_place_of_a_table_is_a_mistake(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "m.toml").write_text(MANIFEST)
    code, message = ended(capsys, "plan", "m.toml")
    assert (code, "error[FICT" in message) == (2, True)


def test_a_path_in_a_loop_of_links_is_a_mistake(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "loop").symlink_to("loop")
    (folder / "m.toml").write_text('[experiment]\nname = "e"\nseeds = [1]\n[corpus]\ntrain = ["loop/a.conllu"]\n')
    code, message = ended(capsys, "plan", "m.toml")
    assert (code, "error[FICT" in message) == (2, True)


def test_a_pipe_is_no_manifest(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(folder / "m.toml")
    code, message = ended(capsys, "plan", "m.toml")
    assert (code, "error[FICT600]" in message) == (2, True)
