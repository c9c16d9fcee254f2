"""What `--fix` writes finds the same matches, has no errors, and nothing is left in it to fix."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import event, given, note, reject, settings
from hypothesis import strategies as st

from fictdsl.compiler import compile_text
from fictdsl.lint.engine import lint_text
from fictdsl.lint.fix import fix
from fictdsl.syntax import nodes
from fictdsl.syntax.printer import print_file
from tests.support.engines import reference_matches
from tests.support.strategies.filters import Project, projects
from tests.support.strategies.sentences import treebanks
from tests.support.strategies.word_tests import NOWHERE, NUMBERS, word_tests

pytestmark = pytest.mark.usefixtures("capitals")


def redundant(project: Project, random) -> Project:
    """The project with much of it said twice."""

    def block(old: nodes.Block) -> nodes.Block:
        clauses = [clause(each) for each in old.clauses]
        clauses += [each for each in old.clauses if random.random() < 0.3]
        return nodes.Block(tuple(clauses), span=NOWHERE)

    def clause(old: nodes.Clause) -> nodes.Clause:
        match old:
            case nodes.Chain(first=first, links=links):
                several = tuple(
                    replace(each, relation=relation(each.relation), target=term(each.target)) for each in links
                )
                return nodes.Chain(term(first), several, span=NOWHERE)
            case nodes.Without(block=inner) | nodes.Count(block=inner):
                return replace(old, block=block(inner))
            case nodes.Either(branches=branches):
                return nodes.Either((*(block(branch) for branch in branches), random.choice(branches)), span=NOWHERE)
            case _:
                return old

    def relation(old: nodes.Relation) -> nodes.Relation:
        if isinstance(old, nodes.Edge | nodes.Path) and old.labels is not None:
            several = old.labels.labels + tuple(random.choices(old.labels.labels, k=random.choice([0, 1, 2])))
            exact = tuple(replace(label, exact=random.random() < 0.3 or label.exact) for label in several)
            return replace(old, labels=replace(old.labels, labels=exact))
        return old

    def term(old: nodes.NodeTerm) -> nodes.NodeTerm:
        upos = old.upos * random.choice([1, 1, 2])
        return replace(old, upos=upos, test=None if old.test is None else test(old.test))

    def test(old: nodes.Test) -> nodes.Test:
        match random.choice("asonv"):
            case "a":
                return nodes.And((old, old), span=NOWHERE)
            case "s":
                return nodes.And((nodes.Or((old, nodes.Not(old, span=NOWHERE)), span=NOWHERE), old), span=NOWHERE)
            case "o" if not isinstance(old, nodes.Or):
                return nodes.Or((old, old), span=NOWHERE)
            case "v" if isinstance(old, nodes.Compare) and old.op in ("=", "!=", "=="):
                return replace(old, values=(*old.values, *old.values))
            case _:
                return old

    return project.with_match(block(project.filter.match))


@given(projects(several_files=False), treebanks(), st.randoms(use_true_random=False))
def test_a_fixed_filter_finds_the_same(project: Project, treebank: list, random) -> None:
    text = redundant(project, random).text()
    if compile_text(text).errors:
        reject()
    check_fixes(text, treebank)


@settings(max_examples=200)  # few drawn tests are always true
@given(st.lists(word_tests(NUMBERS), min_size=1, max_size=3), treebanks(max_size=3))
def test_a_word_with_fixed_tests_of_numbers_is_the_same(tests: list[nodes.Test], treebank: list) -> None:
    test = tests[0] if len(tests) == 1 else nodes.And(tuple(tests), span=NOWHERE)
    term = nodes.NodeTerm(nodes.Name("A", span=NOWHERE), (), test, span=NOWHERE)
    block = nodes.Block((nodes.Chain(term, (), span=NOWHERE),), span=NOWHERE)
    definition = nodes.FilterDef(nodes.Name("f", span=NOWHERE), None, (), block, (), span=NOWHERE)
    check_fixes(print_file(nodes.File("1", (definition,), span=NOWHERE)), treebank)


def check_fixes(text: str, treebank: list) -> None:
    before = compile_text(text)
    note(text)
    done = fix(text, lint_text)
    note(done.text)
    event(f"{min(done.count, 5)} fixes")
    after = compile_text(done.text)
    assert not after.errors
    assert [reference_matches(one, treebank) for one in before.filters] == [
        reference_matches(other, treebank) for other in after.filters
    ]
    assert not any(problem.fix and problem.fix.safe for problem in done.remaining)
