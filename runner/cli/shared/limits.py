"""`--memory`, `--threads`, `--spill` and `--timeout`: what the queries of a command may take."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from runner.cli.shared.numbers import MOST_PROCESSES, Real, Whole
from runner.corpus.store.limits import Limits

_UNITS = {"": 1, "K": 1_000, "M": 1_000_000, "G": 1_000_000_000, "T": 1_000_000_000_000}
_LEAST = 16_000_000  # bytes; below it the database does not even start


class Size(click.ParamType["int"]):
    """An amount of memory such as `2GB`, `512MB`, `1.5G` or `60%` of what the process may use; gives bytes."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number of bytes; a usage error for what is none."""
        from runner.corpus.store.limits import available_memory

        if isinstance(value, int):
            return value
        found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(?:(%)|([KMGT]?)(?:i?B)?)", str(value).strip(), re.IGNORECASE)
        if found is None:
            self.fail(f"{value!r} is no amount of memory, such as 2GB, 512MB or 60%", param, ctx)
        share = available_memory() / 100 if found[2] else _UNITS[found[3].upper()]
        amount = int(float(found[1]) * share)
        if amount < _LEAST:
            self.fail(f"{value!r} is too little; it should be 16MB or more", param, ctx)
        return amount


def limits_options(timeout: float = 0.0) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that adds the options, which arrive together as `limits`; `timeout` is the default of one."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @click.option(
            "--memory",
            type=Size(),
            metavar="SIZE",
            help="The memory that the database may use, such as 2GB [default: 60% of what this process may use].",
        )
        @click.option(
            "--threads", type=Whole(1, MOST_PROCESSES), metavar="N", help="Threads [default: one for each processor]."
        )
        @click.option(
            "--spill",
            type=click.Path(path_type=Path, file_okay=False),
            metavar="FOLDER",
            help="Directory for temporary files when a query does not fit into memory "
            "[default: the system's temporary folder].",
        )
        @click.option(
            "--timeout",
            type=Real(0),
            default=timeout,
            show_default=True,
            metavar="SECONDS",
            help="Seconds that each query may take; 0 is no limit.",
        )
        @wraps(command)
        def collected(
            *, memory: int | None, threads: int | None, spill: Path | None, timeout: float, **options: object
        ) -> Any:
            return command(limits=Limits(memory, threads, timeout, spill), **options)

        return collected

    return decorate
