"""A word that must differ from a word with the same relations.

## What
A node of a `without` or counting block, if a node of an enclosing block has all its relations and tests.

## Why
Different nodes are different words, so the block is about a second such word. The example finds only verbs without a
second subject. A counting block does not count the word of the enclosing node.

## Example
```fict
filter f { match { V -[nsubj]-> S  without { V -[nsubj]-> X } } }
```

## Use instead
```fict
filter f { match { V:VERB  without { V -[nsubj]-> X } } }
```
"""

from collections.abc import Iterable
from typing import TypeAlias

from fictdsl.diagnostics.diagnostic import Label, Severity
from fictdsl.lint.file_parts import LocatedBlock
from fictdsl.lint.rule_context import Findings, LintContext, Rule
from fictdsl.source import Span
from fictdsl.syntax import nodes
from fictdsl.syntax.walk import links, terms

RULE = Rule(
    "FICT536",
    "`{inner}` is a different word from `{outer}`, so the block is about a second such word",
    "Different nodes are different words, also in a `without` or a counting block. A node with the relations and tests "
    "of a node of an enclosing block stands for a second such word.",
    Severity.HINT,
)

_Condition: TypeAlias = tuple[str, object, str | None]  # the side of the node, a relation or test, and the other node
_Node: TypeAlias = tuple[Span, set[_Condition], set[_Condition]]  # the first occurrence, the relations and the tests


@RULE.over(LintContext.blocks_with_other_words)
def check(context: LintContext, located: LocatedBlock) -> Findings:
    clauses = (clause for block in located.path for clause in block.clauses)
    outer_nodes = _nodes(clause for clause in clauses if not isinstance(clause, nodes.Count))
    for clause in located.block.clauses:
        if isinstance(clause, nodes.Without | nodes.Count):
            counted = (clause,) if isinstance(clause, nodes.Count) else ()
            inner_nodes = _nodes((*counted, *clause.block.clauses))
            yield from _compare_nodes(context, inner_nodes, outer_nodes, _coinciding_names(clause.block))


def _compare_nodes(
    context: LintContext, inner_nodes: dict[str, _Node], outer_nodes: dict[str, _Node], coinciding: set[str]
) -> Findings:
    for name, (span, relations, tests) in inner_nodes.items():
        related = {other for _, _, other in relations}
        if name in outer_nodes or name in coinciding or not relations or not related <= outer_nodes.keys():
            continue
        for outer, (outer_span, outer_relations, outer_tests) in outer_nodes.items():
            if outer not in related and relations <= outer_relations and tests <= outer_tests:
                labels = (Label(outer_span, f"`{outer}` has these relations"),)
                hint = f"to refer to the same word, write `{outer}`"
                yield context.report(RULE, span, labels=labels, hint=hint, inner=name, outer=outer)
                break


def _nodes(clauses: Iterable[nodes.Clause]) -> dict[str, _Node]:
    by_name: dict[str, _Node] = {}
    for clause in clauses:
        for term in terms(clause):
            if term.name is not None:
                _, _, tests = by_name.setdefault(term.name.text, (term.name.span, set(), set()))
                tests |= {("", part, None) for part in (term.upos, term.test) if part}
        for left, link in links(clause):
            for side, term, other in (("left", left, link.target), ("right", link.target, left)):
                if term.name is not None:
                    _, relations, _ = by_name[term.name.text]
                    relations.add((side, link.relation, other.name.text if other.name is not None else None))
    return by_name


def _coinciding_names(block: nodes.Block) -> set[str]:
    pairs = (clause for clause in block.clauses if isinstance(clause, nodes.Coincide))
    return {name.text for clause in pairs for name in (clause.left, clause.right)}
