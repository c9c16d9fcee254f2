"""A block into its parts: every clause, name, test, label and value in it, in the order they were written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias, assert_never

from fictdsl.syntax import nodes

Level: TypeAlias = Literal["word", "sentence"]
LEVELS: tuple[Level, ...] = ("word", "sentence")
Simple: TypeAlias = nodes.Compare | nodes.Member | nodes.Has
Definition: TypeAlias = nodes.PatternDef | nodes.FilterDef


def blocks_of(clause: nodes.Clause) -> tuple[nodes.Block, ...]:
    """The blocks that stand in a clause."""
    match clause:
        case nodes.Without(block=block) | nodes.Count(block=block):
            return (block,)
        case nodes.Either(branches=branches):
            return branches
        case nodes.Chain() | nodes.Between() | nodes.Relate() | nodes.SentenceTest() | nodes.Call():
            return ()
    assert_never(clause)


def blocks(block: nodes.Block) -> Iterator[nodes.Block]:
    """A block and all blocks in it, the outer before the inner."""
    yield block
    for clause in block.clauses:
        for inner in blocks_of(clause):
            yield from blocks(inner)


def clauses(block: nodes.Block) -> Iterator[nodes.Clause]:
    """The clauses of a block and of all blocks in it."""
    for clause in block.clauses:
        yield clause
        for inner in blocks_of(clause):
            yield from clauses(inner)


def terms(clause: nodes.Clause) -> tuple[nodes.NodeTerm, ...]:
    """The nodes of one clause as they are written, that of a counting clause included; not those of its blocks."""
    match clause:
        case nodes.Chain(first=first, links=links):
            return (first, *(link.target for link in links))
        case nodes.Between(middle=middle, left=left, right=right):
            return (middle, left, right)
        case nodes.Count(node=node):
            return (node,)
        case _:
            return ()


def own_names(clause: nodes.Clause) -> Iterator[nodes.Name]:
    """The names that stand in a clause itself: not in its blocks, and not the node that a block counts."""
    match clause:
        case nodes.Chain() | nodes.Between():
            yield from (term.name for term in terms(clause) if term.name is not None)
        case nodes.Relate(left=left, right=right):
            yield from (left.node, right.node)
        case nodes.Call(arguments=arguments):
            yield from (argument for argument in arguments if argument is not None)
        case _:
            pass


def all_names(clause: nodes.Clause) -> Iterator[nodes.Name]:
    """Every name in a clause, those of its blocks and of the node it counts included."""
    if isinstance(clause, nodes.Count) and clause.node.name is not None:
        yield clause.node.name
    yield from own_names(clause)
    for block in blocks_of(clause):
        for inner in block.clauses:
            yield from all_names(inner)


def tests(clause: nodes.Clause) -> Iterator[tuple[nodes.Test, Level]]:
    """The tests of one clause, each as a whole, and what it is a test of."""
    if isinstance(clause, nodes.SentenceTest):
        yield clause.test, "sentence"
    for term in terms(clause):
        if term.test is not None:
            yield term.test, "word"


def simple(test: nodes.Test) -> Iterator[Simple]:
    """The comparisons a test is made of."""
    match test:
        case nodes.And(tests=parts) | nodes.Or(tests=parts):
            for part in parts:
                yield from simple(part)
        case nodes.Not(test=inner):
            yield from simple(inner)
        case nodes.Compare() | nodes.Member() | nodes.Has():
            yield test
        case _:
            assert_never(test)


def links(clause: nodes.Clause) -> Iterator[tuple[nodes.NodeTerm, nodes.Link]]:
    """The relations of a chain, each with its left neighbour."""
    if isinstance(clause, nodes.Chain):
        left = clause.first
        for link in clause.links:
            yield left, link
            left = link.target


def labels(clause: nodes.Clause) -> Iterator[nodes.Labels]:
    """The lists of relation labels in a clause."""
    for _, link in links(clause):
        if isinstance(link.relation, nodes.Edge | nodes.Path) and link.relation.labels is not None:
            yield link.relation.labels


def values(test: Simple) -> tuple[nodes.Atom, ...]:
    """The literals and parameters that a simple test compares with; not those of a named list, nor regexes."""
    match test:
        case nodes.Compare(values=found):
            return tuple(value for value in found if not isinstance(value, nodes.RegexValue))
        case nodes.Member(values=nodes.ListLiteral(values=found)):
            return found
        case nodes.Member() | nodes.Has():
            return ()
    assert_never(test)


def atoms(clause: nodes.Clause) -> Iterator[nodes.Atom]:
    """Every literal and parameter of one clause: in tests, after a colon, and in labels."""
    for term in terms(clause):
        yield from term.upos
    for test, _ in tests(clause):
        for part in simple(test):
            yield from values(part)
    for found in labels(clause):
        yield from (label.label for label in found.labels)


def definitions(file: nodes.File) -> Iterator[Definition]:
    """The items that hold a block."""
    for item in file.items:
        if isinstance(item, nodes.PatternDef | nodes.FilterDef):
            yield item


def block_of(item: Definition) -> nodes.Block:
    """The block of a pattern, or the `match` of a filter."""
    return item.block if isinstance(item, nodes.PatternDef) else item.match
