"""Settings of `fictc lint`: those of the project, overridden by the command line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

if TYPE_CHECKING:
    from fictdsl.lint.selection import Selection
    from runner.settings import Settings

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class LintSettings:
    """The settings of one run; the patterns of `exclude` are relative to `root`."""

    strict: bool
    selection: Selection
    exclude: tuple[str, ...]
    root: Path
    baseline: Path | None
    corpus: Path | None


def settings_options(command: Command) -> Command:
    """Add the options that select the settings file."""
    file = click.Path(path_type=Path)
    command = click.option("--isolated", is_flag=True, help="Ignore all settings files.")(command)
    return click.option("--config", metavar="FILE", type=file, help="Read settings from this file.")(command)


def settings_of(start: Path, config: Path | None, *, isolated: bool) -> Settings:
    """Return the settings of `config`, or of the nearest file from `start` upwards; defaults if `isolated`."""
    from runner.settings import Settings, load

    if isolated and config is not None:
        raise click.UsageError("--isolated and --config exclude each other.")
    return Settings() if isolated else load(start if start.is_dir() else start.parent, config)


def lint_settings(
    path: str, stdin: Path, config: Path | None, *, isolated: bool, overrides: Mapping[str, Any]
) -> LintSettings:
    """Return the settings for the first path of the command line, with `overrides` from its options."""
    from fictdsl.lint.selection import Selection

    settings = settings_of(stdin if path == "-" else Path(path), config, isolated=isolated)

    def override(key: str, default: object) -> Any:
        return default if overrides[key] is None else overrides[key]

    def selectors(key: str) -> tuple[str, ...]:
        return settings.texts("lint", key) if overrides[key] is None else _selectors(key, cast("str", overrides[key]))

    return LintSettings(
        override("strict", settings.flag("lint", "strict")),
        Selection(selectors("select"), selectors("ignore")),
        settings.texts("lint", "exclude"),
        settings.folder,
        override("baseline", settings.path("lint", "baseline")),
        override("corpus", settings.path("lint", "corpus")),
    )


def _selectors(option: str, text: str) -> tuple[str, ...]:
    from fictdsl.lint.selection import first_unknown

    selectors = tuple(part.strip() for part in text.split(",") if part.strip())
    if wrong := first_unknown(selectors):
        hint = f" ({wrong[1]})" if wrong[1] else ""
        raise click.BadParameter(f"`{wrong[0]}` matches no lint rule{hint}", param_hint=f"--{option}")
    return selectors
