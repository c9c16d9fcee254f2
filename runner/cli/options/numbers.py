"""Types of numeric options. Values are finite, and small enough for DuckDB and PyTorch."""

from __future__ import annotations

import math
from typing import Any

import click

MAX_NUMBER = 2**31 - 1
MAX_PROCESSES = 1024


class BoundedInt(click.IntRange):
    """An integer in a range, at most `MAX_NUMBER`."""

    def __init__(self, min: int = 0, max: int = MAX_NUMBER) -> None:  # noqa: A002 - named as in click
        super().__init__(min, max)


class BoundedFloat(click.FloatRange):
    """A finite number in a range, at most `MAX_NUMBER`."""

    def __init__(self, min: float = 0, *, min_open: bool = False) -> None:  # noqa: A002 - named as in click
        super().__init__(min, MAX_NUMBER, min_open=min_open)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number. Fails for NaN, which passes every bound."""
        number: float = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is not a number.", param, ctx)
        return number
