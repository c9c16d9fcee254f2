"""Find the names that every match of a rewrite binds to words in a target."""

from __future__ import annotations

from collections.abc import Iterator

from fictdsl.semantics.walk import links
from fictdsl.syntax import nodes


def names_in_target(target: nodes.Target, below: dict[str, set[str]]) -> frozenset[str]:
    """Return the names bound to words in a target other than `sentence`; `below` is from `names_below`."""
    names = {name.text for name in target.nodes}
    if target.kind == "subtree":
        names |= below.get(target.nodes[0].text, set())
    return frozenset(names)


def names_below(block: nodes.Block) -> dict[str, set[str]]:
    """Return, for each name, the names that every match binds to words below its word in the basic tree."""
    direct: dict[str, set[str]] = {}
    for head, dependent in _edges(block):
        direct.setdefault(head, set()).add(dependent)
    below: dict[str, set[str]] = {}
    for name in direct:
        reached, stack = set[str](), [name]
        while stack:
            new = direct.get(stack.pop(), set()) - reached
            reached |= new
            stack += new
        below[name] = reached
    return below


def dependents(block: nodes.Block) -> set[str]:
    """Return the names of words that have a head in every match."""
    return {name for names in names_below(block).values() for name in names} | set(_targets_of_edges(block))


def _edges(block: nodes.Block) -> Iterator[tuple[str, str]]:
    for left, right in _head_and_dependent(block):
        if left.name is not None and right.name is not None:
            yield left.name.text, right.name.text


def _targets_of_edges(block: nodes.Block) -> Iterator[str]:
    for _, right in _head_and_dependent(block):
        if right.name is not None:
            yield right.name.text


def _head_and_dependent(block: nodes.Block) -> Iterator[tuple[nodes.NodeTerm, nodes.NodeTerm]]:
    for clause in block.clauses:
        for left, link in links(clause):
            match link.relation:
                case nodes.Edge(enhanced=False, from_dependent=True):
                    yield link.target, left
                case nodes.Edge(enhanced=False) | nodes.Path():
                    yield left, link.target


def target_text(target: nodes.Target) -> str:
    """Return a target as it is written."""
    return f"{target.kind}({', '.join(name.text for name in target.nodes)})" if target.nodes else target.kind
