"""The strategies reach the whole language, and draw what they promise: trees, and filters without errors."""

from __future__ import annotations

from dataclasses import is_dataclass
from inspect import getmembers

from hypothesis import given

from fictdsl.reference.sentence import Sentence
from fictdsl.syntax import nodes
from tests.support.engines import compiled
from tests.support.strategies.dice import Dice
from tests.support.strategies.filters import Project, constructs, make_project, projects
from tests.support.strategies.sentences import sentences

CONSTRUCTS = {name for name, value in getmembers(nodes, is_dataclass)} - {"Span", "Targets"}

ACTIONS = {
    *("remove sentence", "keep sentence", "count sentence", "several actions"),
    *(f"{verb} {target}" for verb in ("remove", "mask", "count") for target in ("node", "subtree", "span")),
    *(f"mask with {what}" for what in ("nothing said", "a string", "upos", "xpos", "deprel")),
}


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
    assert compiled(project)


def test_every_construct_is_drawn() -> None:
    """A construct that is new in the syntax tree belongs into the strategies; nothing else will compare it."""
    found = {name for number in range(500) for name in constructs(make_project(Dice.rolled(number)))}
    assert {name for name in found if name[0].isupper()} == CONSTRUCTS
    assert found >= ACTIONS
