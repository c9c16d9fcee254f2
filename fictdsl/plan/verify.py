"""Check the invariants of plans, which hold after `build` and after every pass."""

from __future__ import annotations

from fictdsl.plan.columns import condition_columns, inputs, provided_columns
from fictdsl.plan.nodes import AntiJoin, Grouped, Join, NodeColumn, Paths, Plan, Relation, SemiJoin


class BrokenPlanError(AssertionError):
    """A plan violates an invariant: a bug in the builder or in a pass."""


def verify(plan: Plan) -> None:
    """Raise BrokenPlanError if a plan violates an invariant.

    A step reads only earlier steps. Steps and outputs read only columns that are provided. Each output binds as many
    names as the plan has.
    """
    provided: list[set[NodeColumn]] = []
    for index, relation in enumerate(plan.relations):
        for ref in inputs(relation):
            if not 0 <= ref < index:
                raise BrokenPlanError(f"step {index} reads step {ref}, which is not before it")
        missing_columns = _missing_columns(relation, provided)
        if missing_columns:
            raise BrokenPlanError(f"step {index} reads {sorted(missing_columns)}, which no input provides")
        provided.append(provided_columns(relation, provided))
    for output in plan.outputs:
        if len(output.bound) != plan.name_count:
            raise BrokenPlanError(f"an output binds {len(output.bound)} names instead of {plan.name_count}")
        needed_columns = {(node, "id") for node in output.bound if node is not None}
        if not needed_columns <= provided[output.source]:
            raise BrokenPlanError(f"an output reads {sorted(needed_columns - provided[output.source])}")


def _missing_columns(relation: Relation, provided: list[set[NodeColumn]]) -> set[NodeColumn]:
    match relation:
        case Join(inputs=refs, conditions=conditions, keeps=keeps):
            needed_columns = set(keeps).union(*(condition_columns(condition) for condition in conditions))
            return needed_columns - set[NodeColumn]().union(*(provided[ref] for ref in refs))
        case SemiJoin(source=source, other=other, nodes=nodes) | AntiJoin(source=source, other=other, nodes=nodes):
            ids = {(node, "id") for node in nodes}
            return (ids - provided[source]) | (ids - provided[other])
        case Paths(source=source, node=node):
            return {(node, "id")} - provided[source]
        case Grouped(sources=sources, nodes=nodes):
            ids = {(node, "id") for node in nodes}
            return set[NodeColumn]().union(*((ids | {(counted, "id")}) - provided[ref] for ref, counted in sources))
    return set()
