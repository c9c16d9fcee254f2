"""An entry of a list that has a capital, where the list is compared in lower case.

## What
A named list with entries that are not in lower case, compared with `lower(form)`, `lower(lemma)` or `lower(phrase)`.
(A value that stands in the test itself is an error.)

## Why
Text in lower case never equals such an entry, so it might as well not be there.

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
from fictdsl.lint.subject import Subject
from fictdsl.semantics.check.attributes import full_name
from fictdsl.syntax import nodes
from fictdsl.syntax.parsing.word_lists import to_lower

CODE = Code(
    "FICT511",
    "capital-entry",
    "{entries} in `@{name}` {verb} a capital, so `{attribute}` never equals {it}",
    "`lower(…)` gives text in lower case, which no entry with a capital can equal.",
    Severity.WARNING,
)

_SHOWN = 3


def check(subject: Subject) -> Iterator[Diagnostic]:
    """Look at every named list that is compared in lower case."""
    for tested in subject.tests:
        test = tested.test
        if not test.attribute.lower or not isinstance(test, nodes.Member) or not isinstance(test.values, nodes.ListRef):
            continue
        found = subject.resolution.list_of(test.values)
        wrong = [entry for entry in subject.resolution.entries(test.values) or () if entry != to_lower(entry)]
        if not wrong or found is None:
            continue
        shown = ", ".join(f"`{entry}`" for entry in wrong[:_SHOWN])
        more = f" and {len(wrong) - _SHOWN} more" if len(wrong) > _SHOWN else ""
        yield subject.report(
            CODE,
            test.values.span,
            labels=(Label(found.item.name.span, "the list", found.module.source),),
            entries=shown + more,
            name=test.values.name,
            verb="has" if len(wrong) == 1 else "have",
            attribute=full_name(test.attribute),
            it="it" if len(wrong) == 1 else "them",
        )
