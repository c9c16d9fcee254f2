"""Two equivalent filters in one file.

## What
Two filters, or members of different families, that differ only in names, layout and order of clauses.

## Why
They match the same sentences, so a report shows the same results twice.

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
from fictdsl.diagnostics.codes import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Label, Severity
from fictdsl.lint.normal_form import normal_form
from fictdsl.lint.rule_context import LintContext

CODE = Code(
    "FICT524",
    "equal-filters",
    "filters `{one}` and `{other}` are equivalent",
    "The two differ only in names, layout or order, so they match the same sentences.",
    Severity.WARNING,
)


def check(context: LintContext) -> Iterator[Diagnostic]:
    """Compare the normal forms of all filters of the file."""
    if len(context.queries) < 2:
        return  # members of one family differ, unless its parameter is unused, which FICT508 reports
    by_normal_form: dict[str, CompiledFilter] = {}
    for compiled in context.filters:
        earlier = by_normal_form.setdefault(normal_form(compiled.ir), compiled)
        if earlier is compiled or earlier.definition is compiled.definition:
            continue
        span = compiled.definition.name.span
        labels = (Label(earlier.definition.name.span, "the other"),)
        yield context.report(CODE, span, labels=labels, one=earlier.name, other=compiled.name)
