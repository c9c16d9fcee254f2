"""A negated feature test that words without the feature also pass.

## What
`F != v` or `F not in …` at a node without a positive test of F, such as `has F`. This is a hint only. `not F = v` has
the same meaning and gets no hint: it says that a word without F is meant too.

## Why
A test of an absent feature is false and its negation true, so a word without `Degree` passes `Degree != Sup`. `has F`
restricts the test to words that have the feature.

## Example
```fict
filter f { match { A[Degree != Sup] } }
```

## Use instead
```fict
filter f { match { A[Degree != Sup, has Degree] } }
```
"""

from fictdsl.diagnostics.diagnostic import Severity
from fictdsl.lint.facts import Group, implies_presence
from fictdsl.lint.rule_context import Findings, LintContext, Rule
from fictdsl.semantics.check_attributes import is_feature
from fictdsl.syntax.walk import SimpleTest

RULE = Rule(
    "FICT521",
    "this is also true of words without `{feature}`",
    "A negated test is true of every word that lacks the feature: nouns have no `Degree`, so `Degree != Sup` is true "
    "of them.",
    Severity.HINT,
)


@RULE.over(LintContext.negative_tests)
def check(context: LintContext, item: tuple[SimpleTest, Group]) -> Findings:
    test, group = item
    name = test.attribute.text()
    facts = (*group.local, *group.enclosing)
    if is_feature(test.attribute.name) and not any(implies_presence(fact.test, name) for fact in facts):
        yield context.report(RULE, test.span, hint=f"`has {name}` excludes them", feature=name)
