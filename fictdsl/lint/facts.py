"""Collect the conditions on each node of a definition, block by block, and the words that rewrites target."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from fictdsl.lint.satisfiability import Solver
from fictdsl.semantics.scopes import Resolution
from fictdsl.source import Span
from fictdsl.syntax import nodes, walk
from fictdsl.syntax.walk import UNBOUNDED, Definition, links

_MAX_FACTS = 200  # larger groups, which only generated filters have, are omitted: they would take too long


@dataclass(frozen=True, slots=True)
class Fact:
    """A test that a node must pass. It is `implied` if it comes from a relation rather than a written test."""

    test: nodes.Test
    span: Span
    implied: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """The conditions of a block on one node or on the sentence, and the conditions of the enclosing blocks on it."""

    local: tuple[Fact, ...]
    enclosing: tuple[Fact, ...]
    level: walk.Level
    solvers: tuple[Solver, ...] = ()  # one for each value of a family

    def is_satisfiable(self, tests: Sequence[nodes.Test]) -> bool:
        return all(solver.is_satisfiable(tests) for solver in self.solvers)

    def follows(self, test: nodes.Test, premises: Sequence[nodes.Test] = ()) -> bool:
        return all(solver.follows(test, premises) for solver in self.solvers)


Node = str | int  # a name, or the `id()` of an unnamed term
Facts = dict[Node, tuple[Fact, ...]]


def groups(definition: walk.Definition, resolution: Resolution) -> Iterator[Group]:
    """Yield the groups of a definition that contain a written test, except those that are too large."""
    family = walk.family_of(definition)
    family_values = [""] if family is None else [value.text for value in family.values]
    solvers = {level: tuple(_solver(resolution, level, value) for value in family_values) for level in walk.LEVELS}
    for group in _groups(walk.block_of(definition), {}, (), {}):
        if len(group.local) + len(group.enclosing) <= _MAX_FACTS:
            yield replace(group, solvers=solvers[group.level])


def _solver(resolution: Resolution, level: walk.Level, family_value: str) -> Solver:
    return Solver(resolution, level, lambda atom: atom.text if isinstance(atom, nodes.Value) else family_value)


def _groups(
    block: nodes.Block, enclosing: Facts, enclosing_sentence: tuple[Fact, ...], counted_facts: Facts
) -> Iterator[Group]:
    local: Facts = dict(counted_facts)
    sentence_facts: tuple[Fact, ...] = ()
    for clause in block.clauses:
        if isinstance(clause, nodes.SentenceTest):
            sentence_facts += tuple(_test_facts(clause.test))
        elif not isinstance(clause, nodes.Count):
            for node, facts in clause_facts(clause):
                local[node] = local.get(node, ()) + facts
    for node, facts in local.items():
        if any(not fact.implied for fact in facts):
            yield Group(facts, enclosing.get(node, ()), "word")
    if sentence_facts:
        yield Group(sentence_facts, enclosing_sentence, "sentence")
    inherited = enclosing | {node: enclosing.get(node, ()) + facts for node, facts in local.items()}
    for clause in block.clauses:
        counted = dict(clause_facts(clause)) if isinstance(clause, nodes.Count) else {}
        for inner_block in walk.blocks_of(clause):
            yield from _groups(inner_block, inherited, enclosing_sentence + sentence_facts, counted)


def implies_presence(test: nodes.Test, attribute: str, *, negated: bool = False) -> bool:
    """Return whether a word that passes a test, or if `negated` its negation, has the attribute of this full name."""
    match test:
        case nodes.Not(test=negated_test):
            return implies_presence(negated_test, attribute, negated=not negated)
        case nodes.And(tests=parts) | nodes.Or(tests=parts):
            quantifier = any if isinstance(test, nodes.And) != negated else all
            return quantifier(implies_presence(part, attribute, negated=negated) for part in parts)
        case nodes.Flag():
            return False
    return is_negative(test) == negated and test.attribute.text() == attribute


def negative_tests(test: nodes.Test, *, negated: bool = False) -> Iterator[walk.SimpleTest]:
    """Yield the tests `F != v` and `F not in …` inside a test, unless a `not` makes them positive."""
    match test:
        case nodes.And(tests=parts) | nodes.Or(tests=parts):
            for part in parts:
                yield from negative_tests(part, negated=negated)
        case nodes.Not(test=negated_test):
            yield from negative_tests(negated_test, negated=not negated)
        case _:
            if not negated and is_negative(test):
                yield test


def is_negative(test: walk.SimpleTest) -> bool:
    """Return whether a test is written as a negation: `F != v` or `F not in …`."""
    return test.negated if isinstance(test, nodes.Member) else isinstance(test, nodes.Compare) and test.op == "!="


def is_bare(clause: nodes.Clause) -> bool:
    """Return whether a clause is a node without a test or relation."""
    if not isinstance(clause, nodes.Chain) or clause.links:
        return False
    return not clause.first.upos and clause.first.test is None


def clause_facts(clause: nodes.Clause) -> Iterator[tuple[Node, tuple[Fact, ...]]]:
    """Yield nodes of a clause, each with the tests that the clause demands of it."""
    for term in walk.terms(clause):
        yield _node_of(term), tuple(_term_facts(term))
    for left, link in walk.links(clause):
        relation = link.relation
        if isinstance(relation, nodes.Edge) and not relation.enhanced:
            dependent = left if relation.from_dependent else link.target
        elif isinstance(relation, nodes.Path) and (relation.bounds is None or relation.bounds.low != 0):
            dependent = link.target
        else:
            continue
        test = None if relation.labels is None else _label_test(relation.labels)
        if test is not None:
            yield _node_of(dependent), (Fact(test, relation.span, implied=True),)


def _node_of(term: nodes.NodeTerm) -> Node:
    return id(term) if term.name is None else term.name.text


def _term_facts(term: nodes.NodeTerm) -> Iterator[Fact]:
    if term.upos:
        span = term.upos[0].span.to(term.upos[-1].span)
        yield Fact(nodes.Compare(nodes.Attribute("upos", None, False, span=span), "=", term.upos, span=span), span)
    if term.test is not None:
        yield from _test_facts(term.test)


def _test_facts(test: nodes.Test) -> Iterator[Fact]:
    if isinstance(test, nodes.And):
        for conjunct in test.tests:
            yield from _test_facts(conjunct)
    else:
        yield Fact(test, test.span)


def _label_test(labels: nodes.Labels) -> nodes.Test:
    deprel = nodes.Attribute("deprel", None, False, span=labels.span)
    tests: list[nodes.Test] = []
    for op, exact in (("=", False), ("==", True)):
        values = tuple(name for name, label_test in walk.named_labels(labels) if label_test.exact is exact)
        if values:
            tests.append(nodes.Compare(deprel, op, values, span=labels.span))
    regexes = tuple(label_test.label for label_test in labels.labels if isinstance(label_test.label, nodes.RegexValue))
    if regexes:
        tests.append(nodes.Compare(deprel, "=", regexes, span=labels.span))
    test = tests[0] if len(tests) == 1 else nodes.Or(tuple(tests), span=labels.span)
    return nodes.Not(test, span=labels.span) if labels.negated else test


def names_in_target(target: nodes.Target, descendants: dict[str, set[str]]) -> frozenset[str]:
    """Return the names bound to words in a target other than `sentence`, given the result of `descendant_names`."""
    names = {name.text for name in target.nodes}
    if target.kind == "subtree":
        names |= descendants.get(target.nodes[0].text, set())
    return frozenset(names)


def descendant_names(block: nodes.Block) -> dict[str, set[str]]:
    """Return, for each name, the names that every match binds to words of its subtree in the basic tree, if any."""
    children: dict[str, set[str]] = {}
    for head, dependent in _related_names(block):
        children.setdefault(head, set()).add(dependent)
    descendants: dict[str, set[str]] = {}
    for name in children:
        reached_names, stack = set[str](), [name]
        while stack:
            unseen = children.get(stack.pop(), set()) - reached_names
            reached_names |= unseen
            stack += unseen
        descendants[name] = reached_names
    return descendants


def dependents(block: nodes.Block) -> set[str]:
    """Return the names of words that have a head in every match."""
    named = [(upper, lower.name.text, distinct) for upper, lower, distinct in _related_terms(block) if lower.name]
    result = {lower for _, lower, distinct in named if distinct}
    equal_or_below = [(upper.name.text, lower) for upper, lower, distinct in named if upper.name and not distinct]
    while new := {lower for upper, lower in equal_or_below if upper in result} - result:
        result |= new
    return result


def _related_names(block: nodes.Block) -> Iterator[tuple[str, str]]:
    for upper, lower, _ in _related_terms(block):
        if upper.name is not None and lower.name is not None:
            yield upper.name.text, lower.name.text


def _related_terms(block: nodes.Block) -> Iterator[tuple[nodes.NodeTerm, nodes.NodeTerm, bool]]:
    """Yield the upper and the lower node of each edge and path of the basic tree, and whether they must be distinct."""
    for clause in block.clauses:
        for left, link in links(clause):
            match link.relation:
                case nodes.Edge(enhanced=False, from_dependent=True):
                    yield link.target, left, True
                case nodes.Edge(enhanced=False):
                    yield left, link.target, True
                case nodes.Path(bounds=bounds):
                    yield left, link.target, bounds is None or bounds.low != 0


def target_text(target: nodes.Target) -> str:
    return f"{target.kind}({', '.join(name.text for name in target.nodes)})" if target.nodes else target.kind


def node_name(term: nodes.NodeTerm) -> str:
    """Return the name of a node, or `_` and a number."""
    return f"_{term.span.start}" if term.name is None else term.name.text


def limits(bounds: nodes.Bounds | None) -> tuple[int, int]:
    if bounds is None:
        return 1, UNBOUNDED
    return 1 if bounds.low is None else bounds.low, UNBOUNDED if bounds.high is None else bounds.high


def parameter_pairs(definition: Definition) -> Iterator[frozenset[str]]:
    """Yield the pairs of a pattern's parameters, since a call may have arguments that may be the same word."""
    if isinstance(definition, nodes.PatternDef):
        yield from (frozenset(pair) for pair in combinations([name.text for name in definition.parameters], 2))


def coinciding_pairs(block: nodes.Block) -> Iterator[frozenset[str]]:
    """Yield the pairs of nodes that may be one word: in `A may be B`, in `A ->>{0..} B`, or arguments of one call."""
    for clause in block.clauses:
        match clause:
            case nodes.Chain():
                for left, link in links(clause):
                    if isinstance(link.relation, nodes.Path) and limits(link.relation.bounds)[0] == 0:
                        yield frozenset((node_name(left), node_name(link.target)))
            case nodes.Either(branches=branches):
                for branch in branches:
                    yield from coinciding_pairs(branch)
            case nodes.Maybe(block=inner_block):
                yield from coinciding_pairs(inner_block)
            case nodes.Coincide(left=left_name, right=right_name):
                yield frozenset((left_name.text, right_name.text))
            case nodes.Call(arguments=arguments):
                names = [argument.text for argument in arguments if argument is not None]
                yield from (frozenset(pair) for pair in combinations(names, 2))
            case _:
                pass
