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

from itertools import chain

from fictdsl.lint.facts import Group, coinciding_pairs, parameter_pairs
from fictdsl.lint.file_parts import LocatedBlock
from fictdsl.lint.rule_context import Findings, LintContext, Rule
from fictdsl.syntax import nodes
from fictdsl.syntax.walk import normal_sum

RULE = Rule(
    "FICT517",
    "this is true of every {place}",
    "A test that excludes nothing is a leftover or a mistake.",
)


@RULE.over(LintContext.groups)
def check(context: LintContext, group: Group) -> Findings:
    """Check each test by itself. In a family, it must be true for every value of the parameter."""
    for fact in group.local:
        if not fact.implied and group.follows(fact.test):
            alternatives = fact.test.tests if isinstance(fact.test, nodes.Or) else ()
            always_true = (alternative.span for alternative in alternatives if group.follows(alternative))
            span = next(always_true, fact.span)
            yield context.report(RULE, span, fix=context.remove_test(fact, group), place=group.level)


@RULE.over(LintContext.blocks_with_sums)
def check_sums(context: LintContext, located: LocatedBlock) -> Findings:
    pairs = chain(parameter_pairs(located.definition), *map(coinciding_pairs, located.path))
    may_coincide = frozenset(pairs)
    for clause in located.block.clauses:
        if isinstance(clause, nodes.SumComparison) and normal_sum(clause).truth(may_coincide):
            yield context.report(RULE, clause.span, place="tree")
