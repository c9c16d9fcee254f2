"""Options that every command on a manifest takes, and the plan they lead to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from runner.readers import real_path

if TYPE_CHECKING:
    from runner.execute.records.cache import Cache
    from runner.steps.plan import Plan

F = TypeVar("F", bound=Callable[..., Any])

FOLDER = click.Path(path_type=Path, file_okay=False)


def manifest_options(command: F) -> F:
    """MANIFEST, --data, --allow, --output and --cache."""
    return place_options(click.argument("manifest", type=click.Path(path_type=Path, dir_okay=False))(command))


def place_options(command: F) -> F:
    """--data, --allow, --output and --cache."""
    for option in (
        click.option("--cache", type=FOLDER, envvar="FICTC_CACHE", help="Folder of finished steps [runs/.cache]."),
        click.option("--output", type=FOLDER, help="Folder of this run [runs/NAME]."),
        click.option("--allow", type=FOLDER, multiple=True, help="Another folder that the manifest may read."),
        click.option("--data", type=FOLDER, help="The folder that ${data} stands for in the manifest."),
    ):
        command = option(command)
    return command


def plan_of(
    manifest: Path, data: Path | None, allow: tuple[Path, ...], output: Path | None, cache: Path | None
) -> tuple[Plan, Cache, Path]:
    """The plan of a manifest, the cache and the run's folder. Raises InputError with every mistake found."""
    from runner.execute.collect.card import DECISIVE, versions_of
    from runner.execute.records.cache import Cache
    from runner.manifest.load import read_draft
    from runner.steps.paths import Roots
    from runner.steps.plan import build_plan
    from runner.steps.resolve import resolve

    draft = read_draft(manifest)
    plan = build_plan(resolve(draft, Roots.of(draft.folder, data, allow)), versions_of(DECISIVE))
    out = output or Path("runs") / plan.resolved.manifest.experiment.name
    return plan, Cache(real_path(cache or out.parent / ".cache")), real_path(out)
