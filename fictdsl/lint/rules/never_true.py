"""Tests that contradict each other.

## What
Conditions on one node, in a block and the blocks around it, that no word satisfies: tests, UPOS tags and the labels of
relations to its head. Also an alternative of an `or` that can never be true. Tests of `sentence[…]` are checked too.

## Why
The filter finds nothing, or the `without` never excludes anything.

## Example
```fict
filter f { match { X[upos = VERB, upos = NOUN] } }
```

## Use instead
```fict
filter f { match { X[upos = VERB|NOUN] } }
```
"""

from collections.abc import Sequence

from fictdsl.diagnostics.diagnostic import Diagnostic, Label
from fictdsl.lint.facts import Fact, Group
from fictdsl.lint.rule_context import Findings, LintContext, Rule
from fictdsl.lint.satisfiability import Solver
from fictdsl.syntax import nodes

RULE = Rule(
    "FICT514",
    "this can never be true{why}",
    "No word or sentence passes all these tests, so the block, or the alternative of an `or`, never matches.",
)


@RULE.over(LintContext.groups)
def check(context: LintContext, group: Group) -> Findings:
    """Check the tests of a node; in a family, with each value of its parameter."""
    findings: dict[Diagnostic, None] = {}  # a set in a fixed order
    for solver in group.solvers:
        findings |= dict.fromkeys(_check_group(context, group, solver))
    yield from sorted(findings, key=lambda finding: finding.span.start if finding.span else 0)


def _check_group(context: LintContext, group: Group, solver: Solver) -> Findings:
    accepted: list[Fact] = list(group.enclosing)
    if not solver.is_satisfiable([fact.test for fact in accepted]):
        return  # reported for the enclosing block
    implied = [fact for fact in group.local if fact.implied]
    for fact in (*implied, *(fact for fact in group.local if not fact.implied)):
        if not solver.is_satisfiable([*(other.test for other in accepted), fact.test]):
            yield _report(context, fact, accepted, solver, group)
            return
        accepted.append(fact)
    for fact in accepted[len(group.enclosing) :]:
        if isinstance(fact.test, nodes.Or) and not fact.implied:
            other_facts = [other for other in accepted if other is not fact]
            for alternative in fact.test.tests:
                if not solver.is_satisfiable([*(other.test for other in other_facts), alternative]):
                    yield _report(context, Fact(alternative, alternative.span), other_facts, solver, group)


def _report(context: LintContext, fact: Fact, other_facts: Sequence[Fact], solver: Solver, group: Group) -> Diagnostic:
    if not solver.is_satisfiable([fact.test]):
        return context.report(RULE, fact.span, why="")
    tested = "the sentence" if group.level == "sentence" else "the same word"
    contradicting = next((other for other in other_facts if not solver.is_satisfiable([other.test, fact.test])), None)
    if contradicting is None:
        return context.report(RULE, fact.span, why=f" together with the other tests of {tested}")
    labels = (Label(contradicting.span, "with this"),)
    return context.report(RULE, fact.span, labels=labels, why=f" together with another test of {tested}")
