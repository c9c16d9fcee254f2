"""Whether tests can hold together, and what follows from them."""

from __future__ import annotations

import pytest

from fictdsl.lint.satisfiability import Solver
from fictdsl.semantics.resolve import resolve
from fictdsl.syntax import nodes
from fictdsl.syntax.walk import Level
from tests.support.linting import module_of


def read(*written: str, place: Level = "word") -> tuple[Solver, list[nodes.Test]]:
    where = "X" if place == "word" else "sentence"
    body = "  ".join(f"{where}[{text}]" for text in written)
    module = module_of(f"list w = {{a, b}} list none = {{}} filter f {{ match {{ {body} }} }}")
    item = module.file.items[2]
    assert isinstance(item, nodes.FilterDef)
    found: list[nodes.Test] = []
    for clause in item.match.clauses:
        if isinstance(clause, nodes.Chain):
            assert clause.first.test is not None
            found.append(clause.first.test)
        elif isinstance(clause, nodes.SentenceTest):
            found.append(clause.test)
    return Solver(resolve(module), place, lambda atom: getattr(atom, "text", "")), found


def is_satisfiable(*written: str, place: Level = "word") -> bool:
    solver, tests = read(*written, place=place)
    return solver.is_satisfiable(tests)


def follows(test: str, *premises: str) -> bool:
    solver, tests = read(test, *premises)
    return solver.follows(tests[0], tests[1:])


@pytest.mark.parametrize(
    "tests",
    [
        ("upos = A, upos = B",),
        ("upos = A|B", "upos = B|C", "upos = C|A"),
        ("form in @w", "form = c"),
        ("form in @none",),
        ("not has form",),
        ("deprel = nsubj", "deprel = obj"),
        ("deprel == nsubj", "deprel == nsubj:pass"),
        ("deprel = nsubj:pass", "deprel != nsubj"),
        ("has Number", "not has Number"),
        ("Number = x", "Number not in {x, y}"),
        ("id > 2, id < 3",),
        ('id > "2.5"', 'id < "2.9"'),
        ("id < 1",),
        ("form.length <= 0",),
        ("misc.x < 3", "misc.x not in {1}", "not misc.x <= 5"),
        ("lower(phrase) in {a, b}", "lower(phrase) not in {b, a}"),
        ("form = /a+/", "not form = /a+/"),
        ("form = a, lemma = b or form = b, lemma = c", "form = c"),
        ("not (form = a or form != a)",),
    ],
)
def test_these_never_hold(tests: tuple[str, ...]) -> None:
    assert not is_satisfiable(*tests)


@pytest.mark.parametrize(
    "tests",
    [
        ("upos = A|B", "upos = B|C"),
        ("upos != A", "upos != B", "not has upos"),
        ("Number = x", "Number = y"),
        ("Number = x", "Number != y"),
        ("misc.x = 1", "misc.x = 2", "misc.x > 1"),
        ("deprel = nsubj", "deprel != nsubj:pass", "deprel != nsubj:outer"),
        ("deprel = nsubj", "deprel != nsubj:pass", "not deprel == nsubj"),
        ("id > 2, id < 4",),
        ("form = The", "lower(form) = the"),
        ("form = /a+/", "form = /a*/", "form != /b/"),
        ("lower(phrase) in {a, b}", "lower(phrase) not in {b}"),
        ("form not in @none",),
        ("Person >= 2", "Person != 2"),
        ("form > 5", "form != 6"),
        ("deprel > 5", "deprel != 6"),
        ("xpos > 2", "xpos < 3"),
        ("misc.x >= 3", "misc.x <= 3", 'misc.x not in {3, "3.0"}'),
        ('misc.x < "-1"', 'misc.x > "-2"', 'misc.x != "-1.5"'),
        ("lemma.length = 3", "not has lemma"),  # two attributes, each by itself
    ],
)
def test_these_can(tests: tuple[str, ...]) -> None:
    assert is_satisfiable(*tests)


def test_what_follows() -> None:
    assert follows("upos = A|B", "upos = A")
    assert follows("has upos", "upos = A")
    assert follows("upos != B", "upos = A")
    assert not follows("Number != y", "Number = x")
    assert follows("deprel = nsubj", "deprel == nsubj:pass")
    assert not follows("deprel == nsubj", "deprel = nsubj")
    assert follows("id >= 1")
    assert follows("id = 3", "id > 2", "id < 4")
    assert follows("form in @w", "form = a")
    assert follows("form = a or form != a")
    assert not follows("has lemma")
    assert not follows("misc.x <= 2 or misc.x >= 3", "misc.x > 0")
    assert follows("misc.x <= 3 or misc.x >= 2", "misc.x > 0")


def test_the_sentence() -> None:
    assert not is_satisfiable("length > 40", "length < 30", place="sentence")
    assert not is_satisfiable("length < 1", place="sentence")
    assert is_satisfiable("text = a", "meta.x < 3", "not has sent_id", place="sentence")


def test_a_great_many_tests_are_given_up_on_in_no_time() -> None:
    alternatives = " or ".join(f"misc.m{n} = {n}" for n in range(40))
    assert is_satisfiable(alternatives, f"not ({alternatives})")
    features = ", ".join(f"Number = x{n}" for n in range(40))
    assert is_satisfiable(features)
    forms = ", ".join(f"lemma != x{n}" for n in range(400))
    assert is_satisfiable(forms)
