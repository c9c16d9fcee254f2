"""A node that may be any word.

## What
A node that stands by itself and has no test and no relation anywhere: not in a chain, a comparison or a pattern call,
and not in a block inside.

## Why
It asks only that the sentence has one more word, and each match is counted once for each word it could be.

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
from fictdsl.lint.subject import Subject
from fictdsl.semantics.walk import all_names, block_of, blocks
from fictdsl.syntax import nodes

CODE = Code(
    "FICT518",
    "unconstrained-node",
    "nothing is asked of `{name}`: any other word of the sentence will do",
    "A node without test or relation asks only that the sentence has one more word, and makes as many "
    "matches as it has words.",
    Severity.WARNING,
)


def check(subject: Subject) -> Iterator[Diagnostic]:
    """Look for nodes that stand alone; a name is one node in the block it belongs to and all blocks inside."""
    for item in subject.definitions:
        scopes = subject.resolution.scopes(item)
        for block in blocks(block_of(item)):
            around = scopes.of(block).around
            alone = [clause.first for clause in block.clauses if isinstance(clause, nodes.Chain) and _bare(clause)]
            rest = [clause for clause in block.clauses if not (isinstance(clause, nodes.Chain) and _bare(clause))]
            constrained = {name.text for clause in rest for name in all_names(clause)} | set(around)
            told: set[str] = set()
            for term in alone:
                name = "_" if term.name is None else term.name.text
                if name not in constrained and name not in told:
                    told.add(name)
                    hint = "the number of words is `sentence[length > …]`"
                    yield subject.report(CODE, term.span, hint=hint, name=name)


def _bare(clause: nodes.Chain) -> bool:
    return not clause.links and not clause.first.upos and clause.first.test is None
