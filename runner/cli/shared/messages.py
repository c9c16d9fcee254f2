"""Messages to the terminal, with control characters escaped, and whether to style them."""

from __future__ import annotations

import os
from typing import TextIO

import click

from fictdsl.diagnostics.display import printable


def print_message(text: object, *, err: bool = False) -> None:
    """Print a message to standard output or standard error, with control characters of user text escaped."""
    click.echo("\n".join(printable(line) for line in str(text).split("\n")), err=err)


def has_colours(stream: TextIO) -> bool:
    """Return whether to style the text for a stream: it is a terminal, and NO_COLOR is not set or empty."""
    return stream.isatty() and not os.environ.get("NO_COLOR")
