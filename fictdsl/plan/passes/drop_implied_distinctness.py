"""Drop `Distinct` conditions that other conditions imply."""

from __future__ import annotations

from dataclasses import replace

from fictdsl.plan.layout import PLAIN, Layout
from fictdsl.plan.nodes import AntiJoin, Join, JoinCondition, Plan, Relation, SemiJoin
from fictdsl.semantics import ir

Pair = tuple[ir.Node, ir.Node]


def drop_implied_distinctness(plan: Plan, _layout: Layout = PLAIN) -> Plan:
    """Drop a `Distinct` if one node dominates or precedes the other, or if the nodes are known to differ.

    Dominance and precedence are transitive, and what holds for a join's inputs holds for the join.
    """
    facts_of_steps: list[_Facts] = []
    relations: list[Relation] = []
    for relation in plan.relations:
        match relation:
            case Join(inputs=inputs, conditions=conditions):
                facts = _Facts.combined([facts_of_steps[ref] for ref in inputs])
                facts.add_conditions(conditions)
                remaining = tuple(
                    condition
                    for condition in conditions
                    if not (
                        isinstance(condition, ir.Distinct) and facts.imply_distinct(condition.left, condition.right)
                    )
                )
                facts.distinct |= {
                    (condition.left, condition.right) for condition in remaining if isinstance(condition, ir.Distinct)
                }
                facts_of_steps.append(facts)
                relations.append(replace(relation, conditions=remaining))
            case SemiJoin(source=source) | AntiJoin(source=source):
                facts_of_steps.append(facts_of_steps[source])
                relations.append(relation)
            case _:
                facts_of_steps.append(_Facts())
                relations.append(relation)
    return replace(plan, relations=tuple(relations))


class _Facts:
    """Pairs of nodes known to be in strict dominance, in strict precedence, or different for another reason."""

    def __init__(self) -> None:
        self.above: set[Pair] = set()
        self.before: set[Pair] = set()
        self.distinct: set[Pair] = set()

    @classmethod
    def combined(cls, inputs: list[_Facts]) -> _Facts:
        """Return the union of the facts of several inputs."""
        facts = cls()
        for input_facts in inputs:
            facts.above |= input_facts.above
            facts.before |= input_facts.before
            facts.distinct |= input_facts.distinct
        return facts

    def add_conditions(self, conditions: tuple[JoinCondition, ...]) -> None:
        """Add the facts that conditions other than `Distinct` express."""
        for condition in conditions:
            match condition:
                case ir.Edge(head=above, dependent=below):
                    self.above.add((above, below))
                case ir.Dominates(above=above, below=below, low=low) if low > 0:
                    self.above.add((above, below))
                case ir.Precedes(left=left, right=right):
                    self.before.add((left, right))
                case ir.Between(middle=middle, left=left, right=right):
                    self.distinct |= {(middle, left), (middle, right), (left, right)}
                case _:
                    pass

    def imply_distinct(self, left: ir.Node, right: ir.Node) -> bool:
        """Return whether two nodes are known to be different words."""
        return any(
            (a, b) in self.distinct or _reaches(self.above, a, b) or _reaches(self.before, a, b)
            for a, b in ((left, right), (right, left))
        )


def _reaches(edges: set[Pair], start: ir.Node, end: ir.Node) -> bool:
    reached, frontier = {start}, [start]
    while frontier:
        current = frontier.pop()
        for source, target in edges:
            if source == current and target not in reached:
                reached.add(target)
                frontier.append(target)
    return end in reached and start != end
