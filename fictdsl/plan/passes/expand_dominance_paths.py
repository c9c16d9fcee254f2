"""Replace dominance with recursive paths in raw layouts, which lack interval columns."""

from __future__ import annotations

from dataclasses import replace

from fictdsl.plan.columns import condition_nodes, provided_columns
from fictdsl.plan.compact import compact, renumbered
from fictdsl.plan.layout import PLAIN, Layout
from fictdsl.plan.nodes import Ends, Join, JoinCondition, NodeColumn, Output, Paths, Plan, Ref, Relation, TokenScan
from fictdsl.plan.order import combined_selectivity, tightness
from fictdsl.plan.passes.prune_columns import prune_columns
from fictdsl.semantics import ir

_PATH_ID_BASE = -1000  # the ids of paths are smaller, those of enhanced edges greater
_FAN_OUT = 4  # assumed ratio of the words below a non-leaf word to the words above it


def expand_dominance_paths(plan: Plan, layout: Layout = PLAIN) -> Plan:
    """In a raw layout, join the inputs that conditions other than dominance connect, then follow tree edges."""
    if not layout.raw:
        return plan
    rewriter = _Rewriter()
    new_refs: list[Ref] = []
    for relation in plan.relations:
        new_relation = renumbered(relation, new_refs)
        new_refs.append(
            rewriter.add(rewriter.expand_join(new_relation) if isinstance(new_relation, Join) else new_relation)
        )
    outputs = tuple(Output(new_refs[output.source], output.bound) for output in plan.outputs)
    return prune_columns(compact(replace(plan, relations=tuple(rewriter.relations), outputs=outputs)))


class _Group:
    """Inputs of a join that are connected by conditions other than dominance and distinctness."""

    def __init__(self, ref: Ref, nodes: set[ir.Node], selectivity: float) -> None:
        self.refs = [ref]
        self.nodes = nodes
        self.selectivity = selectivity

    def absorb(self, other: _Group) -> None:
        """Add another group's inputs, sorted by index."""
        self.refs = sorted({*self.refs, *other.refs})
        self.nodes |= other.nodes
        self.selectivity = min(self.selectivity, other.selectivity)


class _Rewriter:
    """Builds the relations of the rewritten plan. A join with dominance becomes several relations."""

    def __init__(self) -> None:
        self.relations: list[Relation] = []
        self._provided: list[set[NodeColumn]] = []
        self._path_count = 0

    def add(self, relation: Relation) -> Ref:
        """Append a relation and return its index."""
        self.relations.append(relation)
        self._provided.append(provided_columns(relation, self._provided))
        return len(self.relations) - 1

    def expand_join(self, join: Join) -> Join:
        """Return an equivalent join with a path in place of each dominance, and add the relations that it reads."""
        dominances = [condition for condition in join.conditions if isinstance(condition, ir.Dominates)]
        if not dominances:
            return join
        groups = self._groups(join)
        conditions_by_group, remaining = _split(join, groups)
        refs = {
            group: self._add_group_join(group, join, conditions) for group, conditions in conditions_by_group.items()
        }
        inputs: dict[Ref, None] = {}
        ends: list[JoinCondition] = []
        for dominance in sorted(
            dominances, key=lambda dominance: min(group.selectivity for group in _groups_of_ends(groups, dominance))
        ):
            above_group, below_group = _groups_of_ends(groups, dominance)
            up = below_group.selectivity <= _FAN_OUT * above_group.selectivity
            start, end = (below_group, above_group) if up else (above_group, below_group)
            path = self._path(dominance, refs[start], up=up)
            inputs |= dict.fromkeys((refs[start], self.add(path), refs[end]))
            ends.append(Ends(path.edge, dominance.above, dominance.below))
        return Join(tuple(inputs | dict.fromkeys(refs.values())), (*remaining, *ends), join.keeps)

    def _path(self, dominance: ir.Dominates, source: Ref, *, up: bool) -> Paths:
        self._path_count += 1
        start = dominance.below if up else dominance.above
        return Paths(_PATH_ID_BASE - self._path_count, source, start, up, dominance.low, dominance.high)

    def _groups(self, join: Join) -> list[_Group]:
        groups = [_Group(ref, {node for node, _ in self._provided[ref]}, self._selectivity(ref)) for ref in join.inputs]
        for condition in join.conditions:
            if not isinstance(condition, ir.Dominates) and tightness(condition):
                first_group, *other_groups = (group for group in groups if group.nodes & condition_nodes(condition))
                for group in other_groups:
                    first_group.absorb(group)
                    groups.remove(group)
        return groups

    def _add_group_join(self, group: _Group, join: Join, conditions: list[JoinCondition]) -> Ref:
        if len(group.refs) == 1 and not conditions:
            return group.refs[0]
        refs = tuple(ref for ref in join.inputs if ref in group.refs)
        return self.add(
            Join(refs, tuple(conditions), tuple(sorted(set().union(*(self._provided[ref] for ref in refs)))))
        )

    def _selectivity(self, ref: Ref) -> float:
        """Estimate the selectivity of an input. Inputs other than scans of `tokens` are assumed to have few rows."""
        relation = self.relations[ref]
        return combined_selectivity(relation.tests) if isinstance(relation, TokenScan) else 0.01


def _split(join: Join, groups: list[_Group]) -> tuple[dict[_Group, list[JoinCondition]], list[JoinCondition]]:
    """Return the conditions within each group, and the conditions across groups, except dominances."""
    conditions_by_group: dict[_Group, list[JoinCondition]] = {group: [] for group in groups}
    remaining: list[JoinCondition] = []
    for condition in join.conditions:
        if not isinstance(condition, ir.Dominates):
            nodes = condition_nodes(condition)
            next((conditions_by_group[group] for group in groups if nodes <= group.nodes), remaining).append(condition)
    return conditions_by_group, remaining


def _groups_of_ends(groups: list[_Group], dominance: ir.Dominates) -> tuple[_Group, _Group]:
    above_group, below_group = (
        next(group for group in groups if node in group.nodes) for node in (dominance.above, dominance.below)
    )
    return above_group, below_group
