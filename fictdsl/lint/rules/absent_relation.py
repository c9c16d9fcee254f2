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

from fictdsl.diagnostics.suggest import did_you_mean
from fictdsl.lint.file_parts import LocatedText
from fictdsl.lint.rule_context import Findings, LintContext, Rule

RULE = Rule(
    "FICT530",
    "no word of the corpus has the relation `{found}`",
    "A label that does not occur in a corpus matches no words there. Treebanks differ in the subtypes they use, and "
    "releases of Universal Dependencies rename some of them.",
    needs_corpus=True,
)

_MAX_SHOWN = 8


@RULE.over(LintContext.relation_labels)
def check(context: LintContext, label: LocatedText) -> Findings:
    if not context.corpus.has_label(label.text, exact=label.exact, column=label.column):
        corpus_labels = context.corpus.values.get(label.column, ())
        base = label.text.partition(":")[0]
        related = [f"`{other}`" for other in corpus_labels if other.partition(":")[0] == base]
        hint = f"it has {', '.join(related[:_MAX_SHOWN])}" if related else did_you_mean(label.text, corpus_labels)
        yield context.report_text(RULE, label, hint=hint)
