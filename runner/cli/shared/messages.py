"""Messages to the terminal, with control characters escaped."""

from __future__ import annotations

import click

from fictdsl.diagnostics.display import printable


def print_message(text: object, *, err: bool = False) -> None:
    """Print a message to standard output or standard error, with control characters of user text escaped."""
    click.echo("\n".join(printable(line) for line in str(text).split("\n")), err=err)
