"""`fictc config`: the effective settings and where each is set; settings on the command line of `fictc lint`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from runner.cli.options import PATH, combined, relations
from runner.cli.query_options import complete_codes, corpus_option
from runner.cli.terminal import OK, print_message

if TYPE_CHECKING:
    from fictdsl.lint.engine import Selection
    from runner.settings import Settings


@dataclass(frozen=True, slots=True)
class LintSettings:
    """The settings of one `fictc lint` command; the patterns of `exclude` are relative to `root`."""

    strict: bool
    selection: Selection
    exclude: tuple[str, ...]
    root: Path
    baseline: Path | None
    corpus: tuple[Path, ...]


settings_options = combined(
    click.option("--config", metavar="FILE", type=PATH, help="Read settings from this file."),
    click.option("--isolated", is_flag=True, help="Ignore all settings files."),
    relations("--isolated excludes --config"),
)
# the options that select or override settings, as arguments of `lint_settings`
lint_options = combined(
    click.option("--strict/--no-strict", default=None, help="Exit with 1 for warnings too."),
    click.option(
        "--select",
        metavar="LINTS",
        shell_complete=complete_codes,
        help="Report only findings of these lint rules: codes, code prefixes or names, separated by commas.",
    ),
    click.option(
        "--ignore", metavar="LINTS", shell_complete=complete_codes, help="Do not report findings of these lint rules."
    ),
    click.option("--baseline", type=PATH, help="Do not report the findings in this file."),
    corpus_option(required=False),
    settings_options,
)


def load_settings(start: Path, config: Path | None, *, isolated: bool) -> Settings:
    from runner.settings import Settings, load

    return Settings() if isolated else load(start if start.is_dir() else start.parent, config)


def lint_settings(
    path: str,
    stdin_path: Path,
    *,
    strict: bool | None,
    select: str | None,
    ignore: str | None,
    baseline: Path | None,
    corpus: tuple[Path, ...],
    config: Path | None,
    isolated: bool,
) -> LintSettings:
    from fictdsl.lint.engine import Selection

    settings = load_settings(stdin_path if path == "-" else Path(path), config, isolated=isolated)

    def selectors(key: str, option_value: str | None) -> tuple[str, ...]:
        return settings.strings("lint", key) if option_value is None else _selectors(key, option_value)

    return LintSettings(
        settings.flag("lint", "strict") if strict is None else strict,
        Selection(selectors("select", select), selectors("ignore", ignore)),
        settings.strings("lint", "exclude"),
        settings.folder,
        baseline or settings.path("lint", "baseline"),
        corpus or tuple(filter(None, [settings.path("lint", "corpus")])),
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
    settings_by_key = {(section, key): settings.value(section, key) for section, keys in KEYS.items() for key in keys}
    values = [json.dumps(value, ensure_ascii=False) for value in settings_by_key.values()]
    names = [f"{section}.{key}" for section, key in settings_by_key]
    name_width, value_width = (max(map(len, column)) for column in (names, values))
    for name, value, place in zip(names, values, settings_by_key, strict=True):
        print_message(f"{name:<{name_width}} = {value:<{value_width}}  {settings.origin(*place)}")
    return OK
