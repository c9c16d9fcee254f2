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

from __future__ import annotations

from collections.abc import Iterator

from fictdsl.diagnostics.codes import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.lint.rule_context import LintContext

CODE = Code(
    "FICT535",
    "matches-most",
    "filter `{name}` matches {matching} of {sentences} sentences of the corpus",
    "A filter that removes more than half of a corpus is probably too general, most often because a test or a "
    "relation is missing.",
    Severity.WARNING,
)

NEEDS_CORPUS = True


def check(context: LintContext) -> Iterator[Diagnostic]:
    """Compare the number of sentences that each filter removes with the size of the corpus."""
    sentence_count = context.corpus.sentences
    for compiled in context.filters:
        removes_sentences = any(
            (action.verb, action.target) == ("remove", "sentence") for action in compiled.ir.actions
        )
        matching = context.corpus.match_counts.get(compiled.key, 0)
        if removes_sentences and matching * 2 > sentence_count:
            span = compiled.definition.name.span
            yield context.report(
                CODE, span, name=compiled.name, matching=f"{matching:,}", sentences=f"{sentence_count:,}"
            )
