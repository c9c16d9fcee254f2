"""A negated feature test that words without the feature also pass.

## What
`F != v`, `F not in …` or `not F = v` at a node without a positive test of F, such as `has F`. This is a hint only.

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

from fictdsl.diagnostics.codes.code import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.lint.context import LintContext
from fictdsl.lint.logic.facts import Group
from fictdsl.semantics.check.attributes import full_name, is_feature
from fictdsl.semantics.walk import SimpleTest, simple_tests
from fictdsl.syntax import nodes

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
    required = {full_name(test.attribute) for fact in facts for test in _tests_with_polarity(fact.test, True)}
    for fact in group.local:
        for test in _tests_with_polarity(fact.test, False):
            name = full_name(test.attribute)
            if isinstance(test, nodes.Has):
                continue  # the test requires absence
            if is_feature(test.attribute.name) and name not in required:
                hint = f"`has {name}` excludes them"
                yield context.report(CODE, test.span, hint=hint, feature=name)


def _tests_with_polarity(test: nodes.Test, positive: bool) -> Iterator[SimpleTest]:
    """Yield the simple tests inside a test that are not negated or, unless `positive`, those that are negated."""
    match test:
        case nodes.And(tests=parts) | nodes.Or(tests=parts):
            for part in parts:
                yield from _tests_with_polarity(part, positive)
        case nodes.Not(test=negated_test):
            yield from _tests_with_polarity(negated_test, not positive)
        case nodes.Has() | nodes.Flag():
            if positive:
                yield test
        case _:
            negated = test.negated if isinstance(test, nodes.Member) else test.op == "!="
            if negated != positive:
                yield from simple_tests(test)
