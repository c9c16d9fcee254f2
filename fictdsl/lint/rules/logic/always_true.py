"""A test that excludes nothing.

## What
A test that every word (or every sentence) passes. Also an alternative of an `or` that every word passes.

## Why
It has no effect. It is a leftover, or a mistake.

## Example
```fict
filter f { match { N:NOUN[not (has Number) or has Number] } }
```

## Use instead
```fict
filter f { match { N:NOUN } }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from fictdsl.diagnostics.codes.code import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.lint.context import LintContext
from fictdsl.syntax import nodes

CODE = Code(
    "FICT517",
    "always-true",
    "this is true of every {place}",
    "A test that excludes nothing is a leftover or a mistake.",
    Severity.WARNING,
)


def check(context: LintContext) -> Iterator[Diagnostic]:
    """Check each test by itself. In a family, it must be true for every value of the parameter."""
    for group, solvers in context.groups:
        for fact in group.local:
            if fact.implied or not all(solver.follows(fact.test, ()) for solver in solvers):
                continue
            alternatives = fact.test.tests if isinstance(fact.test, nodes.Or) else ()
            always_true = next(
                (
                    alternative
                    for alternative in alternatives
                    if all(solver.follows(alternative, ()) for solver in solvers)
                ),
                None,
            )
            span = fact.span if always_true is None else always_true.span
            yield context.report(CODE, span, fix=context.remove_test(fact, group), place=group.level)
