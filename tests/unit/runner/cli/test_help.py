"""`--help` of every command: what it does, and examples that the command would take."""

from __future__ import annotations

import shlex

import click
import pytest

from runner.cli import COMMANDS, fictc

WITHOUT = {"lsp", "run-cell"}  # other programs start these


def found(name: str) -> tuple[click.Context, click.Command]:
    context = click.Context(fictc, info_name="fictc")
    command = fictc.get_command(context, name)
    assert command is not None
    return context, command


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in WITHOUT])
def test_examples_have_options_that_there_are(name: str) -> None:
    context, command = found(name)
    lines = [line.strip() for line in (command.help or "").splitlines()]
    examples = [line for line in lines if line.startswith(f"fictc {name} ") or line == f"fictc {name}"]
    if name != "completion":
        assert examples
    for line in examples:
        words = shlex.split(line.partition(" | ")[0].partition(" > ")[0])[2:]
        inner, parent = command, context
        if isinstance(command, click.Group):
            parent = click.Context(command, parent=context, info_name=name)
            chosen = command.get_command(parent, words.pop(0))
            assert chosen is not None
            inner = chosen
        inner.make_parser(click.Context(inner, parent=parent)).parse_args(words)  # a NoSuchOption is a failure


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in WITHOUT])
def test_every_option_has_help(name: str) -> None:
    context, command = found(name)
    commands = [command]
    if isinstance(command, click.Group):
        parent = click.Context(command, parent=context, info_name=name)
        commands += [command.commands[inner] for inner in command.list_commands(parent)]
    options = [option for each in commands for option in each.params if isinstance(option, click.Option)]
    assert [option.opts for option in options if not (option.help or option.hidden)] == []
