"""A filter that removes more than half of the sentences of a corpus.

## What
A filter with `remove sentence`, or without an action, that matches more than half of the sentences of the corpus given
with `--corpus`.

## Why
Few constructions are that frequent. Most often a test or a relation is missing, or a negated test is true of
unexpected words.

## Example
```fict
filter f { match { _:VERB } }
```

## Use instead
```fict
filter f { match { _:VERB[Voice = Pass] } }
```
"""

from fictdsl.compiler import CompiledFilter
from fictdsl.lint.rule_context import Findings, LintContext, Rule

RULE = Rule(
    "FICT535",
    "filter `{name}` matches {matching} of {sentences} sentences of the corpus",
    "A filter that removes more than half of a corpus is probably too general, most often because a test or a "
    "relation is missing.",
    needs_corpus=True,
)


@RULE.over(LintContext.counted_filters)
def check(context: LintContext, counted: tuple[CompiledFilter, int]) -> Findings:
    compiled, matching = counted
    sentences = context.corpus.sentences
    removes_sentences = any((action.verb, action.target) == ("remove", "sentence") for action in compiled.ir.actions)
    if removes_sentences and matching * 2 > sentences:
        span, counts = compiled.definition.name.span, (f"{matching:,}", f"{sentences:,}")
        yield context.report(RULE, span, name=compiled.name, matching=counts[0], sentences=counts[1])
