"""Words that are moved into themselves.

## What
A `move` or `swap` whose two targets share a word in every match: the same node, or a node inside a subtree.

## Why
Words cannot stand before or after themselves, so every match is invalid and the rewrite changes nothing.

## Example
```fict
rewrite r { match { V -[obj]-> O } move subtree(V) after node(O) }
```

## Use instead
```fict
rewrite r { match { V -[obj]-> O } move node(V) after subtree(O) }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from fictdsl.diagnostics.codes.code import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.lint.context import LintContext
from fictdsl.lint.logic.targets import names_below, names_in_target
from fictdsl.syntax import nodes

CODE = Code(
    "FICT538",
    "moved-into-itself",
    "both targets contain the word of `{name}`",
    "The target and the destination of `move`, and the two targets of `swap`, cannot share a word.",
    Severity.WARNING,
)


def check(context: LintContext) -> Iterator[Diagnostic]:
    """Compare the targets of every `move` and `swap`."""
    for definition in context.rewrites:
        below = names_below(definition.match)
        for action in definition.actions:
            match action:
                case nodes.Move(target=target, destination=other) | nodes.Swap(target=target, other=other):
                    if other.kind == "sentence":
                        continue
                    if shared := names_in_target(target, below) & names_in_target(other, below):
                        yield context.report(CODE, action.span, name=min(shared))
