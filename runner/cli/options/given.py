"""The options that the user gave, for combinations that have no effect."""

from __future__ import annotations

import click


def given_options(*names: str) -> list[str]:
    """Return the options among these parameters that the command line has, such as `--min`."""
    context = click.get_current_context()
    return [
        parameter.opts[0]
        for parameter in context.command.params
        if parameter.name in names
        and context.get_parameter_source(parameter.name) is click.core.ParameterSource.COMMANDLINE
    ]
