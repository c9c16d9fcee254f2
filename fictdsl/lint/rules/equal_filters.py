"""Two equivalent filters in one file.

## What
Two filters, or members of different families, that differ only in names, layout and order of clauses.

## Why
They match the same sentences, so a report shows the same results twice.

## Example
```fict
filter one { match { V -[nsubj]-> S  S << V } }
filter two { match { A << B  B -[nsubj]-> A } }
```

## Use instead
```fict
filter one { match { V -[nsubj]-> S  S << V } }
filter two { match { A << B  A -[nsubj]-> B } }
```
"""

from fictdsl.compiler import CompiledFilter
from fictdsl.diagnostics.diagnostic import Label
from fictdsl.lint.rule_context import Findings, LintContext, Rule

RULE = Rule(
    "FICT524",
    "filters `{one}` and `{other}` are equivalent",
    "The two differ only in names, layout or order, so they match the same sentences.",
)


@RULE.over(LintContext.several_filters)
def check(context: LintContext, filters: tuple[CompiledFilter, ...]) -> Findings:
    """Compare the normal forms. Members of one family differ, unless its parameter is unused (FICT508)."""
    from fictdsl.lint.normal_form import normal_form

    by_normal_form: dict[str, CompiledFilter] = {}
    for compiled in filters:
        earlier = by_normal_form.setdefault(normal_form(compiled.ir), compiled)
        if earlier.definition is not compiled.definition:
            labels = (Label(earlier.definition.name.span, "the other"),)
            span = compiled.definition.name.span
            yield context.report(RULE, span, labels=labels, one=earlier.name, other=compiled.name)
