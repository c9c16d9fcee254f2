"""A test that follows from the others.

## What
A test of a node that is true of every word which passes the other tests of that node, here or in the blocks around,
or an alternative of an `or` that the other alternatives contain.

## Why
It is left over, or one of the tests is not what was meant: `upos = VERB, upos = VERB|AUX` finds verbs only.

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

from fictdsl.diagnostics.codes.code import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Label, Severity
from fictdsl.lint.logic.facts import Fact, Group
from fictdsl.lint.logic.satisfiability import Logic
from fictdsl.lint.subject import Subject
from fictdsl.syntax import nodes

CODE = Code(
    "FICT516",
    "redundant-test",
    "this test changes nothing: {why}",
    "A test that follows from the others is left over, or one of them is not what was meant.",
    Severity.WARNING,
)

_MOST = 30  # alternatives that are compared with each other


def check(subject: Subject) -> Iterator[Diagnostic]:
    """Look at each node in each block; in a family, a test must be redundant for every value of the parameter."""
    for group, ways in subject.groups:
        yield from _group(subject, group, ways)


def _group(subject: Subject, group: Group, ways: Sequence[Logic]) -> Iterator[Diagnostic]:
    everything = [*group.around, *group.own]
    if not all(logic.can_hold([fact.test for fact in everything]) for logic in ways):
        return  # it can never be true, so anything would follow
    left = list(everything)
    for fact in reversed(group.own):
        if fact.implied or _follows(fact.test, (), ways):
            continue  # what is always true has a rule of its own
        others = [other for other in left if other is not fact]
        if _follows(fact.test, [other.test for other in others], ways):
            left = others
            single = next((other for other in others if _follows(fact.test, [other.test], ways)), None)
            labels = () if single is None else (Label(single.span, "from this"),)
            why = "it follows from another" if single else "it follows from the others"
            fix = subject.without_test(fact, group)
            yield subject.report(CODE, fact.span, labels=labels, fix=fix, why=why)
        elif isinstance(fact.test, nodes.Or) and len(fact.test.tests) <= _MOST:
            yield from _alternatives(subject, fact, fact.test, ways)


def _alternatives(subject: Subject, fact: Fact, test: nodes.Or, ways: Sequence[Logic]) -> Iterator[Diagnostic]:
    left = list(test.tests)
    for part in reversed(test.tests):
        others = [other for other in left if other is not part]
        if others and all(logic.can_hold([part]) for logic in ways):
            whole = others[0] if len(others) == 1 else nodes.Or(tuple(others), fact.span)
            if _follows(whole, [part], ways):
                left = others
                fix = subject.edit.element(part.span, ("or",))
                why = "the rest of the `or` is true wherever this is"
                yield subject.report(CODE, part.span, fix=fix, why=why)


def _follows(test: nodes.Test, premises: Sequence[nodes.Test], ways: Sequence[Logic]) -> bool:
    return all(logic.follows(test, premises) for logic in ways)
