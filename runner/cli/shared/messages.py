"""Messages for people, in which no text of a user or a corpus can act on the terminal."""

from __future__ import annotations

import click

from fictdsl.diagnostics.display import shown


def say(text: object, *, err: bool = False) -> None:
    """Print a message to standard output or standard error, with control characters written as escapes."""
    click.echo("\n".join(shown(line) for line in str(text).split("\n")), err=err)
