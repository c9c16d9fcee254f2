"""A pattern that no block of the file calls.

## What
A pattern in a file that holds filters, and that neither its filters nor its other patterns call. In a file of lists
and patterns, which others use, nothing is reported.

## Why
The pattern is left over, or a call names another one than was meant.

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

from fictdsl.diagnostics.codes.code import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.lint.subject import Subject
from fictdsl.syntax import nodes

CODE = Code(
    "FICT507",
    "unused-pattern",
    "the pattern `{name}` is never used",
    "A pattern that no block calls in a file of filters is left over, or a call names another one than was meant.",
    Severity.WARNING,
)


def check(subject: Subject) -> Iterator[Diagnostic]:
    """Compare the patterns of the file with those its blocks call."""
    if not subject.filter_items:
        return
    called = {clause.pattern.text for _, clause in subject.clauses if isinstance(clause, nodes.Call)}
    for item in subject.module.file.items:
        if isinstance(item, nodes.PatternDef) and item.name.text not in called:
            fix = subject.edit.line(item.span, safe=False)  # another file may use it
            yield subject.report(CODE, item.name.span, fix=fix, name=item.name.text)
