"""A value that Universal Dependencies does not define for a feature.

## What
A value that is compared with a feature, directly or in a named list, or set by a rewrite, and that UD does not document
for this feature. In a comparison, values with a comma are reported too: a word with `Case=Acc,Dat` has the values `Acc`
and `Dat`.

## Why
The test is never true, and its negation always is.

## Example
```fict
filter f { match { N[Number = Plural] } }
```

## Use instead
```fict
filter f { match { N[Number = Plur] } }
```
"""

from fictdsl.lint.file_parts import LocatedText
from fictdsl.lint.rule_context import Findings, LintContext, Rule
from fictdsl.lint.vocabulary import value_hint
from fictdsl.syntax import nodes

RULE = Rule(
    "FICT504",
    "the feature `{feature}` has no value `{found}`",
    "A test for a value that a feature never has is never true, and its negation always is.",
)


@RULE.over(LintContext.unknown_values)
def check(context: LintContext, item: tuple[nodes.Attribute, LocatedText]) -> Findings:
    feature, value = item
    hint = value_hint(feature.text(), value.text)
    yield context.report_text(RULE, value, hint=hint, feature=feature.name)
