"""Split a scan with a disjunction of long lists into one scan for each list."""

from __future__ import annotations

from dataclasses import replace

from fictdsl.plan.layout import Layout
from fictdsl.plan.nodes import TokenScan
from fictdsl.plan.order import combined_selectivity
from fictdsl.semantics import ir

_MIN_VALUES = 4  # a list with at least this many values is expensive to look up inside OR
_MIN_SHARE = 0.05  # if the other tests leave a smaller share of words, the scan is not split


def alternatives(scan: TokenScan, layout: Layout) -> tuple[TokenScan, ...]:
    """Return scans whose union, which may contain duplicates, is the result of `scan`.

    Looking up a list outside of OR costs half as much. Return the scan itself if no test is a disjunction of long
    lists, or if the other tests leave few words.
    """
    for test in scan.tests:
        if isinstance(test, ir.Any) and test.tests and all(map(_is_long, test.tests)):
            other_tests = tuple(other for other in scan.tests if other is not test)
            if combined_selectivity(other_tests, layout) > _MIN_SHARE:
                return tuple(replace(scan, tests=(alternative, *other_tests)) for alternative in test.tests)
    return (scan,)


def _is_long(test: ir.Test) -> bool:
    return isinstance(test, ir.OneOf) and isinstance(test.attribute, ir.Column) and len(test.values) >= _MIN_VALUES
