"""Options for the resources of cells on a cluster."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from runner.cli.options.numbers import BoundedFloat, BoundedInt, Count, Workers

if TYPE_CHECKING:
    from runner.execute.launch.slurm_text import Resources

F = TypeVar("F", bound=Callable[..., Any])


def cluster_options(command: F) -> F:
    """Add the options for resources, which `resources_of` takes as arguments."""
    for option in (
        click.option(
            "--slurm", metavar="KEY=VALUE", multiple=True, help="sbatch option, such as account=lab. May be repeated."
        ),
        click.option("--gpus", type=Workers(0), default=0, help="GPUs per cell."),
        click.option("--cpus", type=Workers(), default=1, show_default=True, help="CPUs per cell."),
        click.option(
            "--memory",
            type=BoundedFloat(0, 1_000_000, "no machine has a petabyte", min_open=True),
            default=4.0,
            show_default=True,
            help="Memory per cell in GB.",
        ),
        click.option(
            "--time",
            "minutes",
            type=BoundedInt(1, 525_600, "a year"),
            default=1440,
            show_default=True,
            help="Time limit per cell in minutes.",
        ),
        click.option("--partition", help="Slurm partition [default: that of the site]."),
        click.option(
            "--parallel", type=Count(1), default=32, show_default=True, help="Maximum number of concurrent cells."
        ),
    ):
        command = option(command)
    return command


def resources_of(
    partition: str | None, minutes: int, memory: float, cpus: int, gpus: int, parallel: int, slurm: tuple[str, ...]
) -> Resources:
    """Return the resources of a cell. Raises BadParameter if a --slurm option is not KEY=VALUE."""
    from runner.execute.launch.slurm_text import Resources

    for option in slurm:
        key, _, value = option.partition("=")
        if not (key.lstrip("-") and value) or "\n" in option:
            raise click.BadParameter(f"`{option}` is not KEY=VALUE", param_hint="--slurm")
    sbatch_options = {key.lstrip("-"): value for key, _, value in (option.partition("=") for option in slurm)}
    return Resources(minutes, partition, memory, gpus, cpus, parallel, sbatch_options)
