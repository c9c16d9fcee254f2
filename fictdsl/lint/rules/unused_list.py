"""A list that no test of the file uses.

## What
A list in a file with filters that neither its filters nor its patterns use. Files without filters are not checked,
since other files use their lists.

## Why
The list is a leftover, or a test names the wrong list.

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

from fictdsl.diagnostics.codes import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.lint.rule_context import LintContext
from fictdsl.syntax import nodes
from fictdsl.syntax.walk import list_references

CODE = Code(
    "FICT506",
    "unused-list",
    "the list `{name}` is never used",
    "A list that no test of a file with filters uses is a leftover, or a test names the wrong list.",
    Severity.WARNING,
)


def check(context: LintContext) -> Iterator[Diagnostic]:
    """Compare the lists of the file with those that its tests name."""
    if not context.queries:
        return
    used_names = {reference.name for _, clause in context.clauses for reference in list_references(clause)}
    for item in context.module.file.items:
        if isinstance(item, nodes.ListDef) and item.name.text not in used_names:
            fix = context.fix_builder.remove_item(item.span, safe=False)  # another file may use it
            yield context.report(CODE, item.name.span, fix=fix, name=item.name.text)
