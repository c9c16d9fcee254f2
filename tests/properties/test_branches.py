"""The filters that a part is judged by are what they should be: less with a branch gone, more with a condition gone."""

from __future__ import annotations

from hypothesis import given, note

from fictdsl.branches import Variant, parts
from fictdsl.reference.evaluate import Evaluator
from fictdsl.reference.sentences import Sentence
from tests.support.engines import compiled
from tests.support.strategies.filters import Project, projects
from tests.support.strategies.sentences import treebanks


@given(projects(), treebanks())
def test_alternatives_add_up(project: Project, treebank: list[Sentence]) -> None:
    note(project.text())
    filters = compiled(project)
    for each in filters:
        whole = matching((each.module, each.definition), each.value, treebank)
        for part in parts(each.module, each.definition):
            note(f"{part.kind} {part.text}")
            removed = matching(part.removed, each.value, treebank)
            alone = [matching(variant, each.value, treebank) for variant in part.isolated]
            for found in alone:
                assert found <= whole
            if alone:
                assert removed <= whole
            if len(alone) == 1:
                assert whole == removed | alone[0]


def matching(variant: Variant, value: str | None, treebank: list[Sentence]) -> set[int]:
    evaluator = Evaluator(*variant, value)
    return {number for number, sentence in enumerate(treebank) if evaluator.holds(sentence)}
