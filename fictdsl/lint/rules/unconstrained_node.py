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

from __future__ import annotations

from collections.abc import Iterator

from fictdsl.diagnostics.codes import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.lint.rule_context import LintContext
from fictdsl.syntax import nodes
from fictdsl.syntax.walk import all_names, block_of, blocks

CODE = Code(
    "FICT518",
    "unconstrained-node",
    "`{name}` has no test or relation, so it matches any other word of the sentence",
    "A node without a test or relation requires only that the sentence has one more word, and multiplies the number "
    "of matches by the number of such words.",
    Severity.WARNING,
)


def check(context: LintContext) -> Iterator[Diagnostic]:
    """Check the nodes that have neither a test nor a relation. In nested blocks, a name refers to the same node."""
    for definition in context.definitions:
        scopes = context.resolution.scopes(definition)
        for block in blocks(block_of(definition)):
            enclosing = scopes.of(block).enclosing
            bare_nodes = [
                clause.first for clause in block.clauses if isinstance(clause, nodes.Chain) and _is_bare(clause)
            ]
            other_clauses = [
                clause for clause in block.clauses if not (isinstance(clause, nodes.Chain) and _is_bare(clause))
            ]
            constrained = {name.text for clause in other_clauses for name in all_names(clause)} | set(enclosing)
            reported: set[str] = set()
            for term in bare_nodes:
                name = "_" if term.name is None else term.name.text
                if name not in constrained and name not in reported:
                    reported.add(name)
                    hint = "`sentence[length > …]` tests the number of words"
                    yield context.report(CODE, term.span, hint=hint, name=name)


def _is_bare(clause: nodes.Chain) -> bool:
    return not clause.links and not clause.first.upos and clause.first.test is None
