"""What lint is certain of is true: the reference interpreter finds nothing where lint says that nothing can be."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fictdsl.lint.normal_form import normal_form
from fictdsl.lint.satisfiability import Solver
from fictdsl.reference.evaluate import Evaluator, Match
from fictdsl.reference.sentences import Sentence
from fictdsl.semantics.check import analyse
from fictdsl.semantics.lower import lower
from fictdsl.semantics.resolve import resolve
from fictdsl.source import Source
from fictdsl.syntax import nodes
from fictdsl.syntax.load import Module
from fictdsl.syntax.printer import print_file
from fictdsl.syntax.walk import Level, simple_tests
from tests.support.linting import codes, module_of
from tests.support.strategies.filters import projects
from tests.support.strategies.sentences import sentences
from tests.support.strategies.word_tests import NOWHERE, NUMBERS, Scope, focuses, sentence_tests, word_tests

pytestmark = pytest.mark.usefixtures("capitals")


def module_with(block: nodes.Block) -> Module:
    definition = nodes.FilterDef(nodes.Name("f", span=NOWHERE), None, (), block, (), span=NOWHERE)
    file = nodes.File("1", (definition,), span=NOWHERE)
    return Module(Source("<generated>", ""), file)


def found(test: nodes.Test, level: Level, sentence: Sentence) -> set[Match]:
    """Return the matches of a test: one for each word that passes it, or one without words if the sentence does."""
    term = nodes.NodeTerm(nodes.Name("A", span=NOWHERE), (), test, span=NOWHERE)
    clause = nodes.Chain(term, (), span=NOWHERE) if level == "word" else nodes.SentenceTest(test, span=NOWHERE)
    module = module_with(nodes.Block((clause,), span=NOWHERE))
    definition = module.file.items[0]
    assert isinstance(definition, nodes.FilterDef)
    return Evaluator(module, definition).matches(sentence)


def solver(level: Level) -> Solver:
    def text(atom: nodes.Atom) -> str:
        assert isinstance(atom, nodes.Value)
        return atom.text

    return Solver(resolve(module_with(nodes.Block((), span=NOWHERE))), level, text)


def several(size: int, kind: str) -> st.SearchStrategy[list[nodes.Test]]:
    """That many tests of a kind; those of words look at few attributes, so that they meet."""

    def of_words(scope: Scope) -> st.SearchStrategy[list[nodes.Test]]:
        return st.lists(word_tests(scope), min_size=size, max_size=size)

    if kind == "sentence":
        return st.lists(sentence_tests(), min_size=size, max_size=size)
    return of_words(NUMBERS) if kind == "numbers" else focuses().map(Scope).flatmap(of_words)


def level_of(kind: str) -> Level:
    return "sentence" if kind == "sentence" else "word"


of_each_kind = pytest.mark.parametrize("kind", ["word", "numbers", "sentence"])


@of_each_kind
@given(st.data(), sentences())
def test_tests_that_cannot_hold_hold_of_nothing(kind: str, data: st.DataObject, sentence: Sentence) -> None:
    tests, level = data.draw(several(3, kind)), level_of(kind)
    if not solver(level).is_satisfiable(tests):
        assert found(nodes.And(tuple(tests), span=NOWHERE), level, sentence) == set()


@of_each_kind
@given(st.data())
def test_a_contradiction_is_seen(kind: str, data: st.DataObject) -> None:
    """The solver may give up on many tests of one feature; on one test and its negation it gives an answer."""
    tests, level = data.draw(several(1, kind)), level_of(kind)
    assume(len(list(simple_tests(tests[0]))) == 1)
    assert not solver(level).is_satisfiable([tests[0], nodes.Not(tests[0], span=NOWHERE)])
    assert solver(level).follows(tests[0], tests)


@of_each_kind
@given(st.data(), sentences())
def test_what_follows_is_true_of_the_same(kind: str, data: st.DataObject, sentence: Sentence) -> None:
    (one, other), level = data.draw(several(2, kind)), level_of(kind)
    if solver(level).follows(one, [other]):
        assert found(other, level, sentence) <= found(one, level, sentence)
    if solver(level).follows(one, ()):
        assert len(found(one, level, sentence)) == (len(sentence.words) if level == "word" else 1)


RELATIONS = (
    "->", "->", "->>", "->>{2}", "->>{0..}", "->>{0..1}", "<-", "<", "<", "<<", "<<{2}", "<<{1..2}", "<<{2..}", "~",
    "-[root]->", "==>",
)  # fmt: skip
COMPARISONS = (".id < ", ".id >= ", ".id != ", ".id = ")


@st.composite
def clauses(draw: st.DrawFn) -> str:
    one, other, third = draw(st.permutations("ABCD"))[:3]
    match draw(st.sampled_from(["relation"] * 6 + ["between", "compare"])):
        case "between":
            return f"{one} between {other} and {third}"
        case "compare":
            op = draw(st.sampled_from(COMPARISONS))
            return f"{one}{op}{other}.id"
        case _:
            return f"{one} {draw(st.sampled_from(RELATIONS))} {other}"


@given(st.lists(clauses(), min_size=2, max_size=5), st.lists(sentences(), min_size=1, max_size=3))
def test_relations_that_lint_calls_impossible_hold_of_no_words(written: list[str], trees: list[Sentence]) -> None:
    """In trees where only roots are called `root`; a store takes others with a note (FICT717)."""
    trees = [tree for tree in trees if all(word.head == 0 or word.deprel != "root" for word in tree.words)]
    module = module_of(f"filter f {{ match {{ {'  '.join(written)} }} }}")
    definition = module.file.items[0]
    assert isinstance(definition, nodes.FilterDef)
    found = [match for tree in trees for match in Evaluator(module, definition).matches(tree)]
    if "FICT515" in codes(module):
        assert found == []


@given(projects(several_files=False), st.data())
def test_a_normal_form_forgets_names_and_order(project, data) -> None:
    module = module_of(print_file(project.file))
    definition = next(item for item in module.file.items if isinstance(item, nodes.FilterDef))
    value = definition.family.values[0].text if definition.family else None
    clauses = tuple(data.draw(st.permutations(definition.match.clauses)))
    other = replace(definition, match=nodes.Block(clauses, span=NOWHERE))
    mixed = replace(
        module, file=nodes.File("1", tuple(other if i is definition else i for i in module.file.items), span=NOWHERE)
    )
    assert not analyse(mixed)[1]
    one, two = lower(resolve(module), definition, value)[0], lower(resolve(mixed), other, value)[0]
    assume(one is not None and two is not None)
    assert normal_form(one) == normal_form(two)
