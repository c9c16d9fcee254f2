"""Do not ask whether two words differ where another condition says so."""

from __future__ import annotations

from dataclasses import replace

from fictdsl.plan.layout import PLAIN, Layout
from fictdsl.plan.nodes import Anti, Join, JoinCondition, Plan, Relation, Semi
from fictdsl.semantics import ir

Pair = tuple[ir.Node, ir.Node]


def drop_implied_distinctness(plan: Plan, _layout: Layout = PLAIN) -> Plan:
    """Drop a `Distinct` whose nodes dominate, precede or are already known to differ from each other.

    Dominance and order are each transitive; what holds of a join's inputs holds of the join.
    """
    known: list[_Facts] = []
    relations: list[Relation] = []
    for relation in plan.relations:
        match relation:
            case Join(inputs=inputs, conditions=conditions):
                facts = _Facts.of([known[ref] for ref in inputs])
                facts.learn(conditions)
                kept = tuple(
                    condition
                    for condition in conditions
                    if not (isinstance(condition, ir.Distinct) and facts.imply(condition.left, condition.right))
                )
                facts.differ |= {(c.left, c.right) for c in kept if isinstance(c, ir.Distinct)}
                known.append(facts)
                relations.append(replace(relation, conditions=kept))
            case Semi(source=source) | Anti(source=source):
                known.append(known[source])
                relations.append(relation)
            case _:
                known.append(_Facts())
                relations.append(relation)
    return replace(plan, relations=tuple(relations))


class _Facts:
    """Pairs known to be in strict dominance, in strict order, or different for another reason."""

    def __init__(self) -> None:
        self.above: set[Pair] = set()
        self.before: set[Pair] = set()
        self.differ: set[Pair] = set()

    @classmethod
    def of(cls, others: list[_Facts]) -> _Facts:
        """All that any of the others knows."""
        facts = cls()
        for other in others:
            facts.above |= other.above
            facts.before |= other.before
            facts.differ |= other.differ
        return facts

    def learn(self, conditions: tuple[JoinCondition, ...]) -> None:
        """Add what these conditions say, other than `Distinct`."""
        for condition in conditions:
            match condition:
                case ir.Edge(head=above, dependent=below):
                    self.above.add((above, below))
                case ir.Dominates(above=above, below=below, low=low) if low > 0:
                    self.above.add((above, below))
                case ir.Precedes(left=left, right=right):
                    self.before.add((left, right))
                case ir.Between(middle=middle, left=left, right=right):
                    self.differ |= {(middle, left), (middle, right), (left, right)}
                case _:
                    pass

    def imply(self, left: ir.Node, right: ir.Node) -> bool:
        """Whether the two are known to be different words."""
        return any(
            (one, other) in self.differ or _reaches(self.above, one, other) or _reaches(self.before, one, other)
            for one, other in ((left, right), (right, left))
        )


def _reaches(edges: set[Pair], start: ir.Node, end: ir.Node) -> bool:
    reached, frontier = {start}, [start]
    while frontier:
        here = frontier.pop()
        for one, other in edges:
            if one == here and other not in reached:
                reached.add(other)
                frontier.append(other)
    return end in reached and start != end
