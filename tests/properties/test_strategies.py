"""The strategies reach the whole language, and draw what they promise: trees, and filters without errors."""

from __future__ import annotations

import pytest
from hypothesis import given

from fictdsl.reference.sentences import Sentence
from tests.support.constructs import CONSTRUCTS, constructs
from tests.support.engines import compiled
from tests.support.strategies.filters import Project, make_project, projects
from tests.support.strategies.rng import Rng
from tests.support.strategies.sentences import SHAPES, make_sentence, sentences, shapes


@given(sentences())
def test_sentences_are_trees(sentence: Sentence) -> None:
    assert [word.id for word in sentence.words] == list(range(1, len(sentence.words) + 1))
    assert sum(word.head == 0 for word in sentence.words) == 1
    for word in sentence.words:
        above, steps = word.head, 0
        while above:
            above, steps = sentence.words[above - 1].head, steps + 1
            assert steps < len(sentence.words), "a cycle"


@given(projects())
def test_filters_pass_every_check(project: Project) -> None:
    """The limits included: no drawn filter has too many nodes, or too many readings."""
    assert compiled(project)


@pytest.mark.long
def test_every_construct_is_drawn() -> None:
    """A construct that is new in the language belongs into the strategies; nothing else will compare it."""
    found: set[str] = set()
    for number in range(20_000):
        found |= constructs(make_project(Rng.seeded(number)).files())
        if found >= CONSTRUCTS:
            break
    assert found == CONSTRUCTS


def test_every_shape_of_a_sentence_is_drawn() -> None:
    found = {name for number in range(500) for name in shapes(make_sentence(Rng.seeded(number)))}
    assert found == set(SHAPES)
