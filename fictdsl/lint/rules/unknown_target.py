"""A target that is neither a paradigm nor a phenomenon of its benchmark.

## What
A name in `targets` that begins with a known benchmark (`blimp/`, `winobias/`) and is not one of its paradigms or
phenomena. Also a name that begins with a probable misspelling of one (`blmp/`). Other benchmarks are not checked.

## Why
The report compares the targets of a filter first. A target that does not exist has no scores to compare.

## Example
```fict
filter f { targets blimp/passive_3 match { V[Voice = Pass] } }
```

## Use instead
```fict
filter f { targets blimp/passive_1 match { V[Voice = Pass] } }
```
"""

from fictdsl.diagnostics.suggest import nearest
from fictdsl.lint.rule_context import Findings, LintContext, Rule
from fictdsl.lint.vocabulary import TARGETS, misspelled_suite
from fictdsl.syntax import nodes

RULE = Rule(
    "FICT523",
    "`{suite}` has no paradigm `{name}`",
    "`targets` names the paradigms that a report compares first. "
    "A target that does not exist has no scores to compare.",
)


@RULE.over(LintContext.targets)
def check(context: LintContext, target: nodes.Name) -> Findings:
    suite, _, name = target.text.partition("/")
    if suite in TARGETS and name not in TARGETS[suite]:
        suggestion = nearest(name, sorted(TARGETS[suite]))
        hint = f"the nearest one is `{suite}/{suggestion}`" if suggestion else None
        yield context.report(RULE, target.span, hint=hint, suite=suite, name=name)
    elif suite not in TARGETS and (suggestion := misspelled_suite(suite)):
        hint = f"a known benchmark is `{suggestion}`"
        yield context.report(RULE, target.span, hint=hint, suite=suite, name=name)
