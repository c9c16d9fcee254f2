"""The normal form of comparisons of numbers of words, and when they hold whatever the words are."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fictdsl.reference.predicates import sum_comparison
from fictdsl.reference.sentences import Sentence, Word
from fictdsl.syntax import nodes
from fictdsl.syntax.walk import NormalSum, normal_sum
from tests.support.reading import module
from tests.support.strategies.blocks import BlockMaker
from tests.support.strategies.rng import Rng


def comparison(text: str) -> nodes.SumComparison:
    (definition,) = module(f"filter f {{ match {{ {text} }} }}").file.items
    assert isinstance(definition, nodes.FilterDef)
    (clause,) = definition.match.clauses
    assert isinstance(clause, nodes.SumComparison)
    return clause


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("distance(B, A) > 5", NormalSum({("A", "B"): 1}, ">", 5)),
        ("length(span(A, B)) > 5", NormalSum({("A", "B"): 1}, ">", 4)),
        ("length(subtree(A)) - 1 >= -2 + length(subtree(B))", NormalSum({("A",): 1, ("B",): -1}, ">=", -1)),
        ("distance(A, B) + distance(B, A) = length(span(A, B))", NormalSum({("A", "B"): 1}, "=", 1)),
        ("distance(A, B) < length(span(A, B))", NormalSum({}, "<", 1)),
    ],
)
def test_each_measure_stands_once_and_the_constant_on_the_right(text: str, expected: NormalSum) -> None:
    assert normal_sum(comparison(text)) == expected


@pytest.mark.parametrize(
    ("text", "holds", "holds_of_one_word"),
    [
        ("distance(A, B) >= 1", True, None),
        ("distance(A, B) < 1", False, None),
        ("distance(A, B) >= 0", True, True),
        ("distance(A, B) != 0", True, None),
        ("distance(A, B) = 0", False, None),
        ("distance(A, B) <= 1", None, None),
        ("length(span(A, B)) < 2", False, None),
        ("length(subtree(A)) > 0", True, True),
        ("length(subtree(A)) + length(subtree(B)) <= 1", False, False),
        ("length(subtree(A)) - distance(A, B) > 9", None, None),
        ("distance(A, B) - distance(B, A) = 0", True, True),
        ("length(span(A, B)) = distance(A, B)", False, False),
    ],
)
def test_what_holds_whatever_the_words_are(text: str, holds: bool | None, holds_of_one_word: bool | None) -> None:
    normal = normal_sum(comparison(text))
    assert normal.truth() is holds
    assert normal.truth({frozenset("AB")}) is holds_of_one_word


def a_comparison(seed: int) -> nodes.SumComparison:
    clause = BlockMaker(Rng.seeded(seed), None)._sums("AB")  # type: ignore[arg-type]
    assert isinstance(clause, nodes.SumComparison)
    return clause


@given(st.integers(0, 10**9), st.integers(1, 6), st.randoms())
def test_the_normal_form_agrees_with_the_reference(seed: int, length: int, random) -> None:  # type: ignore[no-untyped-def]
    """On every pair of words of a random tree: the value, and what holds whatever the words are."""
    heads = [0, *(random.randrange(1, number) for number in range(2, length + 1))]
    sentence = Sentence(tuple(Word(number, "w", head=head) for number, head in enumerate(heads, 1)))
    clause = a_comparison(seed)
    normal, holds = normal_sum(clause), sum_comparison(clause, ("A", "B"))
    for first, second in product(sentence.words, repeat=2):
        found = holds(sentence, first, second)
        may_coincide = {frozenset("AB")} if first is second else set()
        assert normal.truth(may_coincide) in (found, None)
        if (distances := normal.distances()) is not None and found:
            _, _, low, high = distances
            assert low <= abs(first.id - second.id) <= high
