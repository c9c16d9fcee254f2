"""Types of options that are numbers: finite, and of a size that the packages underneath can hold."""

from __future__ import annotations

import math
from typing import Any

import click

MOST = 2**31 - 1
MOST_PROCESSES = 1024


class Whole(click.IntRange):
    """An integer between two bounds, at most `MOST`."""

    def __init__(self, min: int = 0, max: int = MOST) -> None:  # noqa: A002 - as click calls them
        super().__init__(min, max)


class Real(click.FloatRange):
    """A finite number between two bounds, at most `MOST`."""

    def __init__(self, min: float = 0, *, min_open: bool = False) -> None:  # noqa: A002 - as click calls them
        super().__init__(min, MOST, min_open=min_open)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Refuse what is not a number, which no bound does."""
        number: float = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is not a number.", param, ctx)
        return number
