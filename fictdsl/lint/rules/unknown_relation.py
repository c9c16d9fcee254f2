"""A relation label that Universal Dependencies does not define.

## What
A label in a relation, compared with `deprel`, directly or in a named list, or set by a rewrite, that is not one of the
37 relations of UD or a subtype of one. Only the part before the colon is checked; in the enhanced graph, `ref` is known
too. The finding is an error: `fictc plan` and `fictc run` reject the filter. A label that occurs in the given corpus is
not reported. In a file with the comment `# tagset: other` before its first list, pattern, filter or rewrite, the
finding is a hint.

## Why
A misspelt label matches no words, so the filter silently finds nothing.

## Example
```fict
filter f { match { V -[nsub]-> S:NOUN } }
```

## Use instead
```fict
filter f { match { V -[nsubj]-> S:NOUN } }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from fictdsl.diagnostics.codes import Code
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.lint.rule_context import LintContext
from fictdsl.lint.vocabulary import relation_hint
from fictdsl.semantics import ud

CODE = Code(
    "FICT502",
    "unknown-relation",
    "`{found}` is not a relation of Universal Dependencies",
    "UD has 37 relations; languages add subtypes after a colon. A label that occurs in no treebank matches no words.",
)


def check(context: LintContext) -> Iterator[Diagnostic]:
    """Check the part before the colon of every relation label."""
    for label in (*context.relation_labels, *context.assigned_relation_labels):
        text = label.located_text.text
        is_known = ud.is_base_relation(text, enhanced=label.enhanced)
        if not is_known and not (
            context.corpus_facts and context.corpus_facts.has_label(text, exact=False, column=label.column)
        ):
            yield context.report_label(CODE, label.located_text, hint=relation_hint(text))
