"""A count and its noun."""

from __future__ import annotations

import pytest

from runner.counted import counted


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((0, "word"), "0 words"),
        ((1, "word"), "1 word"),
        ((2_000, "word"), "2,000 words"),
        ((1, "fix", "fixes"), "1 fix"),
        ((2, "fix", "fixes"), "2 fixes"),
    ],
)
def test_counted(arguments: tuple[int, str], expected: str) -> None:
    assert counted(*arguments) == expected
