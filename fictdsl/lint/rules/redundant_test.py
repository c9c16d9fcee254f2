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

from fictdsl.diagnostics.diagnostic import Label
from fictdsl.lint.facts import Fact, Group
from fictdsl.lint.rule_context import Findings, LintContext, Rule
from fictdsl.syntax import nodes

RULE = Rule(
    "FICT516",
    "this test is redundant: {why}",
    "A test that follows from other tests is a leftover, or one of the tests is a mistake.",
)

_MAX_ALTERNATIVES = 30  # an `or` with more is not checked


@RULE.over(LintContext.groups)
def check(context: LintContext, group: Group) -> Findings:
    """Check the tests of a node. In a family, a test must be redundant for every value of the parameter."""
    remaining_facts = [*group.enclosing, *group.local]
    if not group.is_satisfiable([fact.test for fact in remaining_facts]):
        return  # FICT514 reports the contradiction, from which every test follows
    for fact in reversed(group.local):
        if fact.implied or group.follows(fact.test):
            continue  # FICT517 reports tests that are always true
        other_facts = [other for other in remaining_facts if other is not fact]
        if group.follows(fact.test, [other.test for other in other_facts]):
            remaining_facts = other_facts
            premise = next((other for other in other_facts if group.follows(fact.test, [other.test])), None)
            labels = () if premise is None else (Label(premise.span, "from this"),)
            why = "it follows from another test" if premise else "it follows from the other tests"
            fix = context.remove_test(fact, group)
            yield context.report(RULE, fact.span, labels=labels, fix=fix, why=why)
        elif isinstance(fact.test, nodes.Or) and len(fact.test.tests) <= _MAX_ALTERNATIVES:
            yield from _check_alternatives(context, fact, fact.test, group)


def _check_alternatives(context: LintContext, fact: Fact, test: nodes.Or, group: Group) -> Findings:
    remaining_tests = list(test.tests)
    for alternative in reversed(test.tests):
        other_tests = [other for other in remaining_tests if other is not alternative]
        if other_tests and group.is_satisfiable([alternative]):
            disjunction = other_tests[0] if len(other_tests) == 1 else nodes.Or(tuple(other_tests), span=fact.span)
            if group.follows(disjunction, [alternative]):
                remaining_tests = other_tests
                fix = context.fix_builder.remove_element(alternative.span, ("or",))
                why = "the other alternatives of the `or` cover it"
                yield context.report(RULE, alternative.span, fix=fix, why=why)
