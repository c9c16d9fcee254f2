"""Which options go together: relations of options as data, and their messages."""

from collections.abc import Iterator
from itertools import product

import click
import pytest
from click.testing import CliRunner

from runner.cli import fictc
from runner.cli.options import alternatives, parts_of_relation, related_parameter, relations


@click.command()
@click.argument("store", required=False)
@click.option("--drop", is_flag=True)
@click.option("--figures")
@click.option("--dry-run", is_flag=True)
@click.option("--format", "output_format", default="html")
@relations(
    "--drop requires STORE", "--drop excludes --dry-run, --format json", "--figures requires --format html or csv"
)
def example(**_options: object) -> None:
    click.echo("done")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--drop", "--drop requires STORE"),
        ("x --drop --dry-run", "--drop and --dry-run exclude each other"),
        ("x --drop --format json", "--drop and --format json exclude each other"),
        ("--figures a --format json", "--figures requires --format html or csv"),
    ],
)
def test_a_relation_that_does_not_hold_is_an_error_of_usage(arguments: str, message: str) -> None:
    ended = CliRunner().invoke(example, arguments.split())
    assert (ended.exit_code, f"Error: {message}\n" in ended.output) == (2, True)


@pytest.mark.parametrize("arguments", ["", "x --drop", "--dry-run", "--figures a", "--figures a --format csv"])
def test_options_whose_relations_hold_are_accepted(arguments: str) -> None:
    assert CliRunner().invoke(example, arguments.split()).output == "done\n"


def commands(group: click.Group) -> Iterator[click.Command]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands(command)
        elif command is not None:
            yield command


def test_every_relation_names_a_parameter_of_its_command() -> None:
    related = [(c, line) for c in commands(fictc) for line in getattr(c.callback, "relations", ())]
    count = 0
    for command, line in related:
        names, _, others = parts_of_relation(line)
        for name, other in product(names, others):
            for alternative in alternatives(other):
                assert related_parameter(command, alternative) is not related_parameter(command, name)
            count += 1
    assert count > 50
