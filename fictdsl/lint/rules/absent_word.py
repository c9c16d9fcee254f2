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

from __future__ import annotations

from collections.abc import Iterator

from fictdsl.diagnostics.codes import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.lint.rule_context import LintContext, words_by_comparison
from fictdsl.semantics.check_tests import full_name

CODE = Code(
    "FICT533",
    "absent-word",
    "in the corpus `{attribute}` is never {words}",
    "A word that does not occur in a corpus adds nothing to what a filter finds there. It may be misspelt.",
    Severity.HINT,
)

NEEDS_CORPUS = True
_MAX_SHOWN = 5


def check(context: LintContext) -> Iterator[Diagnostic]:
    """Report, for each comparison, the words that do not occur."""
    for comparison, column, words in words_by_comparison(context):
        absent_words = [word for word in words if word not in context.corpus.words.get(column, ())]
        if not absent_words:
            continue
        listed = ", ".join(f"`{word}`" for word in absent_words[:_MAX_SHOWN])
        remainder = f" or {len(absent_words) - _MAX_SHOWN} more" if len(absent_words) > _MAX_SHOWN else ""
        share = f" ({len(absent_words)} of {len(words)} values)" if len(words) > 1 else ""
        attribute = full_name(comparison.attribute)
        yield context.report(CODE, comparison.span, attribute=attribute, words=listed + remainder + share)
