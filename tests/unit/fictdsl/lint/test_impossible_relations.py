"""Relations that no tree and no order satisfies."""

from __future__ import annotations

from itertools import combinations

import pytest

from fictdsl.compiler import compile_text
from fictdsl.lint.engine import lint_module
from fictdsl.lint.rules.impossible_relations import RelationConstraints


@pytest.mark.parametrize(
    ("comparison", "impossible"),
    [("D.id = B.id", False), ("D.id <= B.id", False), ("D.id < B.id", False), ("A.id = B.id", True)],
)
def test_equal_ids_are_impossible_of_two_words_only(comparison, impossible):
    module = compile_text(f"fict 1\nfilter f {{ match {{ A -> B  D ->>{{0..}} B  {comparison} }} }}").module
    assert ("FICT515" in {problem.code for problem in lint_module(module)}) is impossible


def test_parameters_of_a_pattern_may_be_one_word():
    call = "filter f { match { A -> B  A may be C  same(A, C) } }"
    module = compile_text(f"fict 1\npattern same(A, B) {{ A.id = B.id  A -> X  X.id != A.id }} {call}").module
    assert "FICT515" not in {problem.code for problem in lint_module(module)}


@pytest.mark.timeout(30)
def test_many_relations_are_checked_at_once():
    triples = list(combinations([f"N{number}" for number in range(30)], 3))[:1500]
    relations = "  ".join(f"{middle} between {left} and {right}" for left, middle, right in triples)
    module = compile_text(f"fict 1\nfilter f {{ match {{ {relations} }} }}").module
    assert "FICT515" not in {problem.code for problem in lint_module(module)}


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
