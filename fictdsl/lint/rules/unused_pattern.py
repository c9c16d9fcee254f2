"""A pattern that no block of the file calls.

## What
A pattern in a file with filters that neither its filters nor its other patterns call. Files without filters are not
checked, since other files use their patterns.

## Why
The pattern is a leftover, or a call names the wrong pattern.

## Example
```fict
pattern plural(N) { N[Number = Plur] }
filter f { match { N:NOUN } }
```

## Use instead
```fict
pattern plural(N) { N[Number = Plur] }
filter f { match { N:NOUN plural(N) } }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from fictdsl.diagnostics.codes import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.lint.rule_context import LintContext
from fictdsl.syntax import nodes

CODE = Code(
    "FICT507",
    "unused-pattern",
    "the pattern `{name}` is never used",
    "A pattern that no block of a file with filters calls is a leftover, or a call names the wrong pattern.",
    Severity.WARNING,
)


def check(context: LintContext) -> Iterator[Diagnostic]:
    """Compare the patterns of the file with those that its blocks call."""
    if not context.queries:
        return
    called = {clause.pattern.text for _, clause in context.clauses if isinstance(clause, nodes.Call)}
    for item in context.module.file.items:
        if isinstance(item, nodes.PatternDef) and item.name.text not in called:
            fix = context.fix_builder.remove_item(item.span, safe=False)  # another file may use it
            yield context.report(CODE, item.name.span, fix=fix, name=item.name.text)
