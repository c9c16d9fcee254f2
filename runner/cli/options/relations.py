"""Which options go together: `requires` and `excludes` of an option, and the options that the user gave.

A relation names an option, an option with a value (`--format html`), or an argument (`STORE`). A required relation may
have alternatives: `--suite or --runs`, `--engine spark or spark-duckdb`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


class RelatedOption(click.Option):
    """An option that, if given, requires or excludes others."""

    def __init__(self, *args: Any, requires: Sequence[str] = (), excludes: Sequence[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.requires, self.excludes = tuple(requires), tuple(excludes)

    def handle_parse_result(
        self, ctx: click.Context, opts: Mapping[str, Any], args: list[str]
    ) -> tuple[Any, list[str]]:
        """Convert the value. Raises UsageError if a required option is missing or an excluded one is given."""
        result = super().handle_parse_result(ctx, opts, args)
        if self.name in opts and not ctx.resilient_parsing:
            for required in self.requires:
                if not _holds(ctx.command, opts, required):
                    raise click.UsageError(f"{self.opts[0]} requires {required}", ctx)
            for excluded in self.excludes:
                if _holds(ctx.command, opts, excluded):
                    raise click.UsageError(f"{self.opts[0]} and {excluded} exclude each other", ctx)
        return result


def option(
    *names: str, requires: str | Sequence[str] = (), excludes: str | Sequence[str] = (), **attributes: Any
) -> Callable[[F], F]:
    """Return a decorator that adds an option with its relations. The others of `attributes` are those of click."""
    relations = {
        name: (value,) if isinstance(value, str) else tuple(value)
        for name, value in (("requires", requires), ("excludes", excludes))
    }
    return click.option(*names, cls=RelatedOption, **relations, **attributes)


def related_parameter(command: click.Command, relation: str) -> click.Parameter:
    """Return the parameter that a relation without alternatives names. Raises KeyError if there is none."""
    name = relation.partition(" ")[0]
    for parameter in command.params:
        metavar = (parameter.metavar or parameter.name or "").upper().strip("[].")
        if name in parameter.opts or (isinstance(parameter, click.Argument) and name == metavar):
            return parameter
    raise KeyError(f"{command.name} has no parameter {name}")


def alternatives(relation: str) -> list[str]:
    """Return the alternatives of a relation, each with the name of its option."""
    first, *others = relation.split(" or ")
    name = first.partition(" ")[0]
    return [first, *(other if other.startswith("-") else f"{name} {other}" for other in others)]


def _holds(command: click.Command, opts: Mapping[str, Any], relation: str) -> bool:
    return any(_is_given(command, opts, alternative) for alternative in alternatives(relation))


def _is_given(command: click.Command, opts: Mapping[str, Any], relation: str) -> bool:
    """Return whether an option or argument is given or, if the relation has a value, has this value."""
    parameter, value = related_parameter(command, relation), relation.partition(" ")[2]
    if value:
        return bool(opts.get(parameter.name or "", parameter.default) == value)
    found = opts.get(parameter.name or "")
    return isinstance(found, (str, int, tuple, list)) and found not in ((), [])  # click marks missing arguments


def given_options(*names: str) -> list[str]:
    """Return the options among these parameters that the command line has, such as `--min`."""
    context = click.get_current_context()
    return [
        parameter.opts[0]
        for parameter in context.command.params
        if parameter.name in names
        and context.get_parameter_source(parameter.name) is click.core.ParameterSource.COMMANDLINE
    ]
