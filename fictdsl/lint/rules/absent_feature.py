"""A feature or feature value that does not occur in the corpus.

## What
A feature that no word of the corpus given with `--corpus` has, or a value that no word has for that feature.

## Why
The test is never true in this corpus, and its negation always is. Corpora differ in the features they annotate, and
the output of a parser has only features from its training data.

## Example
```fict
filter f { match { N[Number = Dual] } }
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
from fictdsl.diagnostics.suggest import did_you_mean
from fictdsl.lint.rule_context import Comparison, LintContext
from fictdsl.semantics.check_tests import full_name, is_feature
from fictdsl.syntax import nodes

CODE = Code(
    "FICT532",
    "absent-feature",
    "no word of the corpus has `{found}`",
    "A test of a feature or value that does not occur in a corpus is never true there, and its negation always is.",
    Severity.WARNING,
)

NEEDS_CORPUS = True
_COLUMNS = ("upos", "xpos", "deprel", "enhanced")
_MAX_SHOWN = 8


def check(context: LintContext) -> Iterator[Diagnostic]:
    """Check every test of a feature, and every comparison of two words' features."""
    for comparison in context.comparisons:
        if is_feature(comparison.attribute.name):
            yield from _check_values(context, comparison)
    for _, clause in context.clauses:
        if isinstance(clause, nodes.AttributeComparison):
            for side in (clause.left, clause.right):
                if is_feature(side.attribute.name):
                    yield from _check_feature(context, side.attribute)


def _check_values(context: LintContext, comparison: Comparison) -> Iterator[Diagnostic]:
    name = full_name(comparison.attribute)
    corpus_values = context.corpus.values.get(name)
    if not corpus_values:
        yield from _check_feature(context, comparison.attribute)
        return
    for located in comparison.texts:
        value = located.text
        if value not in corpus_values:
            hint = did_you_mean(value, corpus_values) or f"its values there are {', '.join(corpus_values[:_MAX_SHOWN])}"
            yield context.report(CODE, located.span, labels=located.labels, hint=hint, found=f"{name}={value}")


def _check_feature(context: LintContext, attribute: nodes.Attribute) -> Iterator[Diagnostic]:
    name = full_name(attribute)
    if not context.corpus.values.get(name):
        features = [feature for feature in context.corpus.values if feature not in _COLUMNS]
        yield context.report(CODE, attribute.span, hint=did_you_mean(name, features), found=name)
