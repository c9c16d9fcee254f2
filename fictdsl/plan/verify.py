"""Invariants of plans, which hold after `build` and after every pass."""

from __future__ import annotations

from fictdsl.plan.columns import cells, condition_cells, inputs
from fictdsl.plan.nodes import Anti, Cell, Grouped, Join, Paths, Plan, Relation, Semi


class BrokenPlanError(AssertionError):
    """A plan violates an invariant: a bug in the builder or in a pass."""


def verify(plan: Plan) -> None:
    """Raise BrokenPlanError if a step reads later steps or cells that its inputs do not provide."""
    offered: list[set[Cell]] = []
    for number, relation in enumerate(plan.relations):
        for ref in inputs(relation):
            if not 0 <= ref < number:
                raise BrokenPlanError(f"step {number} reads step {ref}, which is not before it")
        missing = _needs(relation, offered)
        if missing:
            raise BrokenPlanError(f"step {number} reads {sorted(missing)}, which no input offers")
        offered.append(cells(relation, offered))
    for output in plan.outputs:
        if len(output.bound) != plan.names:
            raise BrokenPlanError(f"an output binds {len(output.bound)} names instead of {plan.names}")
        wanted = {(node, "id") for node in output.bound if node is not None}
        if not wanted <= offered[output.source]:
            raise BrokenPlanError(f"an output reads {sorted(wanted - offered[output.source])}")


def _needs(relation: Relation, offered: list[set[Cell]]) -> set[Cell]:
    match relation:
        case Join(inputs=refs, conditions=conditions, keeps=keeps):
            wanted = set(keeps).union(*(condition_cells(condition) for condition in conditions))
            return wanted - set[Cell]().union(*(offered[ref] for ref in refs))
        case Semi(source=source, other=other, nodes=nodes) | Anti(source=source, other=other, nodes=nodes):
            ids = {(node, "id") for node in nodes}
            return (ids - offered[source]) | (ids - offered[other])
        case Paths(source=source, node=node):
            return {(node, "id")} - offered[source]
        case Grouped(sources=sources, nodes=nodes):
            ids = {(node, "id") for node in nodes}
            return set[Cell]().union(*((ids | {(counted, "id")}) - offered[ref] for ref, counted in sources))
    return set()
