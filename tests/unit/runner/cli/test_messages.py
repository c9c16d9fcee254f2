"""Text of users and corpora that would act on a terminal is shown as diagnostics show it."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from runner.cli import fictc
from runner.cli.terminal import USAGE, has_colours, run_command

ESCAPE = "\x1b]0;title\x07\x9b31m\u202e"
MANIFEST = """[experiment]
name = "one"
description = "%s"
seeds = [1]
[corpus]
sample = { sentences = 500, pairs = 10, seed = 3 }
[[condition]]
name = "less"
remove = ["${filters}/fict15/passive.fict"]
[[model]]
preset = "lstm-128"
"""


def acts(text: str) -> bool:
    return any(not char.isprintable() and char != "\n" for char in text)


def test_plan_shows_escapes_of_a_manifest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    written = "".join(f"\\u{ord(char):04x}" for char in ESCAPE)
    Path("experiment.toml").write_text(MANIFEST % written)
    result = CliRunner().invoke(fictc, ["plan", "experiment.toml"], catch_exceptions=False)
    assert result.exit_code == 0
    assert "\\x1b]0;title\\x07\\x9b31m\\u202e" in result.output
    assert not acts(result.output)


def test_config_shows_escapes_of_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / f"a{ESCAPE}b"
    folder.mkdir()
    (folder / "fictc.toml").write_text('[lint]\nselect = ["FICT5"]\n')
    result = CliRunner().invoke(fictc, ["config", "show", str(folder)], catch_exceptions=False)
    assert result.exit_code == 0
    assert not acts(result.output)


@pytest.mark.parametrize("arguments", [["%s"], ["plan", "%s"], ["count", "--%s"], ["lint", "--format", "%s"]])
def test_mistakes_of_use_show_escapes(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    given = [argument.replace("%s", ESCAPE) for argument in arguments]
    assert run_command(lambda **options: fictc(given, **options)) == USAGE
    said = capsys.readouterr().err
    assert said
    assert not acts(said)


def test_a_message_keeps_its_lines(capsys: pytest.CaptureFixture[str]) -> None:
    def command(**_: object) -> None:
        raise click.UsageError("one\ntwo")

    assert run_command(command) == USAGE
    assert capsys.readouterr().err == "Error: one\ntwo\n"


@pytest.mark.parametrize(("value", "expected"), [(None, True), ("", True), ("1", False)])
def test_no_color_turns_colours_off(value: str | None, expected: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.delenv("NO_COLOR", raising=False)
    if value is not None:
        monkeypatch.setenv("NO_COLOR", value)
    assert has_colours(Terminal()) is expected
    assert not has_colours(StringIO())
