"""A subtype of a relation that Universal Dependencies does not document.

## What
A label in a relation, compared with `deprel` or set by a rewrite, whose subtype after the colon is documented neither
for English nor for several other languages. Labels of the enhanced graph are not checked, since they may end in
prepositions and conjunctions (`nmod:in`). Labels that occur in the corpus given with `--corpus` are not reported.

## Why
A misspelt subtype matches no words, so the filter silently finds nothing. Treebanks may define further subtypes, so
this is a warning.

## Example
```fict
filter f { match { V -[nsubj:passive]-> S:NOUN } }
```

## Use instead
```fict
filter f { match { V -[nsubj:pass]-> S:NOUN } }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from fictdsl.diagnostics.codes import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.lint.rule_context import LintContext
from fictdsl.lint.vocabulary import relation_hint
from fictdsl.semantics import ud

CODE = Code(
    "FICT529",
    "unknown-subtype",
    "`{found}` is not a documented subtype of `{base}`",
    "A subtype that occurs in no treebank matches no words. Treebanks may define subtypes that are not documented.",
    Severity.WARNING,
)


def check(context: LintContext) -> Iterator[Diagnostic]:
    """Check every relation label whose base is a relation of UD."""
    for label in (*context.relation_labels, *context.assigned_relation_labels):
        located_text, enhanced = label.located_text, label.enhanced
        text, base = located_text.text, located_text.text.partition(":")[0]
        if not ud.is_base_relation(text, enhanced=enhanced) or ud.is_relation(text, enhanced=enhanced):
            continue
        if not (context.corpus_facts and context.corpus_facts.has_label(text, exact=False, column=label.column)):
            hint = relation_hint(text)
            yield context.report(CODE, located_text.span, labels=located_text.labels, hint=hint, found=text, base=base)
