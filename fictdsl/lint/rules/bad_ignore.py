"""A malformed ignore comment.

## What
A comment that begins with `# fict:` and is not of the form `# fict: ignore[FICT503] reason`. It must name the code of
one lint rule and give a reason.

## Why
The comment looks as if it ignored a finding, but has no effect. The reason is for the next reader.

## Example
```fict
filter f { match { N[Numerus = Plur] } }  # fict: ignore[FICT503]
```

## Use instead
```fict
filter f { match { N[Numerus = Plur] } }  # fict: ignore[FICT503] our treebank has it
```
"""

from fictdsl.lint.rule_context import Findings, LintContext, Rule
from fictdsl.source import Span

RULE = Rule(
    "FICT528",
    "this comment ignores nothing: {problem}",
    "`# fict: ignore[FICT503] reason` on a line, or above an item, ignores the findings of one lint rule there. The "
    "reason is for the next reader.",
)


@RULE.over(LintContext.bad_directives)
def check(context: LintContext, directive: tuple[Span, tuple[str, str]]) -> Findings:
    span, (problem, hint) = directive
    yield context.report(RULE, span, hint=hint, problem=problem)
