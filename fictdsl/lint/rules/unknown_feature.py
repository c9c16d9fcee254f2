"""A morphological feature that Universal Dependencies does not define.

## What
A feature (a name with an initial capital) that UD does not document. A layer in brackets is not checked.

## Why
A test of a feature that no word has is never true, and its negation always is.

## Example
```fict
filter f { match { N[Numbr = Plur] } }
```

## Use instead
```fict
filter f { match { N[Number = Plur] } }
```
"""

from fictdsl.lint.rule_context import Findings, LintContext, Rule
from fictdsl.lint.vocabulary import feature_hint
from fictdsl.syntax import nodes

RULE = Rule(
    "FICT503",
    "`{found}` is not a feature of Universal Dependencies",
    "A test of a feature that no word has is never true, and its negation always is.",
)


@RULE.over(LintContext.unknown_features)
def check(context: LintContext, feature: nodes.Attribute) -> Findings:
    yield context.report(RULE, feature.span, hint=feature_hint(feature.name), found=feature.name)
