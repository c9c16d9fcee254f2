"""A pattern that no block of the file calls.

## What
A pattern in a file with filters that neither its filters nor its other patterns call. Files without filters are not
checked, since other files use their patterns.

## Why
The pattern is a leftover, or a call names the wrong pattern.

## Example
```fict
pattern plural(N) { N[Number = Plur] }
filter f { match { N:NOUN } }
```

## Use instead
```fict
pattern plural(N) { N[Number = Plur] }
filter f { match { N:NOUN plural(N) } }
```
"""

from fictdsl.lint.rule_context import Findings, LintContext, Rule
from fictdsl.syntax import nodes

RULE = Rule(
    "FICT507",
    "the pattern `{name}` is never used",
    "A pattern that no block of a file with filters calls is a leftover, or a call names the wrong pattern.",
)


@RULE.over(LintContext.unused_patterns)
def check(context: LintContext, item: nodes.PatternDef) -> Findings:
    yield context.report_unused(RULE, item)
