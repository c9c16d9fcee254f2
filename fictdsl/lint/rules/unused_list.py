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

from fictdsl.lint.rule_context import Findings, LintContext, Rule
from fictdsl.syntax import nodes

RULE = Rule(
    "FICT506",
    "the list `{name}` is never used",
    "A list that no test of a file with filters uses is a leftover, or a test names the wrong list.",
)


@RULE.over(LintContext.unused_lists)
def check(context: LintContext, item: nodes.ListDef) -> Findings:
    yield context.report_unused(RULE, item)
