"""Find the names that every match of a rewrite binds to words in a target."""

from __future__ import annotations

from collections.abc import Iterator

from fictdsl.semantics.walk import links
from fictdsl.syntax import nodes


def names_in_target(target: nodes.Target, descendants: dict[str, set[str]]) -> frozenset[str]:
    """Return the names bound to words in a target other than `sentence`.

    `descendants` is the result of `descendant_names`.
    """
    names = {name.text for name in target.nodes}
    if target.kind == "subtree":
        names |= descendants.get(target.nodes[0].text, set())
    return frozenset(names)


def descendant_names(block: nodes.Block) -> dict[str, set[str]]:
    """Return, for each name, the names that every match binds to words of its subtree in the basic tree.

    A name without such names is not a key.
    """
    children: dict[str, set[str]] = {}
    for head, dependent in _related_names(block):
        children.setdefault(head, set()).add(dependent)
    descendants: dict[str, set[str]] = {}
    for name in children:
        reached_names, stack = set[str](), [name]
        while stack:
            unseen = children.get(stack.pop(), set()) - reached_names
            reached_names |= unseen
            stack += unseen
        descendants[name] = reached_names
    return descendants


def dependents(block: nodes.Block) -> set[str]:
    """Return the names of words that have a head in every match."""
    named = [(upper, lower.name.text, distinct) for upper, lower, distinct in _related_terms(block) if lower.name]
    result = {lower for _, lower, distinct in named if distinct}
    equal_or_below = [(upper.name.text, lower) for upper, lower, distinct in named if upper.name and not distinct]
    while new := {lower for upper, lower in equal_or_below if upper in result} - result:
        result |= new
    return result


def _related_names(block: nodes.Block) -> Iterator[tuple[str, str]]:
    for upper, lower, _ in _related_terms(block):
        if upper.name is not None and lower.name is not None:
            yield upper.name.text, lower.name.text


def _related_terms(block: nodes.Block) -> Iterator[tuple[nodes.NodeTerm, nodes.NodeTerm, bool]]:
    """Yield the upper and the lower node of each edge and path of the basic tree, and whether they must be distinct."""
    for clause in block.clauses:
        for left, link in links(clause):
            match link.relation:
                case nodes.Edge(enhanced=False, from_dependent=True):
                    yield link.target, left, True
                case nodes.Edge(enhanced=False):
                    yield left, link.target, True
                case nodes.Path(bounds=bounds):
                    yield left, link.target, bounds is None or bounds.low != 0


def target_text(target: nodes.Target) -> str:
    """Return a target as it is written."""
    return f"{target.kind}({', '.join(name.text for name in target.nodes)})" if target.nodes else target.kind
