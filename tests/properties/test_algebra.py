"""A filter and its negation share the corpus out, and writing things in another order changes nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, note, reject
from hypothesis import strategies as st

from fictdsl.syntax.nodes import Block, Chain, Clause, Count, Either, NodeTerm, Not, PatternDef, Test, Without
from tests.support.engines import by_sql, compiled, database, reference_matches
from tests.support.strategies.filters import Project, projects
from tests.support.strategies.sentences import treebanks
from tests.support.strategies.word_tests import NOWHERE, Scope, focuses, word_tests


def both(project: Project, treebank: list) -> list[dict]:
    """What the two engines find for each member of the family, one after the other."""
    connection = database(treebank)
    return [
        found for each in filters_of(project) for found in (by_sql(connection, each), reference_matches(each, treebank))
    ]


def filters_of(project: Project) -> tuple:
    note(project.text())
    return compiled(project)


@pytest.mark.long
@given(projects(), treebanks())
def test_a_filter_and_its_negation_share_out_the_corpus(project: Project, treebank: list) -> None:
    negation = project.with_match(Block((Without(project.filter.match, span=NOWHERE),), span=NOWHERE))
    for taken, left in zip(both(project, treebank), both(negation, treebank), strict=True):
        assert set(taken).isdisjoint(left)
        assert len(taken) + len(left) == len(treebank)


@pytest.mark.long
@given(projects(), treebanks(), st.data())
def test_a_test_and_its_negation_share_out_the_matches(project: Project, treebank: list, data: st.DataObject) -> None:
    """count(A) = count(A and t) + count(A and not t), whatever is absent."""
    names = [c.first.name for c in project.filter.match.clauses if isinstance(c, Chain) and c.first.name is not None]
    if not names:
        reject()
    test = data.draw(focuses().flatmap(lambda focus: word_tests(Scope(focus))))
    node = data.draw(st.sampled_from(names))

    def with_test(extra: Test) -> Project:
        chain = Chain(NodeTerm(node, (), extra, span=NOWHERE), (), span=NOWHERE)
        return project.with_match(Block((*project.filter.match.clauses, chain), span=NOWHERE))

    plain = project.with_match(project.filter.match)
    for every, true, false in zip(
        both(plain, treebank),
        both(with_test(test), treebank),
        both(with_test(Not(test, span=NOWHERE)), treebank),
        strict=True,
    ):
        assert _count(every) == _count(true) + _count(false)
        assert every == {s: true.get(s, set()) | false.get(s, set()) for s in true.keys() | false.keys()}


def _count(found: dict) -> int:
    return sum(len(matches) for matches in found.values())


@given(projects(), treebanks(), st.randoms(use_true_random=False))
def test_the_order_of_clauses_branches_and_items_changes_nothing(project: Project, treebank: list, random) -> None:
    def block(old: Block) -> Block:
        return Block(tuple(random.sample([clause(c) for c in old.clauses], len(old.clauses))), span=NOWHERE)

    def clause(old: Clause) -> Clause:
        match old:
            case Without(inner):
                return replace(old, block=block(inner))
            case Count():
                return replace(old, block=block(old.block))
            case Either(branches):
                return replace(old, branches=tuple(random.sample([block(b) for b in branches], len(branches))))
        return old

    items = [replace(i, block=block(i.block)) if isinstance(i, PatternDef) else i for i in project.file.items]
    shuffled = replace(project, file=replace(project.file, items=tuple(random.sample(items, len(items)))))
    shuffled = shuffled.with_match(block(project.filter.match))
    assert both(shuffled, treebank) == both(project.with_match(project.filter.match), treebank)
