"""The option `--format`, and output files whose name states another format."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import click

from runner.cli.options.relations import option


def format_option(
    *formats: str,
    help: str = "Output format.",  # noqa: A002 - named as in click
    **relations: str,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that adds the option, with the first of `formats` as its default.

    The command receives it as `output_format`. `relations` are those of `option`.
    """
    return option(
        "--format",
        "output_format",
        type=click.Choice(formats),
        default=formats[0],
        show_default=True,
        help=help,
        **relations,
    )


def check_suffix(output: Path | None, output_format: str, formats: Collection[str]) -> None:
    """Raise UsageError if the suffix of an output file is the name of another one of the formats."""
    named_format = None if output is None else output.suffix.lower().removeprefix(".")
    if named_format in formats and named_format != output_format:
        raise click.UsageError(f"--output {output} requires --format {named_format}")
