"""Guesses of how rare a test is: only their order counts."""

from __future__ import annotations

import pytest

from fictdsl.plan.build import combined_selectivity, join_order, selectivity
from fictdsl.schema import Layout
from fictdsl.semantics import ir
from tests.unit.fictdsl.semantics.test_lower import lowered

WORD = ir.OneOf(ir.Column("lemma"), ("not",))
NOUN = ir.OneOf(ir.Column("upos"), ("NOUN",))


def test_words_are_rarer_than_parts_of_speech() -> None:
    assert (
        selectivity(WORD)
        < selectivity(ir.OneOf(ir.Column("lemma"), tuple("abcdef")))
        < selectivity(NOUN)
        < selectivity(ir.Not(NOUN))
        < 1
    )


def test_combinations() -> None:
    assert selectivity(ir.All((NOUN, WORD))) < selectivity(WORD) < selectivity(ir.Any((NOUN, WORD)))
    assert selectivity(ir.All(())) == 1
    assert selectivity(ir.Any(())) == 0


class Counted:
    """Counts of a corpus of 1,000 words."""

    def count(self, column: str, value: str) -> int | None:
        known = {("form_l", "dog"): 20, ("lemma_l", "dog"): 30, ("deprel", "nsubj"): 80, ("feat_Case", "Nom"): 50}
        return known.get((column, value), 0) if column != "xpos" else None


COUNTED = Layout(words=1000, counts=Counted())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A[lemma = dog]", 0.03),
        ("A[form = Dog]", 0.02),
        ("A[lower(form) in {dog, cat}]", 0.02),
        ("A[Case = Nom]", 0.05),
        ("A[deprel = nsubj]", 0.08),
        ("A[deprel != nsubj]", 0.92),
        ('A[phrase = "a dog"]', 0.02),
        ("A[lemma = dog, Case = Nom]", 0.0015),
        ("A[lemma = unicorn]", 0),
        ("A[xpos = NN]", 0.001),
    ],
)
def test_a_store_tells_by_its_counts(text: str, expected: float) -> None:
    (reading,) = lowered(text).ir.readings
    tests = [part.test for part in reading.conjunction.conditions if isinstance(part, ir.Tested)]
    assert combined_selectivity(tests, COUNTED) == pytest.approx(expected)


def test_of_a_long_list_some_are_asked_for() -> None:
    asked: list[str] = []

    class Asked:
        def count(self, _: str, value: str) -> int:
            asked.append(value)
            return 1

    words = tuple(map(str, range(480)))
    found = selectivity(ir.OneOf(ir.Column("form_l"), words), Layout(words=1000, counts=Asked()))
    assert found == pytest.approx(0.48)
    assert len(asked) <= 12


def test_what_hangs_together_is_joined_before_what_does_not() -> None:
    shares = {0: 0.01, 1: 0.02, 2: 1.0}
    assert join_order(shares, set(), [ir.Edge(0, 2)]) == [0, 2, 1]
    assert join_order(shares, set(), [ir.Distinct(0, 2)]) == [0, 1, 2]
    assert join_order(shares, {7}, [ir.Edge(7, 2)]) == [2, 0, 1]
