"""Words of a test that the corpus never has.

## What
Values that `form`, `lemma` or single words of `phrase` are compared with, or entries of a list, that no word of the
corpus given with `--corpus` has. This is a hint only.

## Why
A word that is not there adds nothing; it may be misspelt, or in another case than the corpus writes it.

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

from fictdsl.diagnostics.codes.code import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.lint.asked import asked_by_tests
from fictdsl.lint.subject import Subject
from fictdsl.semantics.check.attributes import full_name
from fictdsl.syntax import nodes

CODE = Code(
    "FICT533",
    "absent-word",
    "in the corpus `{attribute}` is never {words}",
    "A word that a corpus never has adds nothing to what a filter finds there; it may be misspelt.",
    Severity.HINT,
)

ASKS_CORPUS = True
_SHOWN = 5


def check(subject: Subject) -> Iterator[Diagnostic]:
    """Sum up, for each test, the words that are not there."""
    for tested, column, words in asked_by_tests(subject):
        absent = [word for word in words if word not in subject.corpus.words.get(column, ())]
        if not absent:
            continue
        shown = ", ".join(f"`{word}`" for word in absent[:_SHOWN])
        more = f" or {len(absent) - _SHOWN} more" if len(absent) > _SHOWN else ""
        share = f" ({len(absent)} of {len(words)} values)" if len(words) > 1 else ""
        test = tested.test
        span = test.values.span if isinstance(test, nodes.Member) else test.span
        yield subject.report(CODE, span, attribute=full_name(test.attribute), words=shown + more + share)
