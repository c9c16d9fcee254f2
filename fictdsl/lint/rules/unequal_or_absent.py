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

from fictdsl.diagnostics.diagnostic import Fix
from fictdsl.lint.facts import Fact, Node, clause_facts, implies_presence
from fictdsl.lint.file_parts import LocatedBlock
from fictdsl.lint.rule_context import Findings, LintContext, Rule
from fictdsl.semantics.check_attributes import is_feature
from fictdsl.source import Span
from fictdsl.syntax import nodes

RULE = Rule(
    "FICT541",
    "this is also true where {lacking}",
    "`!=` and `not in` are true where a word lacks the attribute: of `N.Number != D.Number`, every determiner without "
    "`Number` is a match.",
)


@RULE.over(LintContext.blocks_with_differences)
def check(context: LintContext, located: LocatedBlock) -> Findings:
    facts = _facts(located)
    for clause in located.block.clauses:
        match clause:
            case nodes.AttributeComparison(left=left, op="!=", right=right):
                yield from _check_sides(context, clause.span, (left, right), facts)
            case nodes.TupleMember(attributes=sides, negated=True):
                yield from _check_sides(context, clause.span, sides, facts)
            case _:
                pass


def _facts(located: LocatedBlock) -> dict[Node, list[Fact]]:
    clauses = [clause for block in located.path for clause in block.clauses if not isinstance(clause, nodes.Count)]
    counting = [clause for _, clause in located.around if isinstance(clause, nodes.Count)]
    facts: dict[Node, list[Fact]] = {}
    for clause in (*clauses, *counting):
        for node, node_facts in clause_facts(clause):
            facts.setdefault(node, []).extend(node_facts)
    return facts


def _check_sides(
    context: LintContext, span: Span, sides: tuple[nodes.NodeAttribute, ...], facts: dict[Node, list[Fact]]
) -> Findings:
    lacking: dict[str, list[str]] = {}
    for side in sides:
        node, attribute = side.node.text, side.attribute.text()
        if (is_feature(side.attribute.name) or side.attribute.name in ("misc", "token", "feats")) and not any(
            implies_presence(fact.test, attribute) for fact in facts.get(node, ())
        ):
            lacking.setdefault(attribute, []).append(node)
    if lacking:
        words = " or ".join(f"{' or '.join(names)} lacks `{attribute}`" for attribute, names in lacking.items())
        required = " ".join(f"{node}[has {attribute}]" for attribute, names in lacking.items() for node in names)
        fix = Fix(Span(span.start, span.start), f"{required} ", safe=False)
        yield context.report(RULE, span, hint=f"`{required}` excludes such words", fix=fix, lacking=words)
