"""A filter or pattern into what is asked of each node, block by block: its tests, parts of speech and labels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fictdsl.lint.logic.satisfiability import Logic
from fictdsl.semantics import walk
from fictdsl.semantics.resolve.resolution import Resolution
from fictdsl.source import Span
from fictdsl.syntax import nodes

_MOST = 200  # tests of one node; more are made by machines, and would take a while


@dataclass(frozen=True, slots=True)
class Fact:
    """A test that a node has to pass; `implied` if a relation says so rather than a test."""

    test: nodes.Test
    span: Span
    implied: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """All that one block asks of one node (or of the sentence), and what the blocks around it ask."""

    own: tuple[Fact, ...]
    around: tuple[Fact, ...]
    place: walk.Level


Node = str | int  # a name, or the identity of an unnamed term
Facts = dict[Node, tuple[Fact, ...]]


def groups(definition: walk.Definition) -> Iterator[Group]:
    """The groups of all blocks of a filter or pattern that ask anything in a test of their own."""
    for group in _groups(walk.block_of(definition), {}, (), {}):
        if len(group.own) + len(group.around) <= _MOST:
            yield group


def logics(resolution: Resolution, definition: walk.Definition, place: walk.Level) -> tuple[Logic, ...]:
    """How to reason in a filter: once, or for a family once for each value of its parameter."""
    family = definition.family if isinstance(definition, nodes.FilterDef) else None
    choices = [""] if family is None else [value.text for value in family.values]
    return tuple(_logic(resolution, place, choice) for choice in choices)


def _logic(resolution: Resolution, place: walk.Level, choice: str) -> Logic:
    return Logic(resolution, place, lambda atom: atom.text if isinstance(atom, nodes.Value) else choice)


def _groups(block: nodes.Block, around: Facts, sentence: tuple[Fact, ...], extra: Facts) -> Iterator[Group]:
    own: Facts = dict(extra)
    about_sentence: tuple[Fact, ...] = ()
    for clause in block.clauses:
        if isinstance(clause, nodes.SentenceTest):
            about_sentence += tuple(_parts(clause.test))
        elif not isinstance(clause, nodes.Count):
            for node, facts in _clause(clause):
                own[node] = own.get(node, ()) + facts
    for node, facts in own.items():
        if any(not fact.implied for fact in facts):
            yield Group(facts, around.get(node, ()), "word")
    if about_sentence:
        yield Group(about_sentence, sentence, "sentence")
    known = around | {node: around.get(node, ()) + facts for node, facts in own.items()}
    for clause in block.clauses:
        counted = dict(_clause(clause)) if isinstance(clause, nodes.Count) else {}
        for inner in walk.blocks_of(clause):
            yield from _groups(inner, known, sentence + about_sentence, counted)


def _clause(clause: nodes.Clause) -> Iterator[tuple[Node, tuple[Fact, ...]]]:
    for term in walk.terms(clause):
        yield _node(term), tuple(_term(term))
    for left, link in walk.links(clause):
        relation = link.relation
        if isinstance(relation, nodes.Edge) and not relation.enhanced:
            below = left if relation.from_dependent else link.target
        elif isinstance(relation, nodes.Path) and (relation.bounds is None or relation.bounds.low != 0):
            below = link.target
        else:
            continue
        test = None if relation.labels is None else _labels(relation.labels)
        if test is not None:
            yield _node(below), (Fact(test, relation.span, implied=True),)


def _node(term: nodes.NodeTerm) -> Node:
    return id(term) if term.name is None else term.name.text


def _term(term: nodes.NodeTerm) -> Iterator[Fact]:
    if term.upos:
        span = term.upos[0].span.to(term.upos[-1].span)
        yield Fact(nodes.Compare(nodes.Attribute("upos", None, False, span), "=", term.upos, span), span)
    if term.test is not None:
        yield from _parts(term.test)


def _parts(test: nodes.Test) -> Iterator[Fact]:
    if isinstance(test, nodes.And):
        for part in test.tests:
            yield from _parts(part)
    else:
        yield Fact(test, test.span)


def _labels(labels: nodes.Labels) -> nodes.Test:
    """A list of labels as a test of the word below."""
    deprel = nodes.Attribute("deprel", None, False, labels.span)
    tests: list[nodes.Test] = []
    for op, exact in (("=", False), ("==", True)):
        values = tuple(label.label for label in labels.labels if label.exact is exact)
        if values:
            tests.append(nodes.Compare(deprel, op, values, labels.span))
    test = tests[0] if len(tests) == 1 else nodes.Or(tuple(tests), labels.span)
    return nodes.Not(test, labels.span) if labels.negated else test
