"""A negated test of a feature that words without the feature pass as well.

## What
`F != v`, `F not in …` or `not F = v` at a node without a test that requires the feature F. This is a hint only.

## Why
Logic is two-valued: a word without `Degree` is not a superlative either. `has F` restricts the test to words that have
the feature.

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
from fictdsl.semantics.walk import Simple, simple
from fictdsl.syntax import nodes

CODE = Code(
    "FICT521",
    "negated-feature",
    "this is also true of words without `{feature}`",
    "A negated test is true of every word that lacks the feature: verbs have no `Degree`, so `Degree != Sup` is true "
    "of them.",
    Severity.HINT,
)


def check(context: LintContext) -> Iterator[Diagnostic]:
    """Check the negated tests of each node in each block."""
    for group, _ in context.groups:
        yield from _group(context, group)


def _group(context: LintContext, group: Group) -> Iterator[Diagnostic]:
    facts = (*group.local, *group.enclosing)
    positive = {full_name(test.attribute) for fact in facts for test in _signed(fact.test, True)}
    for fact in group.local:
        for test in _signed(fact.test, False):
            name = full_name(test.attribute)
            if isinstance(test, nodes.Has):
                continue  # the test requires absence
            if is_feature(test.attribute.name) and name not in positive:
                hint = f"`has {name}` excludes them"
                yield context.report(CODE, test.span, hint=hint, feature=name)


def _signed(test: nodes.Test, sign: bool) -> Iterator[Simple]:
    """Yield the simple tests inside a test that are positive (`sign`) or negated, after resolving `not`."""
    match test:
        case nodes.And(tests=parts) | nodes.Or(tests=parts):
            for part in parts:
                yield from _signed(part, sign)
        case nodes.Not(test=inner):
            yield from _signed(inner, not sign)
        case nodes.Has() | nodes.Flag():
            if sign:
                yield test
        case _:
            negated = test.negated if isinstance(test, nodes.Member) else test.op == "!="
            if negated != sign:
                yield from simple(test)
