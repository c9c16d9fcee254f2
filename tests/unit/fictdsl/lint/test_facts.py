"""What is asked of each node, block by block."""

from __future__ import annotations

from fictdsl.lint.facts import groups
from fictdsl.semantics.resolve import resolve
from fictdsl.syntax import nodes
from tests.support.linting import module_of


def asked(match: str) -> list[tuple[int, int, int]]:
    """For each group: how many tests of its own, how many from relations, how many from blocks around."""
    module = module_of(f"filter f {{ match {{ {match} }} }}")
    item = module.file.items[0]
    assert isinstance(item, nodes.FilterDef)
    return [
        (sum(not f.implied for f in group.local), sum(f.implied for f in group.local), len(group.enclosing))
        for group in groups(item, resolve(module))
    ]


def test_tests_of_one_node_are_gathered_from_all_clauses() -> None:
    assert asked("A:X[form = x, lemma = y] -> B  A[upos = X]") == [(4, 0, 0)]


def test_labels_are_asked_of_the_word_below() -> None:
    assert asked("A -[nsubj]-> B[form = x]") == [(1, 1, 0)]
    assert asked("B[form = x] <-[^nsubj|=obj]- A") == [(1, 1, 0)]
    assert asked("A -[conj]->> B[form = x]") == [(1, 1, 0)]
    assert asked("A -[conj]->>{0..} B[form = x]") == [(1, 0, 0)]
    assert asked("A =[nsubj]=> B[form = x]") == [(1, 0, 0)]
    assert asked("A -[nsubj]-> B") == []


def test_blocks_know_what_the_blocks_around_ask() -> None:
    assert asked("A:X without { A:Y without { A:Z } }") == [(1, 0, 0), (1, 0, 1), (1, 0, 2)]
    assert asked("A:X either { A:Y } or { A:Z }") == [(1, 0, 0), (1, 0, 1), (1, 0, 1)]


def test_a_counted_node_is_asked_in_its_block() -> None:
    assert asked("A:X at least 2 B:Y { A -[obj]-> B[form = x] }") == [(1, 0, 0), (2, 1, 0)]


def test_unnamed_nodes_are_apart_and_the_sentence_is_one() -> None:
    assert asked("_[form = x] -> _[form = y]  sentence[length > 3] without { sentence[length > 5, text = x] }") == [
        (1, 0, 0),
        (1, 0, 0),
        (1, 0, 0),
        (2, 0, 1),
    ]
