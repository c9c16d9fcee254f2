"""The parts of a block, in the order they were written."""

from __future__ import annotations

from fictdsl.syntax import nodes, walk
from tests.support.linting import module_of

TEXT = """
filter f for p in {a} { match {
  A:NOUN|$p[form = x|$p, not (lemma in {y} or has upos)] -[nsubj|=$p]-> B <-[^det]- _
  M between A and B
  without { A ==> C  either { C[id = 3] } or { D ->> _ } }
  at least 2 X:VERB { X.form = A.form }
  sentence[length > 3]
  q(A, _, B)
} }
pattern q(A, B, C) { A:X }
"""


def match() -> nodes.Block:
    item = module_of(TEXT).file.items[0]
    assert isinstance(item, nodes.FilterDef)
    return item.match


def test_clauses_and_blocks_of_all_depths() -> None:
    kinds = [type(clause).__name__ for clause in walk.clauses(match())]
    assert kinds == "Chain Between Without Chain Either Chain Chain Count AttributeComparison SentenceTest Call".split()  # noqa: SIM905
    assert len(list(walk.blocks(match()))) == 5


def test_names_of_a_clause_and_of_all_that_is_in_it() -> None:
    clauses = match().clauses
    assert [[name.text for name in walk.own_names(clause)] for clause in clauses] == [
        ["A", "B"],
        ["M", "A", "B"],
        [],
        [],
        [],
        ["A", "B"],
    ]
    assert [name.text for name in walk.all_names(clauses[2])] == ["A", "C", "C", "D"]
    assert [name.text for name in walk.all_names(clauses[3])] == ["X", "X", "A"]


def test_values_labels_and_tests() -> None:
    assert [parameter.name for parameter in walk.parameters(match())] == ["p", "p", "p"]
    assert [
        getattr(value, "text", None) or f"${value.name}" for value in walk.find(match(), nodes.Value, nodes.Param)
    ] == [
        *("NOUN", "$p", "x", "$p", "y", "nsubj", "$p", "det"),
        *("3", "VERB", "3"),
    ]
    found = [
        (type(part).__name__, place)
        for c in match().clauses
        for test, place in walk.tests(c)
        for part in walk.simple_tests(test)
    ]
    assert found == [("Compare", "word"), ("Member", "word"), ("Has", "word"), ("Compare", "sentence")]
