"""A difference between attributes of words that is also true where a word lacks the attribute.

## What
`A.F != B.F`, or `(A.F, …) not in @rows`, where F is a feature, a MISC entry, `token` or `feats`, and nothing requires
that each of the words has it.

## Why
`!=` is the exact negation of `=`, which is false of an absent value. In English, `N.Number != D.Number` is true of
nearly every noun with a determiner, since *the* has no `Number`. The fix requires the attribute of each word.

## Example
```fict
filter f { match { N:NOUN -[det]-> D  N.Number != D.Number } }
```

## Use instead
```fict
filter f { match { N:NOUN -[det]-> D  N[has Number] D[has Number] N.Number != D.Number } }
```
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fictdsl.diagnostics.codes import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Fix, Severity
from fictdsl.lint.facts import Fact, Node, clause_facts, implies_presence
from fictdsl.lint.rule_context import LintContext
from fictdsl.semantics.check_tests import full_name, is_feature
from fictdsl.source import Span
from fictdsl.syntax import nodes
from fictdsl.syntax.walk import block_of, blocks_of

CODE = Code(
    "FICT541",
    "unequal-or-absent",
    "this is also true where {lacking}",
    "`!=` and `not in` are true where a word lacks the attribute: of `N.Number != D.Number`, every determiner without "
    "`Number` is a match.",
    Severity.WARNING,
)

Facts = Mapping[Node, tuple[Fact, ...]]


def check(context: LintContext) -> Iterator[Diagnostic]:
    """Check the differences of each block, given the tests of the block and of those around it."""
    for definition in context.definitions:
        yield from _check_block(context, block_of(definition), {})


def _check_block(context: LintContext, block: nodes.Block, enclosing: Facts) -> Iterator[Diagnostic]:
    facts = dict(enclosing)
    for clause in block.clauses:
        if not isinstance(clause, nodes.Count):
            facts |= _with_clause(facts, clause)
    for clause in block.clauses:
        match clause:
            case nodes.AttributeComparison(left=left, op="!=", right=right):
                yield from _check_sides(context, clause.span, (left, right), facts)
            case nodes.TupleMember(attributes=sides, negated=True):
                yield from _check_sides(context, clause.span, sides, facts)
            case _:
                inner_facts = _with_clause(facts, clause) if isinstance(clause, nodes.Count) else facts
                for inner_block in blocks_of(clause):
                    yield from _check_block(context, inner_block, inner_facts)


def _with_clause(facts: Facts, clause: nodes.Clause) -> dict[Node, tuple[Fact, ...]]:
    extended = dict(facts)
    for node, node_facts in clause_facts(clause):
        extended[node] = extended.get(node, ()) + node_facts
    return extended


def _check_sides(
    context: LintContext, span: Span, sides: tuple[nodes.NodeAttribute, ...], facts: Facts
) -> Iterator[Diagnostic]:
    lacking: dict[str, list[str]] = {}
    for side in sides:
        node, attribute = side.node.text, full_name(side.attribute)
        if (is_feature(side.attribute.name) or side.attribute.name in ("misc", "token", "feats")) and not any(
            implies_presence(fact.test, attribute) for fact in facts.get(node, ())
        ):
            lacking.setdefault(attribute, []).append(node)
    if lacking:
        words = " or ".join(f"{' or '.join(names)} lacks `{attribute}`" for attribute, names in lacking.items())
        required = " ".join(f"{node}[has {attribute}]" for attribute, names in lacking.items() for node in names)
        fix = Fix(Span(span.start, span.start), f"{required} ", safe=False)
        yield context.report(CODE, span, hint=f"`{required}` excludes such words", fix=fix, lacking=words)
