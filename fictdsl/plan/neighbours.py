"""Which words stand so near a word that its row has copies of their columns, and which conditions that place says."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import assert_never

from fictdsl.plan.layout import Neighbour, copy_name
from fictdsl.plan.nodes import JoinCondition, RowScan
from fictdsl.semantics import ir

STEPS: dict[Neighbour, int] = {"n": 1, "n2": 2, "n3": 3}
_NEXT: dict[int, Neighbour] = {step: place for place, step in STEPS.items()}


def neighbour_words(anchor: ir.Node, conditions: Iterable[JoinCondition]) -> list[tuple[ir.Node, Neighbour]]:
    """The nodes whose words the conditions put at a place near the anchor; a node may stand at several."""
    heads: dict[ir.Node, list[ir.Node]] = defaultdict(list)
    shifts: dict[ir.Node, list[tuple[ir.Node, int]]] = defaultdict(list)
    for condition in conditions:
        match condition:
            case ir.Edge(head=head, dependent=dependent):
                heads[dependent].append(head)
            case ir.Precedes(left=left, right=right, low=low, high=high) if low == high:
                shifts[left].append((right, low))
                shifts[right].append((left, -low))
    found: list[tuple[ir.Node, Neighbour]] = []
    for head in heads[anchor]:
        found.append((head, "h"))
        found += [(above, "hh") for above in heads[head]]
    offsets, frontier = {anchor: 0}, [anchor]
    while frontier:
        here = frontier.pop()
        for other, step in shifts[here]:
            if other not in offsets:
                offsets[other] = offsets[here] + step
                frontier.append(other)
    return found + [(node, _NEXT[offset]) for node, offset in offsets.items() if offset in _NEXT]


def readable(columns: Iterable[str], place: Neighbour, copies: frozenset[str]) -> bool:
    """Whether the id and these columns of the word at a place can be read."""
    wanted = {copy_name(place, column) for column in columns if column != "id"}
    return (wanted | ({"h_head"} if place == "hh" else set())) <= copies


def implied(condition: JoinCondition, anchor: ir.Node, places: dict[ir.Node, Neighbour]) -> bool:
    """Whether a condition says no more than that the words stand at these places near the anchor."""
    match condition:
        case ir.Edge(head=head, dependent=dependent):
            above = "h" if dependent == anchor else "hh" if places.get(dependent) == "h" else None
            return above is not None and places.get(head) == above
        case ir.Precedes(left=left, right=right, low=low, high=high) if low == high:
            offsets = {anchor: 0} | {node: STEPS[place] for node, place in places.items() if place in STEPS}
            return left in offsets and right in offsets and offsets[right] - offsets[left] == low
    return False


def presence_checks(scan: RowScan) -> list[Neighbour]:
    """The places where a scan must ask whether there is a word, since no test there fails where there is none."""
    certain = {place for node, place in scan.near for c in scan.conditions if _demands(c, node)}
    asked = [place for _, place in scan.near if place not in certain]
    needed: list[Neighbour] = []
    up: tuple[Neighbour, ...] = ("hh", "h")
    after: tuple[Neighbour, ...] = ("n3", "n2", "n")
    for chain in (up, after):
        farthest = next((place for place in chain if place in certain or place in asked), None)
        if farthest in asked:
            needed.append(farthest)
    return needed


def _demands(condition: JoinCondition, node: ir.Node) -> bool:
    """Whether a condition fails for certain where the node has no word, all of whose columns are NULL then."""
    return isinstance(condition, ir.Tested) and condition.node == node and _fails_on_null(condition.test)


def _fails_on_null(test: ir.Test) -> bool:
    match test:
        case ir.OneOf() | ir.Matches() | ir.Present() | ir.Phrase():
            return True
        case ir.Bears(labels=labels):
            return not labels.negated
        case ir.Compares() | ir.Not():  # a position is computed, and never NULL
            return False
        case ir.All(tests=tests):
            return any(_fails_on_null(part) for part in tests)
        case ir.Any(tests=tests):
            return all(_fails_on_null(part) for part in tests)
    assert_never(test)
