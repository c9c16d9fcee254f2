"""What a project has set and what the command line says instead, into what `fictc lint` goes by."""

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
class Chosen:
    """The settings of one run; the patterns of `exclude` are relative to `root`."""

    strict: bool
    selection: Selection
    exclude: tuple[str, ...]
    root: Path
    baseline: Path | None
    corpus: Path | None


def settings_options(command: Command) -> Command:
    """Add the options that say where settings are read from."""
    file = click.Path(path_type=Path)
    command = click.option("--isolated", is_flag=True, help="Read no settings.")(command)
    return click.option("--config", metavar="FILE", type=file, help="Read the settings from this file.")(command)


def settings_of(start: Path, config: Path | None, *, isolated: bool) -> Settings:
    """The settings in a file that is named, or the nearest from a path upwards, or none."""
    from runner.settings import Settings, load

    if isolated and config is not None:
        raise click.UsageError("--isolated reads no settings and --config names some: one of them.")
    return Settings() if isolated else load(start if start.is_dir() else start.parent, config)


def chosen(path: str, stdin: Path, config: Path | None, *, isolated: bool, given: Mapping[str, Any]) -> Chosen:
    """The settings for the first path of the command line, with what was `given` there in their place."""
    from fictdsl.lint.selection import Selection

    settings = settings_of(stdin if path == "-" else Path(path), config, isolated=isolated)

    def either(key: str, other: object) -> Any:
        return other if given[key] is None else given[key]

    def selectors(key: str) -> tuple[str, ...]:
        return settings.texts("lint", key) if given[key] is None else _selectors(key, cast("str", given[key]))

    return Chosen(
        either("strict", settings.flag("lint", "strict")),
        Selection(selectors("select"), selectors("ignore")),
        settings.texts("lint", "exclude"),
        settings.folder,
        either("baseline", settings.path("lint", "baseline")),
        either("corpus", settings.path("lint", "corpus")),
    )


def _selectors(option: str, written: str) -> tuple[str, ...]:
    from fictdsl.lint.selection import unknown

    found = tuple(part.strip() for part in written.split(",") if part.strip())
    if wrong := unknown(found):
        hint = f" ({wrong[1]})" if wrong[1] else ""
        raise click.BadParameter(f"`{wrong[0]}` means no lint{hint}", param_hint=f"--{option}")
    return found
