"""Remove unused and duplicate steps from a plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fictdsl.plan.columns import inputs
from fictdsl.plan.nodes import AntiJoin, Grouped, Join, Output, Paths, Plan, Ref, Relation, SemiJoin


def compact(plan: Plan) -> Plan:
    """Remove steps that no output needs and duplicates of earlier steps, and renumber the rest."""
    needed_refs = {output.source for output in plan.outputs}
    for index in reversed(range(len(plan.relations))):
        if index in needed_refs:
            needed_refs |= set(inputs(plan.relations[index]))
    refs: dict[Relation, Ref] = {}
    new_refs: dict[Ref, Ref] = {}
    for index in sorted(needed_refs):
        relation = renumbered(plan.relations[index], new_refs)
        new_refs[index] = refs.setdefault(relation, len(refs))
    outputs = tuple(dict.fromkeys(Output(new_refs[output.source], output.bound) for output in plan.outputs))
    return replace(plan, relations=tuple(refs), outputs=outputs)


def renumbered(relation: Relation, new_refs: Sequence[Ref] | dict[Ref, Ref]) -> Relation:
    """Return the relation with its inputs renumbered by `new_refs`."""
    match relation:
        case Join(inputs=refs):
            return replace(relation, inputs=tuple(new_refs[ref] for ref in refs))
        case Paths(source=source):
            return replace(relation, source=new_refs[source])
        case SemiJoin(source=source, other=other) | AntiJoin(source=source, other=other):
            return replace(relation, source=new_refs[source], other=new_refs[other])
        case Grouped(sources=sources):
            return replace(relation, sources=tuple((new_refs[ref], node) for ref, node in sources))
    return relation
