"""Options for the resources of cells on a cluster."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import click

from runner.cli.options.numbers import BoundedFloat, BoundedInt, Count, Workers
from runner.cli.options.relations import option

if TYPE_CHECKING:
    from runner.execute.launch.slurm_text import Resources

F = TypeVar("F", bound=Callable[..., Any])


_cluster_option = partial(option, requires="--emit-jobs")


def cluster_options(command: F) -> F:
    """Add the options for resources, which `resources_of` takes as arguments."""
    for add in (
        _cluster_option(
            "--slurm", metavar="KEY=VALUE", multiple=True, help="sbatch option, such as account=lab. May be repeated."
        ),
        _cluster_option("--gpus", type=Workers(0), default=0, help="GPUs per cell."),
        _cluster_option("--cpus", type=Workers(), default=1, show_default=True, help="CPUs per cell."),
        _cluster_option(
            "--memory",
            type=BoundedFloat(0, 1_000_000, "no machine has a petabyte", min_open=True),
            default=4.0,
            show_default=True,
            help="Memory per cell in GB.",
        ),
        _cluster_option(
            "--time",
            "minutes",
            type=BoundedInt(1, 525_600, "a year"),
            default=1440,
            show_default=True,
            help="Time limit per cell in minutes.",
        ),
        _cluster_option("--partition", help="Slurm partition [default: that of the site]."),
        _cluster_option(
            "--parallel", type=Count(1), default=32, show_default=True, help="Maximum number of concurrent cells."
        ),
    ):
        command = add(command)
    return command


def resources_of(
    partition: str | None, minutes: int, memory: float, cpus: int, gpus: int, parallel: int, slurm: tuple[str, ...]
) -> Resources:
    """Return the resources of a cell. Raises BadParameter if a --slurm option is not KEY=VALUE."""
    from runner.execute.launch.slurm_text import Resources

    for entry in slurm:
        key, _, value = entry.partition("=")
        if not (key.lstrip("-") and value) or "\n" in entry:
            raise click.BadParameter(f"`{entry}` is not KEY=VALUE", param_hint="--slurm")
    sbatch_options = {key.lstrip("-"): value for key, _, value in (option.partition("=") for option in slurm)}
    return Resources(minutes, partition, memory, gpus, cpus, parallel, sbatch_options)
