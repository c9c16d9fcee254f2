"""The optimization passes, in the order they run. None of them changes the result of a plan."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from fictdsl.plan.layout import PLAIN, Layout
from fictdsl.plan.nodes import Plan
from fictdsl.plan.passes.drop_implied_distinctness import drop_implied_distinctness
from fictdsl.plan.passes.expand_dominance_paths import expand_dominance_paths
from fictdsl.plan.passes.prune_columns import prune_columns
from fictdsl.plan.passes.read_neighbour_columns import read_neighbour_columns
from fictdsl.plan.passes.reuse_selective_scans import reuse_selective_scans

Pass: TypeAlias = Callable[[Plan, Layout], Plan]

PASSES: tuple[Pass, ...] = (
    drop_implied_distinctness,
    expand_dominance_paths,
    read_neighbour_columns,
    reuse_selective_scans,
    prune_columns,
)


def optimize(plan: Plan, layout: Layout = PLAIN) -> Plan:
    """Run every pass once, in order."""
    for apply_pass in PASSES:
        plan = apply_pass(plan, layout)
    return plan
