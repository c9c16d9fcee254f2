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

from fictdsl.diagnostics.codes import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.lint.relation_constraints import RelationConstraints, coinciding_pairs, limits, node_name, parameter_pairs
from fictdsl.lint.rule_context import LintContext
from fictdsl.semantics.sums import NormalSum, normal_sum
from fictdsl.source import Span
from fictdsl.syntax import nodes
from fictdsl.syntax.walk import block_of, blocks_of, links, terms

CODE = Code(
    "FICT515",
    "impossible-relations",
    "this relation cannot hold{why}",
    "No tree and no order of words satisfies all these relations, so the filter, or the block, finds nothing.",
    Severity.WARNING,
)


def check(context: LintContext) -> Iterator[Diagnostic]:
    """Add the relations in the order of the text, and report each that contradicts the earlier ones."""
    for definition in context.definitions:
        constraints = RelationConstraints(may_coincide=frozenset(parameter_pairs(definition)))
        yield from _check_block(context, block_of(definition), constraints)


def _check_block(context: LintContext, block: nodes.Block, constraints: RelationConstraints) -> Iterator[Diagnostic]:
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
            yield context.report(CODE, span, why=why)
    for clause in block.clauses:
        for inner_block in blocks_of(clause):
            yield from _check_block(context, inner_block, constraints.copy())


# A function that adds constraints. It returns the reason if they cannot hold, else None.
AddConstraints = Callable[[RelationConstraints], str | None]


def _constraints_of(clause: nodes.Clause) -> Iterator[tuple[Span, AddConstraints]]:
    """Yield the span of each relation of a clause, and the function that adds its constraints."""
    match clause:
        case nodes.Chain():
            for left, link in links(clause):
                yield link.relation.span, _add_relation(link.relation, node_name(left), node_name(link.target))
        case nodes.Between():
            middle, left_end, right_end = (node_name(term) for term in terms(clause))
            yield clause.span, _add_between(middle, left_end, right_end)
        case nodes.AttributeComparison(left=left_side, op=op, right=right_side) if (
            _compares_ids(clause) and left_side.node != right_side.node
        ):
            yield clause.span, _add_comparison(left_side.node.text, op, right_side.node.text)
        case nodes.SumComparison():
            yield clause.span, _add_sums(normal_sum(clause))
        case _:
            pass


def _compares_ids(clause: nodes.AttributeComparison) -> bool:
    return all((side.attribute.name, side.attribute.key) == ("id", None) for side in (clause.left, clause.right))


def _add_relation(relation: nodes.Relation, left: str, right: str) -> AddConstraints:
    def add(constraints: RelationConstraints) -> str | None:
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

    return add


def _is_root(label: nodes.LabelTest) -> bool:
    return isinstance(label.label, nodes.Value) and label.label.text == "root"


def _add_between(middle: str, left: str, right: str) -> AddConstraints:
    def add(constraints: RelationConstraints) -> None:
        constraints.names |= {middle, left, right}
        constraints.between.append((middle, left, right))

    return add


def _add_comparison(left: str, op: str, right: str) -> AddConstraints:
    def add(constraints: RelationConstraints) -> str | None:
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

    return add


def _add_sums(normal: NormalSum) -> AddConstraints:
    def add(constraints: RelationConstraints) -> str | None:
        if normal.truth(constraints.may_coincide) is False:
            return ": a subtree has at least one word, and the distance of different words is at least 1"
        if (distances := normal.distances()) is not None:
            constraints.add_distance_either_way(*distances)
        return None

    return add
