"""A list entry with a capital letter that is compared with lowercase text.

## What
A named list with entries that are not in lower case, compared with `lower(form)`, `lower(lemma)` or `lower(phrase)`.
(If the value is in the test itself, this is an error.)

## Why
Lowercase text never equals such an entry, so the entry has no effect.

## Example
```fict
list days = {Monday, Friday}
filter f { match { D[lower(form) in @days] } }
```

## Use instead
```fict
list days = {monday, friday}
filter f { match { D[lower(form) in @days] } }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from fictdsl.diagnostics.codes.code import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Label, Severity
from fictdsl.lint.context import LintContext
from fictdsl.semantics.check.attributes import full_name
from fictdsl.syntax import nodes
from fictdsl.syntax.parsing.word_lists import to_lower

CODE = Code(
    "FICT511",
    "capital-entry",
    "{entries} in `@{name}` {verb} a capital letter, so `{attribute}` never equals {it}",
    "`lower(…)` is lowercase text, which never equals an entry with a capital letter.",
    Severity.WARNING,
)

_MAX_SHOWN = 3


def check(context: LintContext) -> Iterator[Diagnostic]:
    """Check every named list that is compared in lower case."""
    for located in context.tests:
        test = located.test
        if not test.attribute.lower or not isinstance(test, nodes.Member) or not isinstance(test.values, nodes.ListRef):
            continue
        definition = context.resolution.list_of(test.values)
        entries = [entry for entry in context.resolution.entries(test.values) or () if entry != to_lower(entry)]
        if not entries or definition is None:
            continue
        listed = ", ".join(f"`{entry}`" for entry in entries[:_MAX_SHOWN])
        remainder = f" and {len(entries) - _MAX_SHOWN} more" if len(entries) > _MAX_SHOWN else ""
        yield context.report(
            CODE,
            test.values.span,
            labels=(Label(definition.item.name.span, "the list", definition.module.source),),
            entries=listed + remainder,
            name=test.values.name,
            verb="has" if len(entries) == 1 else "have",
            attribute=full_name(test.attribute),
            it="it" if len(entries) == 1 else "them",
        )
