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

from __future__ import annotations

from collections.abc import Iterator

from fictdsl.diagnostics.codes import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.lint.rule_context import LintContext
from fictdsl.lint.vocabulary import feature_hint
from fictdsl.semantics import ud
from fictdsl.semantics.check_tests import is_feature
from fictdsl.syntax import nodes

CODE = Code(
    "FICT503",
    "unknown-feature",
    "`{found}` is not a feature of Universal Dependencies",
    "A test of a feature that no word has is never true, and its negation always is.",
    Severity.WARNING,
)


def check(context: LintContext) -> Iterator[Diagnostic]:
    """Check every feature that is tested, compared or set."""
    for comparison in context.comparisons:
        yield from _check_feature(context, comparison.attribute)
    for _, clause in context.clauses:
        if isinstance(clause, nodes.AttributeComparison):
            yield from _check_feature(context, clause.left.attribute)
            yield from _check_feature(context, clause.right.attribute)
    for assignment in context.assignments:
        yield from _check_feature(context, assignment.attribute)


def _check_feature(context: LintContext, attribute: nodes.Attribute) -> Iterator[Diagnostic]:
    name = attribute.name
    if is_feature(name) and not ud.is_feature(name):
        yield context.report(CODE, attribute.span, hint=feature_hint(name), found=name)
