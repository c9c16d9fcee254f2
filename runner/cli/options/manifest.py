"""Options of commands that take a manifest, and the plan of the manifest."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from runner.cli.options.relations import option
from runner.device import PATTERN

if TYPE_CHECKING:
    from runner.execute.records.cache import Cache
    from runner.steps.plan import Plan

F = TypeVar("F", bound=Callable[..., Any])

FOLDER = click.Path(path_type=Path, file_okay=False)


def manifest_options(command: F) -> F:
    """Add MANIFEST, --data, --allow, --output and --cache."""
    return folder_options(click.argument("manifest", type=click.Path(path_type=Path, dir_okay=False))(command))


def manifest_inputs(command: F) -> F:
    """Add MANIFEST, --data, --allow and --cache."""
    return _input_options(click.argument("manifest", type=click.Path(path_type=Path, dir_okay=False))(command))


def folder_options(command: F) -> F:
    """Add --data, --allow, --output and --cache."""
    return _input_options(
        click.option("--output", type=FOLDER, help="Directory of this run [default: runs/NAME].")(command),
        default_cache=".cache beside the directory of this run: runs/.cache",
    )


def _input_options(command: F, default_cache: str = "runs/.cache") -> F:
    for add in (
        click.option(
            "--cache", type=FOLDER, envvar="FICTC_CACHE", help=f"Cache of finished steps [default: {default_cache}]."
        ),
        click.option(
            "--allow",
            type=FOLDER,
            multiple=True,
            help="Additional directory that the manifest may read. May be repeated.",
        ),
        click.option("--data", type=FOLDER, help="Directory that ${data} refers to in the manifest."),
    ):
        command = add(command)
    return command


def related_device_option(**relations: str) -> Callable[[F], F]:
    """Return a decorator that adds --device with relations."""
    return option(
        "--device",
        callback=_check_device,
        metavar="DEVICE",
        help="cpu, mps, cuda, cuda:1 for one of several GPUs, or auto for a GPU if there is one [default: that of the "
        "manifest, or auto].",
        **relations,
    )


def _check_device(_context: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    if value is not None and not re.fullmatch(PATTERN, value):
        raise click.BadParameter(f"`{value}` is not cpu, mps, cuda, cuda:N or auto")
    return value


device_option = related_device_option()


def check_exists(path: Path) -> None:
    """Raise InputError (FICT890) if `path` does not exist and is not the name of a manifest (`.toml`)."""
    from fictdsl.diagnostics.codes import diagnostic
    from fictdsl.diagnostics.suggest import nearest
    from runner.errors import InputError

    if not path.exists() and path.suffix != ".toml":
        name = nearest(path.name, sorted(folder.name for folder in path.parent.glob("*") if folder.is_dir()))
        hint = f"the nearest folder is {path.parent / name}" if name else None
        raise InputError(diagnostic("FICT890", path=path, what="folder of a run", hint=hint))


def load_plan(
    manifest: Path,
    data: Path | None,
    allow: tuple[Path, ...],
    output: Path | None,
    cache: Path | None,
    device: str | None = None,
) -> tuple[Plan, Cache, Path]:
    """Return the plan of a manifest, the cache and the folder of the run. Raises InputError with all mistakes.

    `device` replaces the device of all models.
    """
    from runner.execute.planned import plan_of
    from runner.manifest.load import read_draft

    return plan_of(read_draft(manifest), data, allow, output, cache, device)
