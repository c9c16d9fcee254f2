"""Tests that no word can pass together.

## What
All that is asked of one node in a block and in the blocks around it (its tests, its parts of speech, the labels of
the relations to it) where no word could satisfy it, and an `or` one side of which can never be true. The same for
the tests of `sentence[…]`.

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

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fictdsl.diagnostics.codes.code import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Label, Severity
from fictdsl.lint.logic.facts import Fact, Group
from fictdsl.lint.logic.satisfiability import Logic
from fictdsl.lint.subject import Subject
from fictdsl.syntax import nodes

CODE = Code(
    "FICT514",
    "never-true",
    "this can never be true{why}",
    "No word passes these tests together, so the filter, or the block, finds nothing.",
    Severity.WARNING,
)


def check(subject: Subject) -> Iterator[Diagnostic]:
    """Look at each node in each block; in a family, with each value of its parameter."""
    for group, ways in subject.groups:
        seen: set[Diagnostic] = set()
        for logic in ways:
            seen |= set(_group(subject, group, logic))
        yield from sorted(seen, key=lambda problem: problem.span.start if problem.span else 0)


def _group(subject: Subject, group: Group, logic: Logic) -> Iterator[Diagnostic]:
    known: list[Fact] = list(group.around)
    if not logic.can_hold([fact.test for fact in known]):
        return  # said of the block around
    implied = [fact for fact in group.own if fact.implied]
    for fact in (*implied, *(fact for fact in group.own if not fact.implied)):
        if not logic.can_hold([*(other.test for other in known), fact.test]):
            yield _report(subject, fact, known, logic)
            return
        known.append(fact)
    for fact in known[len(group.around) :]:
        if isinstance(fact.test, nodes.Or) and not fact.implied:
            rest = [other for other in known if other is not fact]
            for part in fact.test.tests:
                if not logic.can_hold([*(other.test for other in rest), part]):
                    yield _report(subject, Fact(part, part.span), rest, logic)


def _report(subject: Subject, fact: Fact, others: Sequence[Fact], logic: Logic) -> Diagnostic:
    if not logic.can_hold([fact.test]):
        return subject.report(CODE, fact.span, why="")
    single = next((other for other in others if not logic.can_hold([other.test, fact.test])), None)
    if single is None:
        return subject.report(CODE, fact.span, why=", with the other tests of the same word")
    labels = (Label(single.span, "with this"),)
    return subject.report(CODE, fact.span, labels=labels, why=" together with another test of the same word")
