"""Relations that no tree and no order satisfies."""

from __future__ import annotations

from fictdsl.lint.rules.impossible_relations import RelationConstraints


def test_order() -> None:
    constraints = RelationConstraints()
    constraints.add_distance("a", "b", 2, 3)
    constraints.add_distance("b", "c", 1, 1)
    assert constraints.contradiction() is None
    far = constraints.copy()
    far.add_distance("a", "c", 5)
    assert far.contradiction() == ": a word would be before itself"
    constraints.add_distance("a", "c", 4)
    assert constraints.contradiction() is None


def test_two_nodes_in_one_place() -> None:
    constraints = RelationConstraints()
    constraints.add_distance("a", "b", 2, 2)
    constraints.add_distance("a", "c", 1, 2)
    constraints.add_distance("m", "c", 1, 1)
    constraints.add_distance("a", "m", 1)
    assert constraints.contradiction() == ": `b` and `c` would be the same word"
    constraints.may_coincide = frozenset({frozenset("bc")})
    assert constraints.contradiction() is None


def test_a_word_between_takes_a_side_once_the_ends_have_theirs() -> None:
    constraints = RelationConstraints()
    constraints.between = [("m", "a", "b"), ("a", "m", "z")]
    constraints.names = set("mabz")
    assert constraints.contradiction() is None
    constraints.add_distance("a", "b", 1)  # so a < m < b, and z < a < m
    assert constraints.contradiction() is None
    constraints.add_distance("a", "z", 1)
    assert constraints.contradiction() is not None


def test_heads_and_circles() -> None:
    constraints = RelationConstraints()
    assert constraints.add_head("a", "b") is None
    assert constraints.add_head("a", "b") is None
    assert constraints.add_head("c", "b") == ": `b` would have two heads, `a` and `c`"
    constraints = RelationConstraints()
    constraints.add_head("a", "b")
    constraints.above_or_same.add(("b", "c"))
    constraints.names.add("c")
    constraints.siblings.add(("c", "a"))
    assert constraints.contradiction() is not None
    constraints.siblings.clear()
    assert constraints.contradiction() is None
    constraints.above_or_same.add(("c", "a"))
    assert constraints.contradiction() is not None


def test_a_copy_is_apart() -> None:
    constraints = RelationConstraints()
    constraints.add_distance("a", "b", 1)
    other = constraints.copy()
    other.add_distance("b", "a", 1)
    assert other.contradiction() is not None
    assert constraints.contradiction() is None
