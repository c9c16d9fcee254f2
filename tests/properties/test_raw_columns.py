"""Over a table of the columns of CoNLL-U alone, filters find what they find in a store."""

from __future__ import annotations

import pytest
from hypothesis import given, note

from fictdsl.compiler import CompiledFilter
from fictdsl.plan.layout import RAW
from fictdsl.plan.raw import missing
from fictdsl.plan.verify import verify
from fictdsl.reference.sentence import Sentence
from tests.cases.test_language import CASES, Case
from tests.support.engines import by_reference, by_sql, compiled
from tests.support.strategies.filters import Project, projects
from tests.support.strategies.sentences import treebanks
from tests.support.tables import conllu_table


def check(each: CompiledFilter, treebank: list[Sentence]) -> None:
    verify(each.plan_for(RAW))
    assert each.statement(layout=RAW).features == ()
    with conllu_table(treebank) as connection:
        assert by_sql(connection, each, RAW) == by_reference(each, treebank)


@pytest.mark.parametrize("case", CASES, ids=[f"{case.path.stem}: {case.title}" for case in CASES])
def test_every_construct(case: Case) -> None:
    if not missing(case.compiled.ir):
        check(case.compiled, list(case.trees.values()))


@given(projects(), treebanks())
def test_generated_filters(project: Project, treebank: list[Sentence]) -> None:
    note(project.text())
    for each in compiled(project):
        if not missing(each.ir):
            note(each.statement(layout=RAW).text)
            check(each, treebank)
