"""Numbers into Markdown tables."""

from __future__ import annotations

from benchmarks.measure import measure_interleaved
from benchmarks.tables import cell, table, times


def test_a_table_has_numbers_on_the_right() -> None:
    assert table(["filter", "sentences", "s"], [("passive", 4224, 0.684), ("all", None, 12.0)]) == (
        "| filter | sentences | s |\n|---|--:|--:|\n| passive | 4,224 | 0.68 |\n| all |  | 12.0 |\n"
    )


def test_numbers_have_the_digits_that_count() -> None:
    assert [cell(value) for value in (1234.5, 123.4, 12.34, 1.234, 0.01234, 0.0, 7)] == (
        ["1,234", "123", "12.3", "1.23", "0.0123", "0", "7"]
    )
    assert times(14) == "14.0×"


def test_ways_take_turns_and_the_first_round_is_not_counted() -> None:
    order: list[str] = []
    ways = {name: (lambda name=name: order.append(name) or len(order)) for name in ("one", "two")}
    found = measure_interleaved(ways, 2)
    assert order == ["one", "two"] * 3
    assert (found["one"].result, found["two"].result) == (5, 6)
