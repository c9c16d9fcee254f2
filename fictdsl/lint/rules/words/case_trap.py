"""A word form in small letters, compared with capitals in sight.

## What
`form` or `phrase`, without `lower`, compared with a word that is written in small letters, or with a list that holds
one.

## Why
The same word has a capital at the beginning of a sentence and in headings, and is not found there. A value with a
capital of its own (`form = Paris`) is left alone, and so is a value without letters.

## Example
```fict
filter f { match { D[form = the] } }
```

## Use instead
```fict
filter f { match { D[lower(form) = the] } }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from fictdsl.diagnostics.codes.code import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Fix, Severity
from fictdsl.lint.subject import Subject, texts
from fictdsl.semantics.walk import values
from fictdsl.syntax import nodes

CODE = Code(
    "FICT510",
    "case-trap",
    "`{attribute}` sees capitals: {value} is found, and {other} is not",
    "Words at the beginning of a sentence have a capital. `lower(form)` finds a word wherever it stands.",
    Severity.WARNING,
)


def check(subject: Subject) -> Iterator[Diagnostic]:
    """Look at every comparison of a form; the first value in small letters is enough."""
    for tested in subject.tests:
        attribute = tested.test.attribute
        if tested.place != "word" or attribute.name not in ("form", "phrase") or attribute.lower or attribute.key:
            continue
        found = [text for atom in values(tested.test) for text in texts(atom, tested.definition)]
        if isinstance(tested.test, nodes.Member) and isinstance(tested.test.values, nodes.ListRef):
            found += subject.resolution.entries(tested.test.values) or ()
        if not found or any(text != text.lower() for text in found):
            continue  # some value has a capital: the writer knows
        small = next((text for text in found if text != text.capitalize()), None)
        if small is not None:
            name = attribute.name
            yield subject.report(
                CODE,
                attribute.span,
                hint=f"`lower({name})` finds both",
                fix=Fix(attribute.span, f"lower({name})", safe=False),
                attribute=name,
                value=f"`{small}`",
                other=f"`{small.capitalize()}`",
            )
