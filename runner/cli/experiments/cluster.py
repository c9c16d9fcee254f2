"""Options that say what the cells of a run may use of a cluster."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from runner.cli.shared.numbers import Real, Whole

if TYPE_CHECKING:
    from runner.execute.launch.slurm_text import Resources

F = TypeVar("F", bound=Callable[..., Any])


def cluster_options(command: F) -> F:
    """--cluster and what each cell asks for there; `resources_of` takes all but the first."""
    for option in (
        click.option("--slurm", metavar="KEY=VALUE", multiple=True, help="Another option of sbatch: account=lab."),
        click.option("--gpus", type=click.IntRange(0), default=0, help="GPUs of a cell."),
        click.option("--cpus", type=Whole(1), default=1, show_default=True, help="CPUs of a cell."),
        click.option(
            "--memory", type=Real(min_open=True), default=4.0, show_default=True, help="Memory of a cell in GB."
        ),
        click.option("--time", "minutes", type=Whole(1), default=1440, show_default=True, help="Minutes."),
        click.option("--partition", help="The partition of Slurm [the site's default]."),
        click.option("--parallel", type=Whole(1), default=32, show_default=True, help="Most cells at once."),
        click.option(
            "--cluster", type=click.Choice(["slurm"]), help="Run the cells there rather than on this machine."
        ),
    ):
        command = option(command)
    return command


def resources_of(
    partition: str | None, minutes: int, memory: float, cpus: int, gpus: int, parallel: int, slurm: tuple[str, ...]
) -> Resources:
    """What the options say of the resources of a cell."""
    from runner.execute.launch.slurm_text import Resources

    for given in slurm:
        if not given.partition("=")[2]:
            raise click.BadParameter(f"`{given}` is not KEY=VALUE", param_hint="--slurm")
    more = {key.lstrip("-"): value for key, _, value in (given.partition("=") for given in slurm)}
    return Resources(minutes, partition, memory, gpus, cpus, parallel, more)
