"""A part-of-speech tag that does not occur in the corpus.

## What
A tag after a node's colon, or compared with `upos` or `xpos`, that no word of the corpus given with `--corpus` has.

## Why
The test is never true in this corpus. Treebanks have different language-specific tags, and some do not use every
universal tag.

## Example
```fict
filter f { match { N[xpos = NNX] } }
```

## Use instead
```fict
filter f { match { N[xpos = NN] } }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from fictdsl.diagnostics.codes import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.diagnostics.suggest import did_you_mean
from fictdsl.lint.rule_context import LintContext, LocatedText, located_texts
from fictdsl.syntax.walk import terms

CODE = Code(
    "FICT531",
    "absent-tag",
    "no word of the corpus has the {attribute} `{found}`",
    "A test for a tag that does not occur in a corpus is never true there, and its negation always is.",
    Severity.WARNING,
)

NEEDS_CORPUS = True


def check(context: LintContext) -> Iterator[Diagnostic]:
    """Check every UPOS and XPOS tag."""
    for definition, clause in context.clauses:
        for term in terms(clause):
            for located in located_texts(term.upos, definition):
                yield from _check_tag(context, "upos", located)
    for comparison in context.comparisons:
        if comparison.attribute.name in ("upos", "xpos"):
            for located in comparison.texts:
                yield from _check_tag(context, comparison.attribute.name, located)


def _check_tag(context: LintContext, attribute: str, located: LocatedText) -> Iterator[Diagnostic]:
    corpus_tags = context.corpus.values.get(attribute, ())
    tag = located.text
    if tag not in corpus_tags:
        hint = did_you_mean(tag, corpus_tags)
        yield context.report(CODE, located.span, labels=located.labels, hint=hint, attribute=attribute, found=tag)
