"""A scan for words in one of several long lists to a scan for each list."""

from __future__ import annotations

from dataclasses import replace

from fictdsl.plan.layout import Layout
from fictdsl.plan.nodes import TokenScan
from fictdsl.plan.order import combined_selectivity
from fictdsl.semantics import ir

_LONG = 4  # values from which a list is dear to look up inside of OR
_RARE = 0.05  # where other tests leave less of the words, how the lists are read matters little


def alternatives(scan: TokenScan, layout: Layout) -> tuple[TokenScan, ...]:
    """Scans that find together, some words twice, what the one finds: a list alone is looked up at half the cost.

    Only the scan itself where no test asks for one of several lists, or where its other tests leave few words.
    """
    for test in scan.tests:
        if isinstance(test, ir.Any) and all(_is_long(part) for part in test.tests):
            others = tuple(other for other in scan.tests if other is not test)
            if combined_selectivity(others, layout) > _RARE:
                return tuple(replace(scan, tests=(part, *others)) for part in test.tests)
    return (scan,)


def _is_long(test: ir.Test) -> bool:
    return isinstance(test, ir.OneOf) and isinstance(test.attribute, ir.Column) and len(test.values) >= _LONG
