"""Conditions at amounts as lines."""

from runner.report.charts import split_series


def test_different_amounts_are_one_line_from_the_base() -> None:
    assert split_series({"one": 1.0, "full": 0.0, "two": 2.0}, "full") == {"": ("full", "one", "two")}
    assert split_series({"one": 1.0, "two": 2.0}, "full") == {"": ("one", "two")}


def test_names_that_differ_in_numbers_are_a_line() -> None:
    amounts = {"full": 0.0, "xpos-0.1": 0.1, "upos-0.1": 0.1, "xpos-0.2": 0.2}
    assert split_series(amounts, "full") == {"xpos": ("full", "xpos-0.1", "xpos-0.2"), "upos": ("full", "upos-0.1")}


def test_else_each_condition_stands_alone() -> None:
    assert split_series({"a-1": 0.1, "a-2": 0.1, "b": 0.2}) == {"a-1": ("a-1",), "a-2": ("a-2",), "b": ("b",)}


def test_the_base_is_beside_no_condition_of_its_amount() -> None:
    assert split_series({"full": 0.0, "plain": 0.0, "tags": 0.1}, "full") == {"": ("plain", "tags"), "full": ("full",)}
