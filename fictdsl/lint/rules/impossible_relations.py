"""Relations that contradict each other.

## What
A cycle of `->` and `->>`, a word with two heads, a word that is a sibling of a word above it, an edge with the label
`root`, and an order in which a word would be before itself or in the position of another word. `<`, `<<{..}`,
`between`, comparisons of `id` and of the `distance` of two words with a number are considered together. Also a
comparison of numbers of words that no tree satisfies. Relations of the enhanced graph are not checked, since the
graph may have cycles.

## Why
The filter finds nothing, or the `without` never excludes anything.

## Example
```fict
filter f { match { V -[nsubj]-> S  V << S  S << V } }
```

## Use instead
```fict
filter f { match { V -[nsubj]-> S  S << V } }
```
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass, field, fields
from functools import partial
from typing import TypeAlias

from fictdsl.lint.facts import coinciding_pairs, limits, node_name, parameter_pairs
from fictdsl.lint.rule_context import Findings, LintContext, Rule
from fictdsl.source import Span
from fictdsl.syntax import nodes
from fictdsl.syntax.walk import UNBOUNDED, Definition, NormalSum, block_of, blocks_of, links, normal_sum, terms

RULE = Rule(
    "FICT515",
    "this relation cannot hold{why}",
    "No tree and no order of words satisfies all these relations, so the filter, or the block, finds nothing.",
)

_MAX_NODES = 40  # more than a filter may have; patterns have no limit


@RULE.over(LintContext.definitions)
def check(context: LintContext, definition: Definition) -> Findings:
    """Add the relations in the order of the text, and report each that contradicts the earlier ones."""
    constraints = RelationConstraints(may_coincide=frozenset(parameter_pairs(definition)))
    yield from _check_block(context, block_of(definition), constraints)


def _check_block(context: LintContext, block: nodes.Block, constraints: RelationConstraints) -> Findings:
    constraints.may_coincide |= frozenset(coinciding_pairs(block))
    relations = [relation for clause in block.clauses for relation in _constraints_of(clause)]
    all_constraints = constraints.copy()
    reasons = [add_constraints(all_constraints) for _, add_constraints in relations]
    if all_constraints.is_too_large:
        return
    if not any(reasons) and all_constraints.contradiction() is None:
        constraints, relations = all_constraints, []  # the usual case, without a check of each relation
    for span, add_constraints in relations:
        extended_constraints = constraints.copy()
        why = add_constraints(extended_constraints) or extended_constraints.contradiction()
        if why is None:
            constraints = extended_constraints
        else:
            yield context.report(RULE, span, why=why)
    for clause in block.clauses:
        for inner_block in blocks_of(clause):
            yield from _check_block(context, inner_block, constraints.copy())


# A function that adds constraints. It returns the reason if they cannot hold, else None.
AddConstraints: TypeAlias = "Callable[[RelationConstraints], str | None]"


def _constraints_of(clause: nodes.Clause) -> Iterator[tuple[Span, AddConstraints]]:
    match clause:
        case nodes.Chain():
            for left, link in links(clause):
                yield link.relation.span, partial(_add_relation, link.relation, node_name(left), node_name(link.target))
        case nodes.Between():
            middle, left_end, right_end = (node_name(term) for term in terms(clause))
            yield clause.span, partial(_add_between, middle, left_end, right_end)
        case nodes.AttributeComparison(left=left_side, op=op, right=right_side) if (
            _compares_ids(clause) and left_side.node != right_side.node
        ):
            yield clause.span, partial(_add_comparison, left_side.node.text, op, right_side.node.text)
        case nodes.SumComparison():
            yield clause.span, partial(_add_sums, normal_sum(clause))
        case _:
            pass


def _compares_ids(clause: nodes.AttributeComparison) -> bool:
    return all((side.attribute.name, side.attribute.key) == ("id", None) for side in (clause.left, clause.right))


def _add_relation(relation: nodes.Relation, left: str, right: str, constraints: RelationConstraints) -> str | None:
    match relation:
        case nodes.Next():
            constraints.add_distance(left, right, 1, 1)
        case nodes.Before(bounds=bounds):
            low, high = limits(bounds)
            constraints.add_distance(left, right, low, high)
        case nodes.Siblings():
            constraints.names |= {left, right}
            constraints.siblings.add((left, right))
        case nodes.Path(bounds=bounds):
            constraints.names |= {left, right}
            low, high = limits(bounds)
            (constraints.above if low else constraints.above_or_same).add((left, right))
            if low == high == 1:
                return constraints.add_head(left, right)
        case nodes.Edge(enhanced=False, from_dependent=from_dependent, labels=labels):
            if labels is not None and not labels.negated and all(_is_root(label) for label in labels.labels):
                return ": the root has no head word, so no edge has the label `root`"
            return constraints.add_head(right, left) if from_dependent else constraints.add_head(left, right)
        case _:
            pass
    return None


def _is_root(label: nodes.LabelTest) -> bool:
    return isinstance(label.label, nodes.Value) and label.label.text == "root"


def _add_between(middle: str, left: str, right: str, constraints: RelationConstraints) -> None:
    constraints.names |= {middle, left, right}
    constraints.between.append((middle, left, right))


def _add_comparison(left: str, op: str, right: str, constraints: RelationConstraints) -> str | None:
    may_coincide = frozenset((left, right)) in constraints.may_coincide
    match op:
        case "=" if not may_coincide:
            return ": different nodes are different words, with different ids"
        case "=":
            constraints.add_distance(left, right, 0, 0)
        case "<" | "<=":
            constraints.add_distance(left, right, 0 if may_coincide and op == "<=" else 1)
        case ">" | ">=":
            constraints.add_distance(right, left, 0 if may_coincide and op == ">=" else 1)
    return None


def _add_sums(normal: NormalSum, constraints: RelationConstraints) -> str | None:
    if normal.truth(constraints.may_coincide) is False:
        return ": a subtree has at least one word, and the distance of different words is at least 1"
    if (distances := normal.distances()) is not None:
        constraints.add_distance_either_way(*distances)
    return None


@dataclass(slots=True)
class RelationConstraints:
    """The constraints that relations put on nodes, identified by name, unnamed ones by `_` and a number.

    Order is a system of difference constraints between word ids; dominance is a transitive relation without cycles.
    `max_distance[a, b]` is the upper bound of id(b) − id(a). `heads` maps a dependent to its head. `above`
    contains pairs of an ancestor and a descendant, and in `above_or_same` both may be the same word. `siblings`
    contains pairs of nodes with the same head. `between` contains triples of a middle and two ends, which may be in
    either order. `apart` maps a pair of nodes to their least distance, whichever is first. The nodes of a pair in
    `may_coincide` may be the same word.
    """

    names: set[str] = field(default_factory=set)
    max_distance: dict[tuple[str, str], int] = field(default_factory=dict)
    heads: dict[str, str] = field(default_factory=dict)
    above: set[tuple[str, str]] = field(default_factory=set)
    above_or_same: set[tuple[str, str]] = field(default_factory=set)
    siblings: set[tuple[str, str]] = field(default_factory=set)
    between: list[tuple[str, str, str]] = field(default_factory=list)
    apart: dict[tuple[str, str], int] = field(default_factory=dict)
    may_coincide: frozenset[frozenset[str]] = frozenset()

    @property
    def is_too_large(self) -> bool:
        return len(self.names) > _MAX_NODES

    def copy(self) -> RelationConstraints:
        return RelationConstraints(*(copy(getattr(self, each.name)) for each in fields(self)))

    def add_distance(self, left: str, right: str, low: int, high: int = UNBOUNDED) -> None:
        """Add the constraint low ≤ id(right) − id(left) ≤ high."""
        self.names |= {left, right}
        self.max_distance[left, right] = min(high, self.max_distance.get((left, right), UNBOUNDED))
        self.max_distance[right, left] = min(-low, self.max_distance.get((right, left), UNBOUNDED))

    def add_distance_either_way(self, left: str, right: str, low: int, high: int) -> None:
        """Add the constraint low ≤ |id(right) − id(left)| ≤ high."""
        self.add_distance(left, right, -high, high)
        self.apart[left, right] = max(low, self.apart.get((left, right), 0))

    def add_head(self, head: str, dependent: str) -> str | None:
        """Add `head` as the head of `dependent`. If that is impossible, return the reason with a leading ": "."""
        self.names |= {head, dependent}
        known_head = self.heads.setdefault(dependent, head)
        self.above.add((head, dependent))
        if known_head != head and frozenset((known_head, head)) not in self.may_coincide:
            heads = f"`{_shown_name(known_head)}` and `{_shown_name(head)}`"
            return f": `{_shown_name(dependent)}` would have two heads, {heads}"
        return None

    def contradiction(self) -> str | None:
        """Return the description of a contradiction, with a leading ": "; None if none is found."""
        return self._dominance_conflict() or self._order_conflict()

    def _dominance_conflict(self) -> str | None:
        names = sorted(self.names)
        strictly_above = set(self.above)
        above_or_same = strictly_above | self.above_or_same
        for middle in names:
            for top in names:
                for bottom in names:
                    if (top, middle) in above_or_same and (middle, bottom) in above_or_same:
                        above_or_same.add((top, bottom))
                        if (top, middle) in strictly_above or (middle, bottom) in strictly_above:
                            strictly_above.add((top, bottom))
        for name in names:
            if (name, name) in strictly_above:
                return f": `{_shown_name(name)}` would be above itself"
        for left, right in self.siblings:
            if (left, right) in strictly_above or (right, left) in strictly_above:
                shown_pair = f"`{_shown_name(left)}` and `{_shown_name(right)}`"
                return f": {shown_pair} would be siblings, and one would be above the other"
        return None

    def _order_conflict(self) -> str | None:
        undirected, apart = list(dict.fromkeys(self.between)), list(self.apart.items())
        count = 0
        while count != (count := len(undirected) + len(apart)):  # one may determine the direction of another
            bounds = self._shortest_paths() or {}
            undirected = [between for between in undirected if not self._direct(*between, bounds)]
            apart = [(pair, low) for pair, low in apart if not self._order(*pair, low, bounds)]
        shortest = self._shortest_paths()
        if shortest is None:
            return ": the distances contradict each other" if self.apart else ": a word would be before itself"
        for (left, right), high in shortest.items():
            is_same_word = left != right and high == 0 and shortest.get((right, left)) == 0
            if is_same_word and frozenset((left, right)) not in self.may_coincide:
                return f": `{_shown_name(left)}` and `{_shown_name(right)}` would be the same word"
        return None

    def _direct(self, middle: str, end: str, other_end: str, bounds: dict[tuple[str, str], int]) -> bool:
        """Add the distances of a `between` if `bounds` determine the order of its ends. Return whether they do."""
        for left, right in ((end, other_end), (other_end, end)):
            pairs = ((right, left), (middle, left), (right, middle))
            if any(bounds.get(pair, UNBOUNDED) < 0 for pair in pairs):
                self.add_distance(left, middle, 1)
                self.add_distance(middle, right, 1)
                return True
        return False

    def _order(self, left: str, right: str, low: int, bounds: dict[tuple[str, str], int]) -> bool:
        """Add the least distance of two nodes if `bounds` leave only one order of them. Return whether they do."""
        for first, last in ((left, right), (right, left)):
            if bounds.get((last, first), UNBOUNDED) < low:
                self.add_distance(first, last, low)
                return True
        return False

    def _shortest_paths(self) -> dict[tuple[str, str], int] | None:
        """Return the tightest bounds on distances (Floyd–Warshall); None if the constraints are contradictory."""
        names = sorted(self.names)
        bounds = dict(self.max_distance)
        for middle in names:
            for left in names:
                left_to_middle = bounds.get((left, middle))
                if left_to_middle is None or left_to_middle >= UNBOUNDED:
                    continue
                for right in names:
                    middle_to_right = bounds.get((middle, right))
                    if middle_to_right is None or middle_to_right >= UNBOUNDED:
                        continue
                    if left_to_middle + middle_to_right < bounds.get((left, right), UNBOUNDED):
                        bounds[left, right] = left_to_middle + middle_to_right
        return None if any(bounds.get((name, name), 0) < 0 for name in names) else bounds


def _shown_name(node: str) -> str:
    return "_" if node.startswith("_") else node
