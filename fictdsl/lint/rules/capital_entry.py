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

from fictdsl.diagnostics.codes import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.lint.rule_context import LintContext
from fictdsl.semantics.check_tests import full_name
from fictdsl.syntax.files import to_lower
from fictdsl.words import inflected

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
    for comparison in context.comparisons:
        reference = comparison.reference
        if not comparison.attribute.lower or reference is None:
            continue
        entries = [located.text for located in comparison.texts if located.text != to_lower(located.text)]
        if not entries:
            continue
        listed = ", ".join(f"`{entry}`" for entry in entries[:_MAX_SHOWN])
        remainder = f" and {len(entries) - _MAX_SHOWN} more" if len(entries) > _MAX_SHOWN else ""
        yield context.report(
            CODE,
            comparison.span,
            labels=context.list_labels(reference),
            entries=listed + remainder,
            name=reference.name,
            verb=inflected(len(entries), "has", "have"),
            attribute=full_name(comparison.attribute),
            it=inflected(len(entries), "it", "them"),
        )
