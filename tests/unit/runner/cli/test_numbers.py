"""Every number among the options has a range with a reason, and no other value is accepted or crashes a command."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from runner.cli import COMMANDS, fictc
from runner.cli.options import BoundedFloat, BoundedInt
from runner.cli.query_options import Size

Number = click.types.IntParamType | click.types.FloatParamType
LISTS = {("power", "--seeds"), ("power", "--pairs")}  # numbers between commas
WRONG = ["nan", "inf", "-inf", "1e400", str(10**30), "9" * 5_000, "-" + "9" * 5_000, "1e30", "", "0x10", "½"]


def commands(group: click.Group = fictc, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command and subcommand with its name."""
    context = click.Context(fictc)
    for name in COMMANDS if group is fictc else group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield (*path, name), command
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))


def numbers() -> dict[tuple[tuple[str, ...], str], tuple[click.ParamType, int]]:
    """The type of every option with a number, and how many values it takes."""
    found = {}
    for name, command in commands():
        for option in command.params:
            types = option.type.types if isinstance(option.type, click.Tuple) else [option.type]
            if isinstance(types[0], Number | Size) or (name[0], option.opts[0]) in LISTS:
                found[name, option.opts[0]] = types[0], len(types)
    return found


def invoke(name: tuple[str, ...], option: str, value: str, count: int) -> tuple[int, str]:
    """Run a command with one option and without its arguments, so that it does nothing."""
    values = [option, *[value] * count]
    result = CliRunner().invoke(fictc, [*name, *values])
    return result.exit_code, result.output


@pytest.mark.parametrize(("name", "option"), sorted(numbers()))
def test_every_number_has_a_range_with_a_reason(name, option):
    kind, _ = numbers()[name, option]
    if not isinstance(kind, click.types.IntParamType | click.types.FloatParamType):
        return  # a size, or numbers between commas, which have ranges of their own
    assert isinstance(kind, BoundedInt | BoundedFloat), "declare it with BoundedInt or BoundedFloat"
    assert kind.min is not None
    assert kind.max is not None
    assert kind.reason


@pytest.mark.parametrize(("name", "option"), sorted(numbers()))
def test_values_outside_are_refused_in_one_short_message(name, option):
    kind, count = numbers()[name, option]
    wrong = list(WRONG)
    if isinstance(kind, BoundedInt | BoundedFloat):
        assert kind.min is not None
        assert kind.max is not None
        wrong += [repr(kind.min - 1), repr(kind.max + 1)]
    for value in wrong:
        code, output = invoke(name, option, value, count)
        assert code == 2
        assert output.count("Error: ") == 1
        assert "Invalid value for" in output
        assert len(output) < 600
        if isinstance(kind, BoundedInt | BoundedFloat):
            assert kind.reason in " ".join(output.split())


@pytest.mark.parametrize(("name", "option"), sorted(numbers()))
def test_the_bounds_are_accepted(name, option):
    kind, _ = numbers()[name, option]
    if isinstance(kind, BoundedInt | BoundedFloat):
        open_minimum = isinstance(kind, BoundedFloat) and kind.min_open
        for value in (kind.max, *(() if open_minimum else (kind.min,))):
            assert kind.convert(str(value), None, None) == value
