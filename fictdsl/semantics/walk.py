"""Traversal of syntax trees: the clauses, names, tests, labels and values of a block, in the order of the text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias, assert_never

from fictdsl.syntax import nodes
from fictdsl.syntax.nodes import ORDER_OPERATORS, SUBSTRING_OPERATORS

Level: TypeAlias = Literal["word", "sentence"]  # what a test applies to
LEVELS: tuple[Level, ...] = ("word", "sentence")
SimpleTest: TypeAlias = nodes.Compare | nodes.Member | nodes.Has | nodes.Flag
Definition: TypeAlias = nodes.PatternDef | nodes.FilterDef | nodes.RewriteDef


def blocks_of(clause: nodes.Clause) -> tuple[nodes.Block, ...]:
    """Return the blocks directly inside a clause."""
    match clause:
        case nodes.Without(block=block) | nodes.Maybe(block=block) | nodes.Count(block=block):
            return (block,)
        case nodes.Either(branches=branches):
            return branches
        case nodes.Chain() | nodes.Between() | nodes.Crossing() | nodes.AttributeComparison() | nodes.Coincide():
            return ()
        case nodes.TupleMember() | nodes.SumComparison():
            return ()
        case nodes.SentenceTest() | nodes.Call():
            return ()
    assert_never(clause)


def blocks(block: nodes.Block) -> Iterator[nodes.Block]:
    """Yield a block and all blocks nested in it, in preorder."""
    yield block
    for clause in block.clauses:
        for inner_block in blocks_of(clause):
            yield from blocks(inner_block)


def clauses(block: nodes.Block) -> Iterator[nodes.Clause]:
    """Yield the clauses of a block and of all blocks nested in it."""
    for clause in block.clauses:
        yield clause
        for inner_block in blocks_of(clause):
            yield from clauses(inner_block)


def terms(clause: nodes.Clause) -> tuple[nodes.NodeTerm, ...]:
    """Return the nodes of a clause in the order of the text, with a counted node but without nodes of nested blocks."""
    match clause:
        case nodes.Chain(first=first, links=links):
            return (first, *(link.target for link in links))
        case nodes.Between(middle=middle, left=left, right=right):
            return (middle, left, right)
        case nodes.Crossing(left=left, right=right):
            return (left, right)
        case nodes.Count(node=node):
            return (node,)
        case _:
            return ()


def own_names(clause: nodes.Clause) -> Iterator[nodes.Name]:
    """Yield the names in a clause itself, without names of nested blocks or of a counted node."""
    match clause:
        case nodes.Chain() | nodes.Between() | nodes.Crossing():
            yield from (term.name for term in terms(clause) if term.name is not None)
        case nodes.AttributeComparison(left=left, right=right):
            yield from (left.node, right.node)
        case nodes.SumComparison():
            yield from (name for measure in measures(clause) for name in measure.nodes)
        case nodes.TupleMember(attributes=attributes):
            yield from (attribute.node for attribute in attributes)
        case nodes.Coincide(left=first, right=second):
            yield from (first, second)
        case nodes.Call(arguments=arguments):
            yield from (argument for argument in arguments if argument is not None)
        case _:
            pass


def all_names(clause: nodes.Clause) -> Iterator[nodes.Name]:
    """Yield every name in a clause, with names of nested blocks and of a counted node."""
    if isinstance(clause, nodes.Count) and clause.node.name is not None:
        yield clause.node.name
    yield from own_names(clause)
    for block in blocks_of(clause):
        for inner_clause in block.clauses:
            yield from all_names(inner_clause)


def tests(clause: nodes.Clause) -> Iterator[tuple[nodes.Test, Level]]:
    """Yield the tests of a clause, each as a whole, and whether it tests a word or the sentence."""
    if isinstance(clause, nodes.SentenceTest):
        yield clause.test, "sentence"
    for term in terms(clause):
        if term.test is not None:
            yield term.test, "word"


def simple_tests(test: nodes.Test) -> Iterator[SimpleTest]:
    match test:
        case nodes.And(tests=parts) | nodes.Or(tests=parts):
            for part in parts:
                yield from simple_tests(part)
        case nodes.Not(test=negated_test):
            yield from simple_tests(negated_test)
        case nodes.Compare() | nodes.Member() | nodes.Has() | nodes.Flag():
            yield test
        case _:
            assert_never(test)


def list_references(clause: nodes.Clause) -> Iterator[nodes.ListRef]:
    if isinstance(clause, nodes.TupleMember):
        yield clause.values
    for simple_test in (simple_test for test, _ in tests(clause) for simple_test in simple_tests(test)):
        if isinstance(simple_test, nodes.Member) and isinstance(simple_test.values, nodes.ListRef):
            yield simple_test.values


def links(clause: nodes.Clause) -> Iterator[tuple[nodes.NodeTerm, nodes.Link]]:
    """Yield the links of a chain, each with the node to its left."""
    if isinstance(clause, nodes.Chain):
        left = clause.first
        for link in clause.links:
            yield left, link
            left = link.target


def measures(clause: nodes.SumComparison) -> Iterator[nodes.Measure]:
    """Yield the measures of a comparison in the order of the text."""
    for summand in (*clause.left, *clause.right):
        if isinstance(summand.number, nodes.Measure):
            yield summand.number


def labels(clause: nodes.Clause) -> Iterator[nodes.Labels]:
    for _, link in links(clause):
        if isinstance(link.relation, nodes.Edge | nodes.Path) and link.relation.labels is not None:
            yield link.relation.labels


def named_labels(label_list: nodes.Labels) -> Iterator[tuple[nodes.Atom, nodes.LabelTest]]:
    """Yield the labels of a list that are not regular expressions, each with its item of the list."""
    for label_test in label_list.labels:
        if not isinstance(label_test.label, nodes.RegexValue):
            yield label_test.label, label_test


def values(test: SimpleTest) -> tuple[nodes.Atom, ...]:
    """Return the values of a simple test that are literals or parameters.

    Regexes, parts of values (`contains "ing"`) and the entries of named lists are left out.
    """
    match test:
        case nodes.Compare(op=op) if op in SUBSTRING_OPERATORS:
            return ()
        case nodes.Compare(values=alternatives):
            return tuple(value for value in alternatives if not isinstance(value, nodes.RegexValue))
        case nodes.Member(values=nodes.ListLiteral(values=entries)):
            return entries
        case nodes.Member() | nodes.Has() | nodes.Flag():
            return ()
    assert_never(test)


def equal_values(test: SimpleTest) -> tuple[nodes.Atom, ...]:
    """Return the values that a simple test looks for: those of `values`, but not the number in `length < 5`."""
    return () if isinstance(test, nodes.Compare) and test.op in ORDER_OPERATORS else values(test)


def atoms(clause: nodes.Clause) -> Iterator[nodes.Atom]:
    """Yield the literals and parameters of a clause: UPOS tags, values in tests, and labels."""
    for term in terms(clause):
        yield from term.upos
    for test, _ in tests(clause):
        for simple_test in simple_tests(test):
            yield from values(simple_test)
    for label_list in labels(clause):
        yield from (name for name, _ in named_labels(label_list))


def definitions(file: nodes.File) -> Iterator[Definition]:
    for item in file.items:
        if isinstance(item, nodes.PatternDef | nodes.FilterDef | nodes.RewriteDef):
            yield item


def family_of(definition: Definition) -> nodes.Family | None:
    """Return the family of a filter or rewrite, or None."""
    return None if isinstance(definition, nodes.PatternDef) else definition.family


def block_of(definition: Definition) -> nodes.Block:
    """Return the block of a pattern, or the `match` block of a filter or rewrite."""
    return definition.block if isinstance(definition, nodes.PatternDef) else definition.match


# --- actions --------------------------------------------------------------------------------------


def targets_of(action: nodes.Action | nodes.Rewriting) -> tuple[nodes.Target, ...]:
    """Return the targets of an action, with its destination."""
    match action:
        case nodes.Move(target=target, destination=destination):
            return (target, destination)
        case nodes.Swap(target=target, other=other):
            return (target, other)
        case nodes.Insert(destination=destination):
            return (destination,)
        case nodes.Set():
            return ()
        case _:
            return (action.target,)


def names_of(action: nodes.Action | nodes.Rewriting) -> Iterator[nodes.Name]:
    """Yield the names of nodes in an action, in the order of the text."""
    match action:
        case nodes.Set(attribute=attribute, value=value):
            yield attribute.node
            if isinstance(value, nodes.NodeAttribute | nodes.Function):
                yield (value if isinstance(value, nodes.NodeAttribute) else value.argument).node
        case nodes.Insert(head=head):
            yield head
    for target in targets_of(action):
        yield from target.nodes


def values_of(action: nodes.Action | nodes.Rewriting) -> Iterator[nodes.Atom]:
    """Yield the literals and parameters that a `set` or `insert` action writes."""
    match action:
        case nodes.Set(value=nodes.Value() | nodes.Param() as value):
            yield value
        case nodes.Insert(word=word, test=test, label=label):
            yield word
            for simple_test in () if test is None else simple_tests(test):
                yield from values(simple_test)
            yield label
