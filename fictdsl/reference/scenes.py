"""Expand a block into scenes: conjunctions of conditions, with patterns inlined and one branch of each `either`.

The matches of a block are the union of the matches of its scenes, which is how the language defines `either`. The own
nodes of a scene are those that occur in it and in no enclosing scene.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import reduce
from itertools import count, product
from typing import assert_never

from fictdsl.reference.predicates import (
    PredicateBuilder,
    comparison,
    cross,
    limits,
    names_of,
    pair_test,
    sum_comparison,
)
from fictdsl.syntax import nodes

Node = str  # a name; with "#" and a number if the node is unnamed or belongs to a pattern


@dataclass(frozen=True)
class Condition:
    """A predicate `holds(sentence, *words)` on the words bound to `nodes`."""

    nodes: tuple[Node, ...]
    holds: Callable[..., bool]


@dataclass(frozen=True)
class InnerBlock:
    """An inner block: `without` if `counted` is None, else a count of `low` to `high` different words."""

    scenes: tuple[Scene, ...]
    counted: Node | None = None
    low: int = 0
    high: float = 0


@dataclass(frozen=True)
class Scene:
    """The nodes of a block, the conditions on them, and its inner blocks.

    `may_coincide` are the pairs of nodes that `->>{0..}` or `may be` in this block allows to be the same word.
    """

    nodes: frozenset[Node] = frozenset()
    conditions: tuple[Condition, ...] = ()
    inner: tuple[InnerBlock, ...] = ()
    may_coincide: frozenset[frozenset[Node]] = frozenset()

    def __add__(self, other: Scene) -> Scene:
        return Scene(
            self.nodes | other.nodes,
            self.conditions + other.conditions,
            self.inner + other.inner,
            self.may_coincide | other.may_coincide,
        )


@dataclass(frozen=True)
class SceneBuilder:
    """Expands blocks of a filter, or of a pattern for one call.

    `parameters` maps the pattern's parameters to the nodes of the call. `suffix` makes the names of other nodes
    unique.
    """

    predicates: PredicateBuilder
    parameters: dict[str, Node] = field(default_factory=dict)
    suffix: str = ""
    node_numbers: count[int] = field(default_factory=count)

    def block(self, block: nodes.Block) -> tuple[Scene, ...]:
        """Return the scenes of a block: one for each combination of branches."""
        scenes_by_clause = [self.clause(clause) for clause in block.clauses]
        return tuple(_sum(combination) for combination in product(*scenes_by_clause))

    def clause(self, clause: nodes.Clause) -> tuple[Scene, ...]:
        match clause:
            case nodes.Chain(first, links):
                return (self._chain(first, links),)
            case nodes.Between():
                return (self._between(clause),)
            case nodes.Crossing():
                return (self._crossing(clause),)
            case nodes.Coincide(left, right):
                return (Scene(may_coincide=frozenset({frozenset({self._name(left), self._name(right)})})),)
            case nodes.Maybe(block):
                return (*self.block(block), Scene(inner=(InnerBlock(self.block(block)),)))
            case nodes.AttributeComparison(left, _, right):
                sides = (self._name(left.node), self._name(right.node))
                return (Scene(frozenset(sides), (Condition(sides, comparison(clause)),)),)
            case nodes.SumComparison():
                return (self._sums(clause),)
            case nodes.TupleMember(attributes):
                members = tuple(self._name(side.node) for side in attributes)
                return (Scene(frozenset(members), (Condition(members, self.predicates.in_rows(clause)),)),)
            case nodes.SentenceTest(test):
                holds = self.predicates.test(test)
                return (Scene(conditions=(Condition((), lambda sentence: holds(sentence, None)),)),)
            case nodes.Without(block):
                return (Scene(inner=(InnerBlock(self.block(block)),)),)
            case nodes.Either(branches):
                return tuple(scene for branch in branches for scene in self.block(branch))
            case nodes.Count():
                return (Scene(inner=(self._count(clause),)),)
            case nodes.Call():
                return self._call(clause)
        assert_never(clause)

    def _chain(self, first: nodes.NodeTerm, links: tuple[nodes.Link, ...]) -> Scene:
        left, scene = self._term(first)
        for link in links:
            right, right_scene = self._term(link.target)
            scene += right_scene + self._relation(link.relation, left, right)
            left = right
        return scene

    def _relation(self, relation: nodes.Relation, left: Node, right: Node) -> Scene:
        conditions = [Condition((left, right), pair_test(relation, self.predicates))]
        lower = self._lower_end(relation, left, right)
        if lower is not None:  # implied by the relation, but a condition on one node prunes the search earlier
            fits = self.predicates.labels(relation.labels)  # type: ignore[union-attr]
            conditions.append(Condition((lower,), lambda _, word: word.head != 0 and fits(word.deprel)))
        may_coincide = isinstance(relation, nodes.Path) and limits(relation.bounds)[0] == 0
        pairs = frozenset({frozenset({left, right})}) if may_coincide else frozenset()
        return Scene(conditions=tuple(conditions), may_coincide=pairs)

    @staticmethod
    def _lower_end(relation: nodes.Relation, left: Node, right: Node) -> Node | None:
        """Return the node that must have one of the labels; None if the relation does not require a tree edge."""
        if isinstance(relation, nodes.Edge) and not relation.enhanced:
            return left if relation.from_dependent else right
        if isinstance(relation, nodes.Path) and limits(relation.bounds)[0] > 0:
            return right
        return None

    def _between(self, clause: nodes.Between) -> Scene:
        terms = [self._term(term) for term in (clause.middle, clause.left, clause.right)]
        bound = tuple(node for node, _ in terms)
        between = Condition(bound, lambda _, m, a, b: a.id < m.id < b.id or b.id < m.id < a.id)
        return _sum([scene for _, scene in terms]) + Scene(conditions=(between,))

    def _crossing(self, clause: nodes.Crossing) -> Scene:
        (left, left_scene), (right, right_scene) = self._term(clause.left), self._term(clause.right)
        crossing = Condition((left, right), lambda _, left_word, right_word: cross(left_word, right_word))
        return left_scene + right_scene + Scene(conditions=(crossing,))

    def _sums(self, clause: nodes.SumComparison) -> Scene:
        numbers = [summand.number for summand in (*clause.left, *clause.right)]
        names = {name.text: name for number in numbers if isinstance(number, nodes.Measure) for name in number.nodes}
        measured = tuple(self._name(name) for name in names.values())
        return Scene(frozenset(measured), (Condition(measured, sum_comparison(clause, tuple(names))),))

    def _count(self, clause: nodes.Count) -> InnerBlock:
        counted, counted_scene = self._term(clause.node)
        scenes = tuple(scene + counted_scene for scene in self.block(clause.block))
        low = 0 if clause.quantifier == "at most" else clause.number
        high = float("inf") if clause.quantifier == "at least" else clause.number
        return InnerBlock(scenes, counted, low, high)

    def _call(self, clause: nodes.Call) -> tuple[Scene, ...]:
        definition, module = self.predicates.names.patterns[clause.pattern.text]
        arguments = [self._name(argument) for argument in clause.arguments]
        callee = SceneBuilder(
            PredicateBuilder(names_of(module), self.predicates.family_value),
            {name.text: node for name, node in zip(definition.parameters, arguments, strict=True)},
            f"#{next(self.node_numbers)}",
            self.node_numbers,
        )
        argument_scene = Scene(frozenset(arguments))
        return tuple(argument_scene + scene for scene in callee.block(definition.block))

    def _term(self, term: nodes.NodeTerm) -> tuple[Node, Scene]:
        node = self._name(term.name)
        conditions: list[Condition] = []
        if term.upos:
            tags = frozenset(self.predicates.text(tag) for tag in term.upos)
            conditions.append(Condition((node,), lambda _, word: word.upos in tags))
        if term.test is not None:
            conditions.append(Condition((node,), self.predicates.test(term.test)))
        return node, Scene(frozenset({node}), tuple(conditions))

    def _name(self, name: nodes.Name | None) -> Node:
        if name is None:
            return f"_#{next(self.node_numbers)}"
        return self.parameters.get(name.text, name.text + self.suffix)


def _sum(scenes: Iterable[Scene]) -> Scene:
    return reduce(Scene.__add__, scenes, Scene())
