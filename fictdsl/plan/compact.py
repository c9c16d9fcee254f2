"""Remove unused and duplicate steps from a plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fictdsl.plan.columns import inputs
from fictdsl.plan.nodes import Anti, Grouped, Join, Output, Paths, Plan, Ref, Relation, Semi


def compact(plan: Plan) -> Plan:
    """Remove steps that no output needs and duplicates of earlier steps, and renumber the rest."""
    needed = {output.source for output in plan.outputs}
    for number in reversed(range(len(plan.relations))):
        if number in needed:
            needed |= set(inputs(plan.relations[number]))
    refs: dict[Relation, Ref] = {}
    moved: dict[Ref, Ref] = {}
    for number in sorted(needed):
        relation = renumbered(plan.relations[number], moved)
        moved[number] = refs.setdefault(relation, len(refs))
    outputs = tuple(dict.fromkeys(Output(moved[output.source], output.bound) for output in plan.outputs))
    return replace(plan, relations=tuple(refs), outputs=outputs)


def renumbered(relation: Relation, moved: Sequence[Ref] | dict[Ref, Ref]) -> Relation:
    """Return the relation with its inputs renumbered by `moved`."""
    match relation:
        case Join(inputs=refs):
            return replace(relation, inputs=tuple(moved[ref] for ref in refs))
        case Paths(source=source):
            return replace(relation, source=moved[source])
        case Semi(source=source, other=other) | Anti(source=source, other=other):
            return replace(relation, source=moved[source], other=moved[other])
        case Grouped(sources=sources):
            return replace(relation, sources=tuple((moved[ref], node) for ref, node in sources))
    return relation
