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

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from fictdsl.diagnostics.codes import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Label, Severity
from fictdsl.lint.rule_context import LintContext
from fictdsl.source import Span
from fictdsl.syntax import nodes
from fictdsl.syntax.walk import block_of, blocks_of, links, terms

CODE = Code(
    "FICT536",
    "another-word",
    "`{inner}` is a different word from `{outer}`, so the block is about a second such word",
    "Different nodes are different words, also in a `without` or a counting block. A node with the relations and tests "
    "of a node of an enclosing block stands for a second such word.",
    Severity.HINT,
)

_Condition: TypeAlias = tuple[str, object, str | None]  # the side of the node, a relation or test, and the other node


@dataclass(slots=True)
class _Node:
    """The relations and tests that clauses require of a node, and its first occurrence."""

    span: Span
    relations: set[_Condition] = field(default_factory=set)
    tests: set[_Condition] = field(default_factory=set)


def check(context: LintContext) -> Iterator[Diagnostic]:
    """Compare the nodes of each `without` and counting block with those of the enclosing blocks."""
    for definition in context.definitions:
        yield from _check_block(context, block_of(definition), {})


def _check_block(context: LintContext, block: nodes.Block, enclosing: dict[str, _Node]) -> Iterator[Diagnostic]:
    visible_nodes = dict(enclosing)
    for name, node in _nodes(tuple(clause for clause in block.clauses if not isinstance(clause, nodes.Count))).items():
        outer = enclosing.get(name, node)
        visible_nodes[name] = _Node(outer.span, outer.relations | node.relations, outer.tests | node.tests)
    for clause in block.clauses:
        for inner_block in blocks_of(clause):
            counted = (clause,) if isinstance(clause, nodes.Count) else ()
            if isinstance(clause, nodes.Without | nodes.Count):
                yield from _compare_nodes(
                    context, _nodes((*counted, *inner_block.clauses)), visible_nodes, _coinciding_names(inner_block)
                )
            yield from _check_block(context, inner_block, visible_nodes)


def _compare_nodes(
    context: LintContext, inner_nodes: dict[str, _Node], enclosing: dict[str, _Node], coinciding: set[str]
) -> Iterator[Diagnostic]:
    for name, node in inner_nodes.items():
        related = {other for _, _, other in node.relations}
        if name in enclosing or name in coinciding or not node.relations or not related <= enclosing.keys():
            continue
        for outer_name, outer_node in enclosing.items():
            if outer_name not in related and node.relations <= outer_node.relations and node.tests <= outer_node.tests:
                hint = f"to refer to the same word, write `{outer_name}`"
                labels = (Label(outer_node.span, f"`{outer_name}` has these relations"),)
                yield context.report(CODE, node.span, labels=labels, hint=hint, inner=name, outer=outer_name)
                break


def _nodes(clauses: tuple[nodes.Clause, ...]) -> dict[str, _Node]:
    """Return the named nodes of clauses, without those of nested blocks."""
    by_name: dict[str, _Node] = {}
    for clause in clauses:
        for term in terms(clause):
            if term.name is not None:
                node = by_name.setdefault(term.name.text, _Node(term.name.span))
                node.tests |= {("", part, None) for part in (term.upos, term.test) if part}
        for left, link in links(clause):
            for side, term, other in (("left", left, link.target), ("right", link.target, left)):
                if term.name is not None:
                    other_name = other.name.text if other.name is not None else None
                    by_name[term.name.text].relations.add((side, link.relation, other_name))
    return by_name


def _coinciding_names(block: nodes.Block) -> set[str]:
    pairs = (clause for clause in block.clauses if isinstance(clause, nodes.Coincide))
    return {name.text for clause in pairs for name in (clause.left, clause.right)}
