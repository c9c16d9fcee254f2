"""Comparisons of positions as ranges of distances."""

from __future__ import annotations

import pytest

from fictdsl.translate.grew_labels import ranges_of


@pytest.mark.parametrize("op", ["<", "<=", ">", ">=", "=", "<>"])
def test_the_ranges_of_an_operator_contain_the_numbers_that_satisfy_it(op: str) -> None:
    python_op = {"=": "==", "<>": "!="}.get(op, op)
    for number in range(-3, 4):
        in_ranges = {x for low, high in ranges_of(op, number) for x in range(max(low, -9), min(high, 9) + 1)}
        assert in_ranges == {x for x in range(-9, 10) if eval(f"{x} {python_op} {number}")}


@pytest.mark.parametrize("op", ["!=", "==", ""])
def test_an_unknown_operator_is_not_taken_for_another(op: str) -> None:
    with pytest.raises(ValueError, match="unknown operator"):
        ranges_of(op, 1)
