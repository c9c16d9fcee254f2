"""Which options go together: relations of options as data, and their messages."""

from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from runner.cli import fictc
from runner.cli.options import RelatedOption, alternatives, option, related_parameter


@click.command()
@click.argument("store", required=False)
@option("--drop", is_flag=True, requires="STORE", excludes=("--dry-run", "--format json"))
@option("--figures", requires="--format html or csv")
@click.option("--dry-run", is_flag=True)
@click.option("--format", "output_format", default="html")
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
    related = [(c, p) for c in commands(fictc) for p in c.params if isinstance(p, RelatedOption)]
    for command, parameter in related:
        for relation in (*parameter.requires, *parameter.excludes):
            for alternative in alternatives(relation):
                assert related_parameter(command, alternative) is not parameter
    assert len(related) > 50
