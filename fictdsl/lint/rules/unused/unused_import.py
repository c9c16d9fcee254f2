"""A file that is used for nothing.

## What
A `use` of a file none of whose lists and patterns is named, or of one that is used already.

## Why
It is read for nothing, and what changes there can break this file.

## Example
```fict
use "words.fict"
filter f { match { N:NOUN } }
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
    "FICT509",
    "unused-import",
    "nothing of `{path}` is used here",
    "A file that is used for nothing is read for nothing, and may break this one.",
    Severity.WARNING,
)


def check(subject: Subject) -> Iterator[Diagnostic]:
    """Compare the files that are used with those in which the names here are defined."""
    needed: set[int] = set()
    for _, clause in subject.clauses:
        if isinstance(clause, nodes.Call) and (pattern := subject.resolution.pattern_of(clause)) is not None:
            needed.add(id(pattern.module))
    for tested in subject.tests:
        if isinstance(tested.test, nodes.Member) and isinstance(tested.test.values, nodes.ListRef):
            found = subject.resolution.list_of(tested.test.values)
            if found is not None:
                needed.add(id(found.module))
    for item in subject.module.file.items:
        if isinstance(item, nodes.Use):
            used = id(subject.module.uses[item.path.text])
            if used not in needed:
                fix = subject.edit.line(item.span)
                yield subject.report(CODE, item.path.span, fix=fix, path=item.path.text)
            needed.discard(used)  # a second `use` of the same file brings nothing
