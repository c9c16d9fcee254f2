"""Neighbours of a word: the words whose columns are copied into its row, and the conditions that determine them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import assert_never

from fictdsl.plan.nodes import JoinCondition, RowScan
from fictdsl.schema import Neighbour, copy_name
from fictdsl.semantics import ir

OFFSETS: dict[Neighbour, int] = {"n": 1, "n2": 2, "n3": 3}
_NEIGHBOUR_BY_OFFSET: dict[int, Neighbour] = {offset: neighbour for neighbour, offset in OFFSETS.items()}


def neighbour_words(anchor: ir.Node, conditions: Iterable[JoinCondition]) -> list[tuple[ir.Node, Neighbour]]:
    """Return the nodes that conditions determine to be neighbours of the anchor. A node may occur more than once."""
    heads: dict[ir.Node, list[ir.Node]] = defaultdict(list)
    steps: dict[ir.Node, list[tuple[ir.Node, int]]] = defaultdict(list)
    for condition in conditions:
        match condition:
            case ir.Edge(head=head, dependent=dependent):
                heads[dependent].append(head)
            case ir.Precedes(left=left, right=right, low=low, high=high) if low == high:
                steps[left].append((right, low))
                steps[right].append((left, -low))
    neighbours: list[tuple[ir.Node, Neighbour]] = []
    for head in heads[anchor]:
        neighbours.append((head, "h"))
        neighbours += [(head_of_head, "hh") for head_of_head in heads[head]]
    offsets, frontier = {anchor: 0}, [anchor]
    while frontier:
        current = frontier.pop()
        for other, step in steps[current]:
            if other not in offsets:
                offsets[other] = offsets[current] + step
                frontier.append(other)
    return neighbours + [
        (node, _NEIGHBOUR_BY_OFFSET[offset]) for node, offset in offsets.items() if offset in _NEIGHBOUR_BY_OFFSET
    ]


def are_readable(columns: Iterable[str], neighbour: Neighbour, copies: frozenset[str]) -> bool:
    """Return whether the id and the given columns of a neighbour can be read from `copies`."""
    needed_copies = {copy_name(neighbour, column) for column in columns if column != "id"}
    return (needed_copies | ({"h_head"} if neighbour == "hh" else set())) <= copies


def is_implied(condition: JoinCondition, anchor: ir.Node, neighbours: dict[ir.Node, Neighbour]) -> bool:
    """Return whether a condition holds if the nodes are these neighbours of the anchor."""
    match condition:
        case ir.Edge(head=head, dependent=dependent):
            head_name = "h" if dependent == anchor else "hh" if neighbours.get(dependent) == "h" else None
            return head_name is not None and neighbours.get(head) == head_name
        case ir.Precedes(left=left, right=right, low=low, high=high) if low == high:
            offsets = {anchor: 0} | {node: OFFSETS[name] for node, name in neighbours.items() if name in OFFSETS}
            return left in offsets and right in offsets and offsets[right] - offsets[left] == low
    return False


def presence_checks(scan: RowScan) -> list[Neighbour]:
    """Return the neighbours whose existence a scan must check, since none of its tests fails if they are missing.

    If the farthest neighbour in a direction exists, the nearer neighbours exist too.
    """
    tested = {
        neighbour
        for node, neighbour in scan.neighbours
        for condition in scan.conditions
        if _requires_word(condition, node)
    }
    untested = [neighbour for _, neighbour in scan.neighbours if neighbour not in tested]
    checks: list[Neighbour] = []
    ancestors: tuple[Neighbour, ...] = ("hh", "h")
    next_words: tuple[Neighbour, ...] = ("n3", "n2", "n")
    for direction in (ancestors, next_words):
        farthest = next((neighbour for neighbour in direction if neighbour in tested or neighbour in untested), None)
        if farthest in untested:
            checks.append(farthest)
    return checks


def _requires_word(condition: JoinCondition, node: ir.Node) -> bool:
    """Return whether a condition is false if the node has no word, so that all its columns are NULL."""
    return isinstance(condition, ir.Tested) and condition.node == node and _fails_on_null(condition.test)


def _fails_on_null(test: ir.Test) -> bool:
    match test:
        case ir.OneOf() | ir.Matches() | ir.Contains() | ir.Present() | ir.Phrase():
            return True
        case ir.Bears(labels=labels):
            return not labels.negated
        case ir.Compares() | ir.Projective() | ir.Not():  # a neighbour's position is computed, so it is never NULL
            return False
        case ir.All(tests=tests):
            return any(_fails_on_null(part) for part in tests)
        case ir.Any(tests=tests):
            return all(_fails_on_null(part) for part in tests)
    assert_never(test)
