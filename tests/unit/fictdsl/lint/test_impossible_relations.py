"""Comparisons of ids between nodes that `->>{0..}` lets be one word are no contradiction."""

from itertools import combinations

import pytest

from fictdsl.compiler import compile_text
from fictdsl.lint.engine import lint_module


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
