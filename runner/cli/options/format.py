"""The option `--format`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click


def format_option(
    *formats: str,
    help: str = "Output format.",  # noqa: A002 - named as in click
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that adds the option, with the first of `formats` as its default.

    The command receives it as `output_format`.
    """
    return click.option(
        "--format",
        "output_format",
        type=click.Choice(formats),
        default=formats[0],
        show_default=True,
        help=help,
    )
