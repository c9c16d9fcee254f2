"""A filter that finds the same as another one of the file.

## What
Two filters, or two members of families, that differ in names, layout and order of clauses only.

## Why
They take the same sentences out of a corpus twice, and a report shows the same row twice.

## Example
```fict
filter one { match { V -[nsubj]-> S  S << V } }
filter two { match { A << B  B -[nsubj]-> A } }
```

## Use instead
```fict
filter one { match { V -[nsubj]-> S  S << V } }
filter two { match { A << B  A -[nsubj]-> B } }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from fictdsl.compiler import CompiledFilter
from fictdsl.diagnostics.codes.code import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Label, Severity
from fictdsl.lint.logic.normal_form import normal_form
from fictdsl.lint.subject import Subject

CODE = Code(
    "FICT524",
    "equal-filters",
    "filters `{one}` and `{other}` find the same",
    "The two differ in names, layout or order only, so they remove the same sentences twice.",
    Severity.WARNING,
)


def check(subject: Subject) -> Iterator[Diagnostic]:
    """Compare the normal forms of all filters of the file."""
    if len(subject.filter_items) < 2:
        return  # the members of one family differ, or its parameter is unused, which is said elsewhere
    first: dict[str, CompiledFilter] = {}
    for compiled in subject.filters:
        other = first.setdefault(normal_form(compiled.ir), compiled)
        if other is compiled or other.definition is compiled.definition:
            continue
        place = compiled.definition.name.span
        labels = (Label(other.definition.name.span, "the other"),)
        yield subject.report(CODE, place, labels=labels, one=other.name, other=compiled.name)
