"""A clause that stands in its block twice.

## What
A relation between the same two named nodes, or a whole `without`, `either`, counting block, call, comparison or
sentence test, that the same block holds already; and two equal branches of an `either`.

## Why
It asks for nothing more, or one of the two is not what was meant.

## Example
```fict
filter f { match { V -[nsubj]-> S  S << V  V -[nsubj]-> S } }
```

## Use instead
```fict
filter f { match { V -[nsubj]-> S  S << V } }
```
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from fictdsl.diagnostics.diagnostic import Diagnostic, Label
from fictdsl.lint.subject import Subject
from fictdsl.semantics.walk import block_of, blocks, links, terms
from fictdsl.source import Span
from fictdsl.syntax import nodes


def check(subject: Subject) -> Iterator[Diagnostic]:
    """Compare the clauses of every block, their places in the text left out."""
    for item in subject.definitions:
        for block in blocks(block_of(item)):
            parts = [part for clause in block.clauses for part in _parts(clause)]
            yield from _repeated(subject, parts)
            for clause in block.clauses:
                if isinstance(clause, nodes.Either):
                    yield from _repeated(subject, [(branch, branch.span) for branch in clause.branches])


def _repeated(subject: Subject, parts: list[tuple[Hashable, Span]]) -> Iterator[Diagnostic]:
    first: dict[Hashable, Span] = {}
    for part, span in parts:
        if part in first:
            yield subject.report("FICT525", span, labels=(Label(first[part], "first here"),))
        first.setdefault(part, span)


def _parts(clause: nodes.Clause) -> Iterator[tuple[Hashable, Span]]:
    """What a clause asks for: a chain, one thing for each relation between two names."""
    match clause:
        case nodes.Chain():
            for left, link in links(clause):
                if left.name is not None and link.target.name is not None:
                    yield (left.name, link.relation, link.target.name), left.name.span.to(link.target.name.span)
        case nodes.Between():
            names = tuple(term.name for term in terms(clause))
            if None not in names:
                yield ("between", *names), clause.span
        case nodes.Call(arguments=arguments) if None in arguments:
            pass  # `_` is a new node each time
        case _:
            yield clause, clause.span
