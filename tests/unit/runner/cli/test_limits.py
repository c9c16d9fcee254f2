"""Sizes of `--memory`: units, shares, and values that DuckDB cannot hold."""

from __future__ import annotations

import click
import pytest

from runner.cli.query_options import Size
from runner.corpus import limits


@pytest.mark.parametrize(
    ("value", "size"),
    [
        ("2GB", 2 * 10**9),
        ("512m", 512 * 10**6),
        ("1.5 G", 1_500_000_000),
        ("50%", 10**9),
        ("2GiB", 2 * 2**30),
        ("20000 kib", 20_000 * 2**10),
        ("1000TB", 10**15),
    ],
)
def test_sizes(value: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "available_memory", lambda: 2 * 10**9)
    assert Size().convert(value, None, None) == size


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("2 cups", "is not a size"),
        ("15MB", "too small"),
        ("1001TB", "too large"),
        ("9" * 400, "too large"),
        ("150%", "is more than the available memory"),
    ],
)
def test_sizes_outside_the_range_are_refused(value: str, reason: str) -> None:
    with pytest.raises(click.BadParameter, match=reason):
        Size().convert(value, None, None)
