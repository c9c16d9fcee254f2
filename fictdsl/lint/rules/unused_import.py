"""A `use` of a file that is not needed.

## What
A `use` of a file whose lists and patterns are not used here, or a second `use` of the same file.

## Why
The file is read for nothing, and an error in it is an error here.

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

from fictdsl.diagnostics.codes import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.lint.rule_context import LintContext
from fictdsl.syntax import nodes
from fictdsl.syntax.walk import list_references

CODE = Code(
    "FICT509",
    "unused-import",
    "nothing from `{path}` is used here",
    "The file is read for nothing, and an error in it is an error here.",
    Severity.WARNING,
)


def check(context: LintContext) -> Iterator[Diagnostic]:
    """Compare the files after `use` with the files that define the lists and patterns used here."""
    needed_module_ids: set[int] = set()
    for _, clause in context.clauses:
        if isinstance(clause, nodes.Call) and (pattern := context.resolution.pattern_of(clause)) is not None:
            needed_module_ids.add(id(pattern.module))
        for reference in list_references(clause):
            definition = context.resolution.list_of(reference)
            if definition is not None:
                needed_module_ids.add(id(definition.module))
    for item in context.module.file.items:
        if isinstance(item, nodes.Use):
            module_id = id(context.module.uses[item.path.text])
            if module_id not in needed_module_ids:
                fix = context.fix_builder.remove_item(item.span)
                yield context.report(CODE, item.path.span, fix=fix, path=item.path.text)
            needed_module_ids.discard(module_id)  # a second `use` of the same file has no effect
