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

from __future__ import annotations

from collections.abc import Iterator

from fictdsl.diagnostics.codes import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.lint.facts import Group, implies_presence, is_negative
from fictdsl.lint.rule_context import LintContext
from fictdsl.semantics.check_tests import full_name, is_feature
from fictdsl.syntax import nodes
from fictdsl.syntax.walk import SimpleTest

CODE = Code(
    "FICT521",
    "negated-feature",
    "this is also true of words without `{feature}`",
    "A negated test is true of every word that lacks the feature: nouns have no `Degree`, so `Degree != Sup` is true "
    "of them.",
    Severity.HINT,
)


def check(context: LintContext) -> Iterator[Diagnostic]:
    """Check the negated tests of each node in each block."""
    for group, _ in context.groups:
        yield from _check_group(context, group)


def _check_group(context: LintContext, group: Group) -> Iterator[Diagnostic]:
    facts = (*group.local, *group.enclosing)
    for fact in group.local:
        for test in _negative_tests(fact.test):
            name = full_name(test.attribute)
            if is_feature(test.attribute.name) and not any(implies_presence(other.test, name) for other in facts):
                hint = f"`has {name}` excludes them"
                yield context.report(CODE, test.span, hint=hint, feature=name)


def _negative_tests(test: nodes.Test, *, negated: bool = False) -> Iterator[SimpleTest]:
    """Yield the tests `F != v` and `F not in …` inside a test, unless a `not` makes them positive."""
    match test:
        case nodes.And(tests=parts) | nodes.Or(tests=parts):
            for part in parts:
                yield from _negative_tests(part, negated=negated)
        case nodes.Not(test=negated_test):
            yield from _negative_tests(negated_test, negated=not negated)
        case _:
            if not negated and is_negative(test):
                yield test
