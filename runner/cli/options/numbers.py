"""Types of numeric options: each has a range, and a reason for it that the message of a wrong value gives.

NaN is in no range. Ranges of numbers that manifests have too are those of the manifests.
"""

from __future__ import annotations

import math
from typing import Any

import click

MAX_NUMBER = 2**31 - 1
MAX_PROCESSES = 1024
_MAX_SHOWN = 40  # characters of a wrong value


class BoundedInt(click.IntRange):
    """A whole number from `min` to `max`."""

    def __init__(self, min: int, max: int, reason: str) -> None:  # noqa: A002 - named as in click
        super().__init__(min, max)
        self.reason = reason

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number. Fails with a usage error that states the range and its reason."""
        try:
            number: int = super().convert(value, param, ctx)
        except click.BadParameter:
            expected = f"a whole number from {self.min:,} to {self.max:,}"
            self.fail(f"{shown_value(value)} is not {expected} ({self.reason}).", param, ctx)
        return number


class BoundedFloat(click.FloatRange):
    """A number from `min` to `max`, without `min` if it is open."""

    def __init__(self, min: float, max: float, reason: str, *, min_open: bool = False) -> None:  # noqa: A002 - as in click
        super().__init__(min, max, min_open=min_open)
        self.reason = reason

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number. Fails with a usage error that states the range and its reason."""
        try:
            number: float = super().convert(value, param, ctx)
        except click.BadParameter:
            number = float("nan")
        if math.isnan(number):  # it passes every bound
            bounds = f"{'above' if self.min_open else 'from'} {self.min:,} to {self.max:,}"
            self.fail(f"{shown_value(value)} is not a number {bounds} ({self.reason}).", param, ctx)
        return number


def shown_value(value: object) -> str:
    """Return a wrong value in quotation marks, shortened if it is long."""
    text = str(value)
    return repr(text if len(text) <= _MAX_SHOWN else f"{text[: _MAX_SHOWN - 1]}…")


class Count(BoundedInt):
    """A number of sentences, words, rows or pairs."""

    def __init__(self, min: int = 0) -> None:  # noqa: A002 - named as in click
        super().__init__(min, MAX_NUMBER, "a store numbers its sentences with 31 bits")


class Workers(BoundedInt):
    """A number of processes, threads or devices."""

    def __init__(self, min: int = 1) -> None:  # noqa: A002 - named as in click
        super().__init__(min, MAX_PROCESSES, "each takes memory and a processor")


SEED = BoundedInt(0, MAX_NUMBER, "random generators take 31 bits on every platform")
