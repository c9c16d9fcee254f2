"""The rewrites of a plan, in the order they run; each keeps every row of the result."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from fictdsl.plan.layout import PLAIN, Layout
from fictdsl.plan.nodes import Plan
from fictdsl.plan.passes.copies_instead_of_joins import copies_instead_of_joins
from fictdsl.plan.passes.drop_implied_distinctness import drop_implied_distinctness
from fictdsl.plan.passes.paths_instead_of_intervals import paths_instead_of_intervals
from fictdsl.plan.passes.prune_columns import prune_columns
from fictdsl.plan.passes.scans_within_scans import scans_within_scans

Pass: TypeAlias = Callable[[Plan, Layout], Plan]

PASSES: tuple[Pass, ...] = (
    drop_implied_distinctness,
    paths_instead_of_intervals,
    copies_instead_of_joins,
    scans_within_scans,
    prune_columns,
)


def optimize(plan: Plan, layout: Layout = PLAIN) -> Plan:
    """Run every pass once."""
    for rewrite in PASSES:
        plan = rewrite(plan, layout)
    return plan
