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

from fictdsl.diagnostics.suggest import did_you_mean
from fictdsl.lint.file_parts import LocatedText
from fictdsl.lint.rule_context import Findings, LintContext, Rule

RULE = Rule(
    "FICT531",
    "no word of the corpus has the {attribute} `{found}`",
    "A test for a tag that does not occur in a corpus is never true there, and its negation always is.",
    needs_corpus=True,
)


@RULE.over(LintContext.tags)
def check(context: LintContext, tag: LocatedText) -> Findings:
    corpus_tags = context.corpus.values.get(tag.column, ())
    if tag.text not in corpus_tags:
        yield context.report_text(RULE, tag, hint=did_you_mean(tag.text, corpus_tags), attribute=tag.column)
