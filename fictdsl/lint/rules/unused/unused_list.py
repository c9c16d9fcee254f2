"""A list that no test of the file names.

## What
A list in a file that holds filters, and that neither its filters nor its patterns name. In a file of lists and
patterns, which others use, nothing is reported.

## Why
The list is left over, or a test names another list than was meant.

## Example
```fict
list determiners = {this, that}
filter f { match { D[lower(form) in {this}] } }
```

## Use instead
```fict
list determiners = {this, that}
filter f { match { D[lower(form) in @determiners] } }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from fictdsl.diagnostics.codes.code import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.lint.subject import Subject
from fictdsl.syntax import nodes

CODE = Code(
    "FICT506",
    "unused-list",
    "the list `{name}` is never used",
    "A list that no test names in a file of filters is left over, or a test names another list than was meant.",
    Severity.WARNING,
)


def check(subject: Subject) -> Iterator[Diagnostic]:
    """Compare the lists of the file with those its tests name."""
    if not subject.filter_items:
        return
    named = {
        tested.test.values.name
        for tested in subject.tests
        if isinstance(tested.test, nodes.Member) and isinstance(tested.test.values, nodes.ListRef)
    }
    for item in subject.module.file.items:
        if isinstance(item, nodes.ListDef) and item.name.text not in named:
            fix = subject.edit.line(item.span, safe=False)  # another file may use it
            yield subject.report(CODE, item.name.span, fix=fix, name=item.name.text)
