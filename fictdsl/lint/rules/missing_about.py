"""A filter without a description.

## What
A filter without `about "…"`, or with an empty one.

## Why
`fictc explain` and the report of a run show the description to people who do not read the filter itself.

## Example
```fict
filter f { match { N:NOUN } }
```

## Use instead
```fict
filter f {
  about "A noun."
  match { N:NOUN }
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from fictdsl.diagnostics.codes import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.lint.rule_context import LintContext
from fictdsl.syntax import nodes

CODE = Code(
    "FICT520",
    "missing-about",
    "{kind} `{name}` has no description",
    '`fictc explain` and the report of a run show the description of a filter, `about "…"`.',
    Severity.WARNING,
)


def check(context: LintContext) -> Iterator[Diagnostic]:
    for query in context.queries:
        descriptions = (
            entry.text.text for entry in query.metadata if isinstance(entry, nodes.Text) and entry.kind == "about"
        )
        if not any(description.strip() for description in descriptions):
            kind = "rewrite" if isinstance(query, nodes.RewriteDef) else "filter"
            yield context.report(CODE, query.name.span, hint='add `about "…"`', kind=kind, name=query.name.text)
