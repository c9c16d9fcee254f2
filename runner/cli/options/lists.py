"""The option `--list NAME=FILE` of commands that compile filters."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from runner.cli.options.relations import option

if TYPE_CHECKING:
    from fictdsl.syntax.word_lists import ListOverrides

F = TypeVar("F", bound=Callable[..., Any])


def related_lists_option(**relations: str) -> Callable[[F], F]:
    """Return a decorator that adds `--list NAME=FILE` with relations. The command receives the lists as `lists`."""
    return option(
        "--list",
        "lists",
        multiple=True,
        metavar="NAME=FILE",
        callback=_read_lists,
        help="Replace the word list NAME with the words of FILE, one per line. May be repeated.",
        **relations,
    )


def _read_lists(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> ListOverrides:
    """Return the words of each list by name. Raises BadParameter or InputError if a value or a file is invalid."""
    from fictdsl.syntax.word_lists import NO_OVERRIDES, read_list
    from runner.errors import InputError

    if not values or context.resilient_parsing:  # shell completion
        return NO_OVERRIDES

    problems = []
    lists = {}
    for value in values:
        name, separator, file = value.partition("=")
        if not (name and separator and file):
            raise click.BadParameter(f"{value!r} is not NAME=FILE, such as sv_nouns=words.txt.", param=parameter)
        if name in lists:
            raise click.BadParameter(f"{name} is given twice.", param=parameter)
        lists[name], diagnostics = read_list(name, Path(file), file)
        problems += diagnostics if lists[name] is None else []
    if problems:
        raise InputError(problems)
    return {name: words for name, words in lists.items() if words is not None}


lists_option = related_lists_option()
