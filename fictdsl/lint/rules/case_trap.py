"""A lowercase word that is compared with case-sensitive forms.

## What
`form` or `phrase`, without `lower`, compared with a lowercase word or with a list that contains one. Comparisons with a
capital letter in a value (`form = Paris`) and values without letters are not reported.

## Why
At the beginning of a sentence and in headings the word has a capital letter, so it is not found there.

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

from fictdsl.diagnostics.codes import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Fix, Severity
from fictdsl.lint.rule_context import LintContext, texts
from fictdsl.syntax import nodes
from fictdsl.syntax.walk import equal_values

CODE = Code(
    "FICT510",
    "case-trap",
    "`{attribute}` is case-sensitive: {value} matches, {other} does not",
    "Words at the beginning of a sentence have a capital letter. `lower(form)` matches a word in any position.",
    Severity.WARNING,
)


def check(context: LintContext) -> Iterator[Diagnostic]:
    """Check every comparison of a form, and report the first lowercase value."""
    for located in context.tests:
        attribute = located.test.attribute
        if located.level != "word" or attribute.name not in ("form", "phrase") or attribute.lower or attribute.key:
            continue
        compared_texts = [text for atom in equal_values(located.test) for text in texts(atom, located.definition)]
        if isinstance(located.test, nodes.Member) and isinstance(located.test.values, nodes.ListRef):
            compared_texts += context.resolution.entries(located.test.values) or ()
        if not compared_texts or any(text != text.lower() for text in compared_texts):
            continue  # a capital letter shows that the author considered case
        lowercase_text = next((text for text in compared_texts if text != text.capitalize()), None)
        if lowercase_text is not None:
            name = attribute.name
            yield context.report(
                CODE,
                attribute.span,
                hint=f"`lower({name})` matches both",
                fix=Fix(attribute.span, f"lower({name})", safe=False),
                attribute=name,
                value=f"`{lowercase_text}`",
                other=f"`{lowercase_text.capitalize()}`",
            )
