"""`fictc config`: the effective settings and where each is set; settings on the command line of `fictc lint`."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from runner.cli.corpus_options import corpus_option
from runner.cli.filter_options import complete_codes
from runner.cli.options import PATH, relations
from runner.cli.terminal import OK, print_message

if TYPE_CHECKING:
    from fictdsl.lint.engine import Selection
    from runner.settings import Settings


Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class LintSettings:
    """The settings of one `fictc lint` command; the patterns of `exclude` are relative to `root`."""

    strict: bool
    selection: Selection
    exclude: tuple[str, ...]
    root: Path
    baseline: Path | None
    corpus: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class LintOptions:
    """Command-line options that select or override settings; None if not given."""

    strict: bool | None
    select: str | None
    ignore: str | None
    baseline: Path | None
    corpus: tuple[Path, ...]
    config: Path | None
    isolated: bool


def lint_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of `LintOptions`. The command receives them together as `options`."""
    names = [field.name for field in fields(LintOptions)]

    @click.option("--strict/--no-strict", default=None, help="Exit with 1 for warnings too.")
    @click.option(
        "--select",
        metavar="LINTS",
        shell_complete=complete_codes,
        help="Report only findings of these lint rules: codes, code prefixes or names, separated by commas.",
    )
    @click.option(
        "--ignore", metavar="LINTS", shell_complete=complete_codes, help="Do not report findings of these lint rules."
    )
    @click.option("--baseline", type=PATH, help="Do not report the findings in this file.")
    @corpus_option(required=False)
    @settings_options
    @wraps(command)
    def wrapper(**arguments: Any) -> Any:
        options = LintOptions(**{name: arguments.pop(name) for name in names})
        return command(options=options, **arguments)

    return wrapper


def settings_options(command: Command) -> Command:
    path_type = PATH
    command = relations("--isolated excludes --config")(command)
    command = click.option("--isolated", is_flag=True, help="Ignore all settings files.")(command)
    return click.option("--config", metavar="FILE", type=path_type, help="Read settings from this file.")(command)


def load_settings(start: Path, config: Path | None, *, isolated: bool) -> Settings:
    """Return the settings of `config`, or of the nearest file from `start` upwards; defaults if `isolated`."""
    from runner.settings import Settings, load

    return Settings() if isolated else load(start if start.is_dir() else start.parent, config)


def lint_settings(path: str, stdin_path: Path, options: LintOptions) -> LintSettings:
    """Return the settings for `path`, the first path of the command line, overridden by `options`."""
    from fictdsl.lint.engine import Selection

    start = stdin_path if path == "-" else Path(path)
    settings = load_settings(start, options.config, isolated=options.isolated)

    def selectors(key: str, option_value: str | None) -> tuple[str, ...]:
        return settings.strings("lint", key) if option_value is None else _selectors(key, option_value)

    return LintSettings(
        settings.flag("lint", "strict") if options.strict is None else options.strict,
        Selection(selectors("select", options.select), selectors("ignore", options.ignore)),
        settings.strings("lint", "exclude"),
        settings.folder,
        options.baseline or settings.path("lint", "baseline"),
        options.corpus or tuple(filter(None, [settings.path("lint", "corpus")])),
    )


def _selectors(option: str, text: str) -> tuple[str, ...]:
    from fictdsl.lint.engine import first_unknown

    selectors = tuple(part.strip() for part in text.split(",") if part.strip())
    if unknown := first_unknown(selectors):
        hint = f" ({unknown[1]})" if unknown[1] else ""
        raise click.BadParameter(f"`{unknown[0]}` matches no lint rule{hint}", param_hint=f"--{option}")
    return selectors


@click.group(name="config")
def command() -> None:
    """Show the settings of a project, read from `fictc.toml` or `[tool.fictc]` of `pyproject.toml`.

    \b
    Example:
      fictc config show filters
    """


@command.command()
@click.argument("path", type=PATH, default=Path())
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
