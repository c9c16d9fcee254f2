"""A test that excludes nothing.

## What
A test that every word (or every sentence) passes, whatever it is, and an alternative of an `or` that does.

## Why
It is left over, or is not what was meant.

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
from fictdsl.lint.subject import Subject
from fictdsl.syntax import nodes

CODE = Code(
    "FICT517",
    "always-true",
    "this is true of every {place}",
    "A test that excludes nothing is left over, or is not what was meant.",
    Severity.WARNING,
)


def check(subject: Subject) -> Iterator[Diagnostic]:
    """Look at each test by itself; in a family, it must be always true for every value of the parameter."""
    for group, ways in subject.groups:
        for fact in group.own:
            if fact.implied or not all(logic.follows(fact.test, ()) for logic in ways):
                continue
            parts = fact.test.tests if isinstance(fact.test, nodes.Or) else ()
            part = next((p for p in parts if all(logic.follows(p, ()) for logic in ways)), None)
            span = fact.span if part is None else part.span
            yield subject.report(CODE, span, fix=subject.without_test(fact, group), place=group.place)
