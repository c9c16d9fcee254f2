"""A relation label that does not occur in the corpus.

## What
A label in a relation, or compared with `deprel`, that no word of the corpus given with `--corpus` has. Unless the label
is exact, no word has a subtype of it either. Labels of the enhanced graph are compared with the labels of its edges.

## Why
The relation matches no words there, so the filter silently finds nothing. For instance, older releases of UD English
have `obl:tmod` and newer ones `obl:unmarked`.

## Example
```fict
filter f { match { V -[obl:tmod]-> N:NOUN } }
```

## Use instead
```fict
filter f { match { V -[obl]-> N:NOUN } }
```
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fictdsl.diagnostics.codes import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.diagnostics.suggest import did_you_mean
from fictdsl.lint.rule_context import LintContext

CODE = Code(
    "FICT530",
    "absent-relation",
    "no word of the corpus has the relation `{found}`",
    "A label that does not occur in a corpus matches no words there. Treebanks differ in the subtypes they use, and "
    "releases of Universal Dependencies rename some of them.",
    Severity.WARNING,
)

NEEDS_CORPUS = True
_MAX_SHOWN = 8


def check(context: LintContext) -> Iterator[Diagnostic]:
    for label in context.relation_labels:
        located_text = label.located_text
        if not context.corpus.has_label(located_text.text, exact=label.exact, column=label.column):
            hint = _hint(located_text.text, context.corpus.values.get(label.column, ()))
            yield context.report(
                CODE, located_text.span, labels=located_text.labels, hint=hint, found=located_text.text
            )


def _hint(label: str, corpus_labels: Sequence[str]) -> str | None:
    base = label.partition(":")[0]
    related = [other for other in corpus_labels if other.partition(":")[0] == base]
    if related:
        return "it has " + ", ".join(f"`{other}`" for other in related[:_MAX_SHOWN])
    return did_you_mean(label, corpus_labels)
