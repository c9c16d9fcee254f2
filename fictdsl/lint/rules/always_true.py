"""A test that excludes nothing.

## What
A test that every word (or every sentence) passes. Also an alternative of an `or` that every word passes, and a
comparison of numbers of words that holds of every tree, such as `distance(A, B) >= 1`.

## Why
It has no effect. It is a leftover, or a mistake.

## Example
```fict
filter f { match { N:NOUN[not (has Number) or has Number] } }
```

## Use instead
```fict
filter f { match { N:NOUN } }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from fictdsl.diagnostics.codes import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.lint.relation_constraints import coinciding_pairs, parameter_pairs
from fictdsl.lint.rule_context import LintContext
from fictdsl.semantics.sums import normal_sum
from fictdsl.syntax import nodes
from fictdsl.syntax.walk import block_of, blocks_of

CODE = Code(
    "FICT517",
    "always-true",
    "this is true of every {place}",
    "A test that excludes nothing is a leftover or a mistake.",
    Severity.WARNING,
)


def check(context: LintContext) -> Iterator[Diagnostic]:
    """Check each test by itself. In a family, it must be true for every value of the parameter."""
    for group, solvers in context.groups:
        for fact in group.local:
            if fact.implied or not all(solver.follows(fact.test, ()) for solver in solvers):
                continue
            alternatives = fact.test.tests if isinstance(fact.test, nodes.Or) else ()
            always_true = next(
                (
                    alternative
                    for alternative in alternatives
                    if all(solver.follows(alternative, ()) for solver in solvers)
                ),
                None,
            )
            span = fact.span if always_true is None else always_true.span
            yield context.report(CODE, span, fix=context.remove_test(fact, group), place=group.level)
    for definition in context.definitions:
        yield from _check_sums(context, block_of(definition), frozenset(parameter_pairs(definition)))


def _check_sums(context: LintContext, block: nodes.Block, enclosing: frozenset[frozenset[str]]) -> Iterator[Diagnostic]:
    may_coincide = enclosing | frozenset(coinciding_pairs(block))
    for clause in block.clauses:
        if isinstance(clause, nodes.SumComparison) and normal_sum(clause).truth(may_coincide):
            yield context.report(CODE, clause.span, place="tree")
        for inner_block in blocks_of(clause):
            yield from _check_sums(context, inner_block, may_coincide)
