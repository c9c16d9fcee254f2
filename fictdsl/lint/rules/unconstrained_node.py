"""A node that matches any word.

## What
A node that has no test and takes part in no relation, comparison or pattern call, in its block or in a nested block.

## Why
It requires only that the sentence has one more word, and each match is counted once for each such word.

## Example
```fict
filter f { match { V:VERB -[nsubj]-> S  X } }
```

## Use instead
```fict
filter f { match { V:VERB -[nsubj]-> S } }
```
"""

from fictdsl.lint.facts import is_bare
from fictdsl.lint.file_parts import LocatedBlock
from fictdsl.lint.rule_context import Findings, LintContext, Rule
from fictdsl.syntax.walk import all_names, terms

RULE = Rule(
    "FICT518",
    "`{name}` has no test or relation, so it matches any other word of the sentence",
    "A node without a test or relation requires only that the sentence has one more word, and multiplies the number "
    "of matches by the number of such words.",
)


@RULE.over(LintContext.blocks_with_bare_nodes)
def check(context: LintContext, located: LocatedBlock) -> Findings:
    """Check the nodes that have neither a test nor a relation. In nested blocks, a name refers to the same node."""
    clauses = located.block.clauses
    seen = {name.text for clause in clauses if not is_bare(clause) for name in all_names(clause)}
    seen |= context.enclosing_names(located).keys()
    for term in (term for clause in clauses if is_bare(clause) for term in terms(clause)):
        name = "_" if term.name is None else term.name.text
        if name not in seen:
            seen.add(name)
            yield context.report(RULE, term.span, hint="`sentence[length > …]` tests the number of words", name=name)
