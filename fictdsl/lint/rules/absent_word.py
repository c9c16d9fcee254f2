"""Words of a test that do not occur in the corpus.

## What
Words compared with `form`, `lemma` or `phrase`, directly or in a list, that do not occur in the corpus given with
`--corpus`. Multi-word values are not checked. This is a hint only.

## Why
A word that does not occur adds nothing. It may be misspelt, or differ from the corpus in letter case.

## Example
```fict
filter f { match { N[lemma in {dog, dgo}] } }
```

## Use instead
```fict
filter f { match { N[lemma = dog] } }
```
"""

from fictdsl.diagnostics.diagnostic import Severity
from fictdsl.lint.file_parts import AttributeUse
from fictdsl.lint.rule_context import Findings, LintContext, Rule, shown

RULE = Rule(
    "FICT533",
    "in the corpus `{attribute}` is never {words}",
    "A word that does not occur in a corpus adds nothing to what a filter finds there. It may be misspelt.",
    Severity.HINT,
    needs_corpus=True,
)

_MAX_SHOWN = 5


@RULE.over(LintContext.word_comparisons)
def check(context: LintContext, use: AttributeUse) -> Findings:
    absent_words = [word for word in use.words if word not in context.corpus.words.get(use.column, ())]
    if absent_words:
        share = f" ({len(absent_words)} of {len(use.words)} values)" if len(use.words) > 1 else ""
        words = shown(absent_words, _MAX_SHOWN, "or") + share
        yield context.report(RULE, use.span, attribute=use.attribute.text(), words=words)
