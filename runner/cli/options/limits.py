"""The options `--memory`, `--threads`, `--spill` and `--timeout`, which limit the queries of a command."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from runner.cli.options.numbers import BoundedFloat, Workers, shown_value
from runner.corpus.store.limits import Limits

_MAX_SECONDS = 31 * 24 * 3600
_POWERS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}  # of 1,000 for KB and so on, of 1,024 for KiB
_MIN_BYTES, _MAX_BYTES = 16_000_000, 10**15  # within the range that DuckDB accepts


class Size(click.ParamType["int"]):
    """A size in bytes, such as `2GB`, `512MiB`, `1.5G`, or `60%` of the memory available to the process."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number of bytes. Fails with a usage error if `value` is not a size."""
        from runner.corpus.store.limits import available_memory

        if isinstance(value, int):
            return value
        match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(?:(%)|([KMGT]?)(?:(i)?B)?)", str(value).strip(), re.IGNORECASE)
        if match is None:
            self.fail(f"{shown_value(value)} is not a size such as 2GB, 512MB or 60%", param, ctx)
        number = float(match[1])
        if match[2] and number > 100:
            self.fail(f"{shown_value(value)} is more than the available memory", param, ctx)
        size = number * (
            available_memory() / 100 if match[2] else (1024 if match[4] else 1000) ** _POWERS[match[3].upper()]
        )
        if size < _MIN_BYTES:
            self.fail(f"{shown_value(value)} is too small; the minimum is 16MB", param, ctx)
        if size > _MAX_BYTES:
            self.fail(f"{shown_value(value)} is too large; the maximum is 1000TB", param, ctx)
        return int(size)


def limits_options(timeout: float = 0.0) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that adds the options, with `timeout` as the default of `--timeout`.

    The command receives them together as `limits`.
    """

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @click.option(
            "--memory",
            type=Size(),
            metavar="SIZE",
            help="Maximum memory of the database, such as 2GB [default: 60% of the memory available to this process].",
        )
        @click.option(
            "--threads",
            type=Workers(),
            metavar="N",
            help="Number of threads [default: one per processor].",
        )
        @click.option(
            "--spill",
            type=click.Path(path_type=Path, file_okay=False),
            metavar="FOLDER",
            help="Directory for temporary files when a query does not fit into memory "
            "[default: the system's temporary directory].",
        )
        @click.option(
            "--timeout",
            type=BoundedFloat(0, _MAX_SECONDS, "a month; 0 means no limit"),
            default=timeout,
            show_default=True,
            metavar="SECONDS",
            help="Maximum seconds per query; 0 means no limit.",
        )
        @wraps(command)
        def wrapper(
            *, memory: int | None, threads: int | None, spill: Path | None, timeout: float, **options: object
        ) -> Any:
            return command(limits=Limits(memory, threads, timeout, spill), **options)

        return wrapper

    return decorate
