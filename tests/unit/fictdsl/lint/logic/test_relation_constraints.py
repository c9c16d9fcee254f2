"""Relations that no tree and no order satisfies."""

from __future__ import annotations

from fictdsl.lint.logic.relation_constraints import Known


def test_order() -> None:
    known = Known()
    known.distance("a", "b", 2, 3)
    known.distance("b", "c", 1, 1)
    assert known.contradiction() is None
    far = known.copy()
    far.distance("a", "c", 5)
    assert far.contradiction() == ": a word would stand before itself"
    known.distance("a", "c", 4)
    assert known.contradiction() is None


def test_two_nodes_in_one_place() -> None:
    known = Known()
    known.distance("a", "b", 2, 2)
    known.distance("a", "c", 1, 2)
    known.distance("m", "c", 1, 1)
    known.distance("a", "m", 1)
    assert known.contradiction() == ": `b` and `c` would be the same word"
    known.may_coincide = frozenset({frozenset("bc")})
    assert known.contradiction() is None


def test_a_word_between_takes_a_side_once_the_ends_have_theirs() -> None:
    known = Known()
    known.between = [("m", "a", "b"), ("a", "m", "z")]
    known.names = set("mabz")
    assert known.contradiction() is None
    known.distance("a", "b", 1)  # so a < m < b, and z < a < m
    assert known.contradiction() is None
    known.distance("a", "z", 1)
    assert known.contradiction() is not None


def test_heads_and_circles() -> None:
    known = Known()
    assert known.head("a", "b") is None
    assert known.head("a", "b") is None
    assert known.head("c", "b") == ": `b` would have two heads, `a` and `c`"
    known = Known()
    known.head("a", "b")
    known.above_or_same.add(("b", "c"))
    known.names.add("c")
    known.siblings.add(("c", "a"))
    assert known.contradiction() is not None
    known.siblings.clear()
    assert known.contradiction() is None
    known.above_or_same.add(("c", "a"))
    assert known.contradiction() is not None


def test_a_copy_is_apart() -> None:
    known = Known()
    known.distance("a", "b", 1)
    other = known.copy()
    other.distance("b", "a", 1)
    assert other.contradiction() is not None
    assert known.contradiction() is None
