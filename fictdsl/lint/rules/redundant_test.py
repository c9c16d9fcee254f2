"""A test that follows from other tests.

## What
A test of a node that follows from the other tests of the node, in this block and in enclosing blocks. Also an
alternative of an `or` that the other alternatives cover.

## Why
The test is a leftover, or one of the tests is a mistake: `upos = VERB, upos = VERB|AUX` matches verbs only.

## Example
```fict
filter f { match { V:VERB[upos = VERB|AUX] } }
```

## Use instead
```fict
filter f { match { V:VERB } }
```
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fictdsl.diagnostics.codes import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Label, Severity
from fictdsl.lint.facts import Fact, Group
from fictdsl.lint.rule_context import LintContext
from fictdsl.lint.satisfiability import Solver
from fictdsl.syntax import nodes

CODE = Code(
    "FICT516",
    "redundant-test",
    "this test is redundant: {why}",
    "A test that follows from other tests is a leftover, or one of the tests is a mistake.",
    Severity.WARNING,
)

_MAX_ALTERNATIVES = 30  # an `or` with more is not checked


def check(context: LintContext) -> Iterator[Diagnostic]:
    """Check each node in each block. In a family, a test must be redundant for every value of the parameter."""
    for group, solvers in context.groups:
        yield from _check_group(context, group, solvers)


def _check_group(context: LintContext, group: Group, solvers: Sequence[Solver]) -> Iterator[Diagnostic]:
    facts = [*group.enclosing, *group.local]
    if not all(solver.is_satisfiable([fact.test for fact in facts]) for solver in solvers):
        return  # FICT514 reports the contradiction, from which every test follows
    remaining_facts = list(facts)
    for fact in reversed(group.local):
        if fact.implied or _follows(fact.test, (), solvers):
            continue  # FICT517 reports tests that are always true
        other_facts = [other for other in remaining_facts if other is not fact]
        if _follows(fact.test, [other.test for other in other_facts], solvers):
            remaining_facts = other_facts
            premise = next((other for other in other_facts if _follows(fact.test, [other.test], solvers)), None)
            labels = () if premise is None else (Label(premise.span, "from this"),)
            why = "it follows from another test" if premise else "it follows from the other tests"
            fix = context.remove_test(fact, group)
            yield context.report(CODE, fact.span, labels=labels, fix=fix, why=why)
        elif isinstance(fact.test, nodes.Or) and len(fact.test.tests) <= _MAX_ALTERNATIVES:
            yield from _check_alternatives(context, fact, fact.test, solvers)


def _check_alternatives(
    context: LintContext, fact: Fact, test: nodes.Or, solvers: Sequence[Solver]
) -> Iterator[Diagnostic]:
    remaining_tests = list(test.tests)
    for alternative in reversed(test.tests):
        other_tests = [other for other in remaining_tests if other is not alternative]
        if other_tests and all(solver.is_satisfiable([alternative]) for solver in solvers):
            disjunction = other_tests[0] if len(other_tests) == 1 else nodes.Or(tuple(other_tests), fact.span)
            if _follows(disjunction, [alternative], solvers):
                remaining_tests = other_tests
                fix = context.fix_builder.remove_element(alternative.span, ("or",))
                why = "the other alternatives of the `or` cover it"
                yield context.report(CODE, alternative.span, fix=fix, why=why)


def _follows(test: nodes.Test, premises: Sequence[nodes.Test], solvers: Sequence[Solver]) -> bool:
    return all(solver.follows(test, premises) for solver in solvers)
