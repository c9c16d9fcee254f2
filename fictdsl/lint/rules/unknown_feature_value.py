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

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from fictdsl.diagnostics.codes import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.lint.rule_context import LintContext, LocatedText
from fictdsl.lint.vocabulary import value_hint
from fictdsl.semantics import ud
from fictdsl.semantics.check_tests import full_name
from fictdsl.syntax import nodes

CODE = Code(
    "FICT504",
    "unknown-feature-value",
    "the feature `{feature}` has no value `{found}`",
    "A test for a value that a feature never has is never true, and its negation always is.",
    Severity.WARNING,
)


def check(context: LintContext) -> Iterator[Diagnostic]:
    """Check every value that a feature of UD is compared with or set to."""
    for comparison in context.comparisons:
        yield from _check_values(context, comparison.attribute, comparison.texts)
    for assignment in context.assignments:
        yield from _check_values(context, assignment.attribute, _single_values(assignment.texts))


def _single_values(assigned: Iterable[LocatedText]) -> Iterator[LocatedText]:
    """Yield the values that a word has after an assignment: `Acc` and `Dat` for `Acc,Dat`."""
    for located in assigned:
        yield from (replace(located, text=value) for value in located.text.split(","))


def _check_values(
    context: LintContext, attribute: nodes.Attribute, texts: Iterable[LocatedText]
) -> Iterator[Diagnostic]:
    feature = attribute.name
    for located in texts if feature in ud.FEATURES else ():
        value = located.text
        if value not in ud.FEATURES[feature]:
            hint = value_hint(full_name(attribute), value)
            yield context.report(CODE, located.span, labels=located.labels, hint=hint, feature=feature, found=value)
