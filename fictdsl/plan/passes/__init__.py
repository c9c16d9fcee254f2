"""The rewrites of a plan, in the order they run; each keeps every row of the result."""

from __future__ import annotations

from collections.abc import Callable

from fictdsl.plan.nodes import Plan
from fictdsl.plan.passes.drop_implied_distinctness import drop_implied_distinctness
from fictdsl.plan.passes.prune_columns import prune_columns

PASSES: tuple[Callable[[Plan], Plan], ...] = (drop_implied_distinctness, prune_columns)


def optimize(plan: Plan) -> Plan:
    """Run every pass once."""
    for rewrite in PASSES:
        plan = rewrite(plan)
    return plan
