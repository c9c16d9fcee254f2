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

from fictdsl.diagnostics.suggest import did_you_mean
from fictdsl.lint.file_parts import AttributeUse
from fictdsl.lint.rule_context import Findings, LintContext, Rule

RULE = Rule(
    "FICT532",
    "no word of the corpus has `{found}`",
    "A test of a feature or value that does not occur in a corpus is never true there, and its negation always is.",
    needs_corpus=True,
)

_COLUMNS = ("upos", "xpos", "deprel", "enhanced")
_MAX_SHOWN = 8


@RULE.over(LintContext.features)
def check(context: LintContext, use: AttributeUse) -> Findings:
    name = use.attribute.text()
    corpus_values = context.corpus.values.get(name)
    if not corpus_values:
        features = [feature for feature in context.corpus.values if feature not in _COLUMNS]
        yield context.report(RULE, use.attribute.span, hint=did_you_mean(name, features), found=name)
        return
    for located in use.texts:
        value = located.text
        if value not in corpus_values:
            hint = did_you_mean(value, corpus_values) or f"its values there are {', '.join(corpus_values[:_MAX_SHOWN])}"
            yield context.report(RULE, located.span, labels=located.labels, hint=hint, found=f"{name}={value}")
