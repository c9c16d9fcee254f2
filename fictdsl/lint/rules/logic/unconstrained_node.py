"""A node that matches any word.

## What
A node without a test that is in no relation, comparison or pattern call, neither in its block nor in a block inside.

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

from __future__ import annotations

from collections.abc import Iterator

from fictdsl.diagnostics.codes.code import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.lint.context import LintContext
from fictdsl.semantics.walk import all_names, block_of, blocks
from fictdsl.syntax import nodes

CODE = Code(
    "FICT518",
    "unconstrained-node",
    "`{name}` has no test or relation, so it matches any other word of the sentence",
    "A node without a test or relation requires only that the sentence has one more word, and multiplies the number "
    "of matches by the number of such words.",
    Severity.WARNING,
)


def check(context: LintContext) -> Iterator[Diagnostic]:
    """Check the nodes without test and relation. A name is one node in its block and all blocks inside."""
    for item in context.definitions:
        scopes = context.resolution.scopes(item)
        for block in blocks(block_of(item)):
            around = scopes.of(block).around
            alone = [clause.first for clause in block.clauses if isinstance(clause, nodes.Chain) and _bare(clause)]
            rest = [clause for clause in block.clauses if not (isinstance(clause, nodes.Chain) and _bare(clause))]
            constrained = {name.text for clause in rest for name in all_names(clause)} | set(around)
            reported: set[str] = set()
            for term in alone:
                name = "_" if term.name is None else term.name.text
                if name not in constrained and name not in reported:
                    reported.add(name)
                    hint = "`sentence[length > …]` tests the number of words"
                    yield context.report(CODE, term.span, hint=hint, name=name)


def _bare(clause: nodes.Chain) -> bool:
    return not clause.links and not clause.first.upos and clause.first.test is None
