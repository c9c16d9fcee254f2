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

from fictdsl.lint.file_parts import AttributeUse
from fictdsl.lint.rule_context import Findings, LintContext, Rule, shown
from fictdsl.syntax.files import to_lower
from fictdsl.words import inflected

RULE = Rule(
    "FICT511",
    "{entries} in `@{name}` {verb} a capital letter, so `{attribute}` never equals {it}",
    "`lower(…)` is lowercase text, which never equals an entry with a capital letter.",
)

_MAX_SHOWN = 3


@RULE.over(LintContext.lowered_lists)
def check(context: LintContext, use: AttributeUse) -> Findings:
    entries = [located.text for located in use.texts if located.text != to_lower(located.text)]
    if entries:
        yield context.report(
            RULE,
            use.span,
            labels=use.texts[0].labels,
            entries=shown(entries, _MAX_SHOWN),
            name=use.list_name,
            verb=inflected(len(entries), "has", "have"),
            attribute=use.attribute.text(),
            it=inflected(len(entries), "it", "them"),
        )
