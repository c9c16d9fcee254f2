"""Options that are numbers refuse what no package underneath can hold."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from runner.cli import COMMANDS, fictc

HUGE = [str(10**30), "1e400", "nan", "inf", "-inf"]


def options() -> Iterator[tuple[str, str]]:
    """Every option with a number, of every command, that may be as large as one likes by its name."""
    context = click.Context(fictc)
    for name in COMMANDS:
        command = fictc.get_command(context, name)
        for option in command.params if command is not None else ():
            number = isinstance(option.type, click.types.IntParamType | click.types.FloatParamType)
            if number and option.name in ("threads", "jobs", "timeout", "memory", "sample"):
                yield name, option.opts[0]


@pytest.mark.parametrize(("name", "option"), sorted(set(options())))
@pytest.mark.parametrize("value", HUGE)
def test_values_without_bounds_are_refused(name: str, option: str, value: str) -> None:
    result = CliRunner().invoke(fictc, [name, f"{option}={value}"])
    assert result.exit_code == 2
    assert "Invalid value for" in result.output
