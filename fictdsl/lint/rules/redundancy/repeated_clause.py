"""A clause that stands in its block twice.

## What
A relation between the same two named nodes, or a whole `without`, `either`, counting block, call, comparison or
sentence test, that the same block holds already; and two equal branches of an `either`. An `either` with a `_` and a
call of a pattern with nodes of its own are left alone: said twice, they ask for two words.

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

from fictdsl.diagnostics.codes.code import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Fix, Label, Severity
from fictdsl.lint.subject import Subject
from fictdsl.semantics.resolve.resolution import Resolution
from fictdsl.semantics.walk import block_of, blocks, links, own_names, terms
from fictdsl.source import Span
from fictdsl.syntax import nodes

CODE = Code(
    "FICT525",
    "repeated-clause",
    "this stands in the block already",
    "A clause that is said twice asks for nothing more, or one of the two is not what was meant.",
    Severity.WARNING,
)


def check(subject: Subject) -> Iterator[Diagnostic]:
    """Compare the clauses of every block, their places in the text left out."""
    for item in subject.definitions:
        for block in blocks(block_of(item)):
            yield from _clauses(subject, block)
            for clause in block.clauses:
                if isinstance(clause, nodes.Either):
                    yield from _branches(subject, clause)


def _clauses(subject: Subject, block: nodes.Block) -> Iterator[Diagnostic]:
    first: dict[Hashable, Span] = {}
    for clause in block.clauses:
        for part, span in _parts(clause, subject.resolution):
            if part in first:
                fix = subject.edit.clause(clause.span) if _is_all(part, clause) else None
                yield subject.report(CODE, span, labels=(Label(first[part], "first here"),), fix=fix)
            first.setdefault(part, span)


def _branches(subject: Subject, either: nodes.Either) -> Iterator[Diagnostic]:
    first: dict[nodes.Block, Span] = {}
    left = len(either.branches)
    for branch in either.branches:
        if branch in first:
            left -= 1
            fix: Fix | None = subject.edit.element(branch.span, ("or",)) if left >= 2 else None  # one is no `either`
            yield subject.report(CODE, branch.span, labels=(Label(first[branch], "first here"),), fix=fix)
        first.setdefault(branch, branch.span)


def _parts(clause: nodes.Clause, resolution: Resolution) -> Iterator[tuple[Hashable, Span]]:
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
        case _ if _brings_nodes(clause, resolution, None):
            pass  # `_` is a new node each time, and so is a node of a pattern
        case _:
            yield clause, clause.span


def _is_all(part: Hashable, clause: nodes.Clause) -> bool:
    """Whether a clause asks for nothing but this part of it."""
    if isinstance(clause, nodes.Chain | nodes.Between):
        bare = all(not term.upos and term.test is None for term in terms(clause))
        return bare and (isinstance(clause, nodes.Between) or len(clause.links) == 1)
    return part == clause


def _brings_nodes(clause: nodes.Clause, resolution: Resolution, known: frozenset[str] | None) -> bool:
    """Whether a clause binds a node other than those `known` by name; None: all names are known."""
    match clause:
        case nodes.Call(arguments=arguments):
            pattern = resolution.pattern_of(clause)
            assert pattern is not None, clause.pattern.text
            inner = frozenset(name.text for name in pattern.item.parameters)
            if None in arguments or any(_brings_nodes(c, resolution, inner) for c in pattern.item.block.clauses):
                return True
        case nodes.Either(branches=branches):
            return any(_brings_nodes(inner, resolution, known) for branch in branches for inner in branch.clauses)
        case nodes.Chain() | nodes.Between() if any(term.name is None for term in terms(clause)):
            return True
    return known is not None and any(name.text not in known for name in own_names(clause))
