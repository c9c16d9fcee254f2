"""`fictc config`: the effective settings and where each is set."""

from __future__ import annotations

import json
from pathlib import Path

import click

from runner.cli.filters.settings import load_settings, settings_options
from runner.cli.shared.messages import print_message
from runner.cli.shared.outcome import OK


@click.group(name="config")
def command() -> None:
    """Show the settings of a project, read from `fictc.toml` or `[tool.fictc]` of `pyproject.toml`.

    \b
    Example:
      fictc config show filters
    """


@command.command()
@click.argument("path", type=click.Path(path_type=Path), default=Path())
@settings_options
def show(path: Path, config: Path | None, isolated: bool) -> int:
    """Print every setting in effect for PATH [default: the current directory], and where it is set."""
    from runner.settings import KEYS

    settings = load_settings(path, config, isolated=isolated)
    print_message(f"settings: {settings.source.name if settings.source else 'none found'}")
    rows = [
        (
            f"{section}.{key}",
            json.dumps(settings.value(section, key), ensure_ascii=False),
            settings.origin(section, key),
        )
        for section, keys in KEYS.items()
        for key in keys
    ]
    name_width, value_width = (max(len(row[column]) for row in rows) for column in (0, 1))
    for name, value, origin in rows:
        print_message(f"{name:<{name_width}} = {value:<{value_width}}  {origin}")
    return OK
