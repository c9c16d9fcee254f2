"""Guesses of how rare a test is: only their order counts."""

from __future__ import annotations

from fictdsl.plan.order import join_order, share
from fictdsl.semantics import ir

WORD = ir.OneOf(ir.Column("lemma"), ("not",))
NOUN = ir.OneOf(ir.Column("upos"), ("NOUN",))


def test_words_are_rarer_than_parts_of_speech() -> None:
    assert share(WORD) < share(ir.OneOf(ir.Column("lemma"), tuple("abcdef"))) < share(NOUN) < share(ir.Not(NOUN)) < 1


def test_combinations() -> None:
    assert share(ir.All((NOUN, WORD))) < share(WORD) < share(ir.Any((NOUN, WORD)))
    assert share(ir.All(())) == 1
    assert share(ir.Any(())) == 0


def test_what_hangs_together_is_joined_before_what_does_not() -> None:
    shares = {0: 0.01, 1: 0.02, 2: 1.0}
    assert join_order(shares, set(), [ir.Edge(0, 2)]) == [0, 2, 1]
    assert join_order(shares, set(), [ir.Distinct(0, 2)]) == [0, 1, 2]
    assert join_order(shares, {7}, [ir.Edge(7, 2)]) == [2, 0, 1]
