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

from fictdsl.lint.rule_context import Findings, LintContext, Rule
from fictdsl.syntax import nodes

RULE = Rule(
    "FICT509",
    "nothing from `{path}` is used here",
    "The file is read for nothing, and an error in it is an error here.",
)


@RULE.over(LintContext.unneeded_uses)
def check(context: LintContext, use: nodes.Use) -> Findings:
    fix = context.fix_builder.remove_item(use.span)
    yield context.report(RULE, use.path.span, fix=fix, path=use.path.text)
