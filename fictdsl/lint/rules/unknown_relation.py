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

from fictdsl.diagnostics.diagnostic import Severity
from fictdsl.lint.file_parts import LocatedText
from fictdsl.lint.rule_context import Findings, LintContext, Rule
from fictdsl.lint.vocabulary import relation_hint

RULE = Rule(
    "FICT502",
    "`{found}` is not a relation of Universal Dependencies",
    "UD has 37 relations; languages add subtypes after a colon. A label that occurs in no treebank matches no words.",
    Severity.ERROR,
)


@RULE.over(LintContext.unknown_relations)
def check(context: LintContext, label: LocatedText) -> Findings:
    yield context.report_label(RULE, label, hint=relation_hint(label.text))
