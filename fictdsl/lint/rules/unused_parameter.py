"""A parameter that is never used.

## What
A parameter of a pattern that does not occur in its block, or the parameter of a family that does not occur in its
`match` or in the actions of a rewrite.

## Why
Each call of the pattern has to name a node that the pattern does not constrain. All members of such a family are the
same.

## Example
```fict
filter f for g in {Fem, Masc} { match { P:PRON[Gender = Fem] } }
```

## Use instead
```fict
filter f for g in {Fem, Masc} { match { P:PRON[Gender = $g] } }
```
"""

from fictdsl.lint.rule_context import Findings, LintContext, Rule
from fictdsl.syntax import nodes
from fictdsl.syntax.walk import all_names, parameters

RULE = Rule(
    "FICT508",
    "the parameter `{name}` is never used",
    "A pattern that does not use a parameter does not constrain the node passed for it. A family that does not "
    "use its parameter has members that are all the same.",
)


@RULE.over(LintContext.patterns)
def check_pattern(context: LintContext, pattern: nodes.PatternDef) -> Findings:
    used_names = {name.text for name in all_names(pattern.block)}
    for name in pattern.parameters:
        if name.text not in used_names:
            yield context.report(RULE, name.span, name=name.text)


@RULE.over(LintContext.families)
def check_family(context: LintContext, item: tuple[nodes.Query, nodes.Family]) -> Findings:
    query, family = item
    if not any(parameters((query.match, query.actions))):
        yield context.report(RULE, family.parameter.span, name=family.parameter.text)
