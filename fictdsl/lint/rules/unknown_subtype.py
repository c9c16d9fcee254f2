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

from fictdsl.lint.file_parts import LocatedText
from fictdsl.lint.rule_context import Findings, LintContext, Rule
from fictdsl.lint.vocabulary import relation_hint

RULE = Rule(
    "FICT529",
    "`{found}` is not a documented subtype of `{base}`",
    "A subtype that occurs in no treebank matches no words. Treebanks may define subtypes that are not documented.",
)


@RULE.over(LintContext.unknown_subtypes)
def check(context: LintContext, label: LocatedText) -> Findings:
    base = label.text.partition(":")[0]
    yield context.report_text(RULE, label, hint=relation_hint(label.text), base=base)
