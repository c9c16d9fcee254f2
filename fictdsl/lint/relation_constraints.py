"""Look for contradictions in a set of relations between nodes. Not every contradiction is found.

Order is a system of difference constraints between word ids; dominance is a transitive relation without cycles.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

from fictdsl.semantics.sums import UNBOUNDED
from fictdsl.syntax import nodes
from fictdsl.syntax.walk import Definition, links

_MAX_NODES = 40  # more than a filter may have; patterns have no limit


@dataclass(slots=True)
class RelationConstraints:
    """The constraints that relations put on nodes. Nodes are identified by name, unnamed ones by `_` and a number.

    `max_distance[a, b]` is the upper bound of id(b) − id(a). `heads` maps a dependent to its head. `above`
    contains pairs of an ancestor and a descendant, and in `above_or_same` both may be the same word. `siblings`
    contains pairs of nodes with the same head. `between` contains triples of a middle and two ends, which may be in
    either order. `apart` maps a pair of nodes to their least distance, whichever is first. The nodes of a pair in
    `may_coincide` may be the same word.
    """

    names: set[str] = field(default_factory=set)
    max_distance: dict[tuple[str, str], int] = field(default_factory=dict)
    heads: dict[str, str] = field(default_factory=dict)
    above: set[tuple[str, str]] = field(default_factory=set)
    above_or_same: set[tuple[str, str]] = field(default_factory=set)
    siblings: set[tuple[str, str]] = field(default_factory=set)
    between: list[tuple[str, str, str]] = field(default_factory=list)
    apart: dict[tuple[str, str], int] = field(default_factory=dict)
    may_coincide: frozenset[frozenset[str]] = frozenset()

    @property
    def is_too_large(self) -> bool:
        """Whether there are too many nodes to look for a contradiction."""
        return len(self.names) > _MAX_NODES

    def copy(self) -> RelationConstraints:
        """Return a copy that shares no mutable collection with the original."""
        return RelationConstraints(
            set(self.names),
            dict(self.max_distance),
            dict(self.heads),
            set(self.above),
            set(self.above_or_same),
            set(self.siblings),
            list(self.between),
            dict(self.apart),
            self.may_coincide,
        )

    def add_distance(self, left: str, right: str, low: int, high: int = UNBOUNDED) -> None:
        """Add the constraint low ≤ id(right) − id(left) ≤ high."""
        self.names |= {left, right}
        self.max_distance[left, right] = min(high, self.max_distance.get((left, right), UNBOUNDED))
        self.max_distance[right, left] = min(-low, self.max_distance.get((right, left), UNBOUNDED))

    def add_distance_either_way(self, left: str, right: str, low: int, high: int) -> None:
        """Add the constraint low ≤ |id(right) − id(left)| ≤ high."""
        self.add_distance(left, right, -high, high)
        self.apart[left, right] = max(low, self.apart.get((left, right), 0))

    def add_head(self, head: str, dependent: str) -> str | None:
        """Add `head` as the head of `dependent`. If that is impossible, return the reason with a leading ": "."""
        self.names |= {head, dependent}
        known_head = self.heads.setdefault(dependent, head)
        self.above.add((head, dependent))
        if known_head != head and frozenset((known_head, head)) not in self.may_coincide:
            heads = f"`{_shown_name(known_head)}` and `{_shown_name(head)}`"
            return f": `{_shown_name(dependent)}` would have two heads, {heads}"
        return None

    def contradiction(self) -> str | None:
        """Return the description of a contradiction, with a leading ": "; None if none is found."""
        return self._dominance_conflict() or self._order_conflict()

    def _dominance_conflict(self) -> str | None:
        names = sorted(self.names)
        strictly_above = set(self.above)
        above_or_same = strictly_above | self.above_or_same
        for middle in names:
            for top in names:
                for bottom in names:
                    if (top, middle) in above_or_same and (middle, bottom) in above_or_same:
                        above_or_same.add((top, bottom))
                        if (top, middle) in strictly_above or (middle, bottom) in strictly_above:
                            strictly_above.add((top, bottom))
        for name in names:
            if (name, name) in strictly_above:
                return f": `{_shown_name(name)}` would be above itself"
        for left, right in self.siblings:
            if (left, right) in strictly_above or (right, left) in strictly_above:
                shown_pair = f"`{_shown_name(left)}` and `{_shown_name(right)}`"
                return f": {shown_pair} would be siblings, and one would be above the other"
        return None

    def _order_conflict(self) -> str | None:
        undirected, apart = list(dict.fromkeys(self.between)), list(self.apart.items())
        count = 0
        while count != (count := len(undirected) + len(apart)):  # one may determine the direction of another
            bounds = self._shortest_paths() or {}
            undirected = [between for between in undirected if not self._direct(*between, bounds)]
            apart = [(pair, low) for pair, low in apart if not self._order(*pair, low, bounds)]
        shortest = self._shortest_paths()
        if shortest is None:
            return ": the distances contradict each other" if self.apart else ": a word would be before itself"
        for (left, right), high in shortest.items():
            is_same_word = left != right and high == 0 and shortest.get((right, left)) == 0
            if is_same_word and frozenset((left, right)) not in self.may_coincide:
                return f": `{_shown_name(left)}` and `{_shown_name(right)}` would be the same word"
        return None

    def _direct(self, middle: str, end: str, other_end: str, bounds: dict[tuple[str, str], int]) -> bool:
        """Add the distances of a `between` if `bounds` determine the order of its ends. Return whether they do."""
        for left, right in ((end, other_end), (other_end, end)):
            pairs = ((right, left), (middle, left), (right, middle))
            if any(bounds.get(pair, UNBOUNDED) < 0 for pair in pairs):
                self.add_distance(left, middle, 1)
                self.add_distance(middle, right, 1)
                return True
        return False

    def _order(self, left: str, right: str, low: int, bounds: dict[tuple[str, str], int]) -> bool:
        """Add the least distance of two nodes if `bounds` leave only one order of them. Return whether they do."""
        for first, last in ((left, right), (right, left)):
            if bounds.get((last, first), UNBOUNDED) < low:
                self.add_distance(first, last, low)
                return True
        return False

    def _shortest_paths(self) -> dict[tuple[str, str], int] | None:
        """Return the tightest bounds on distances (Floyd–Warshall); None if the constraints are contradictory."""
        names = sorted(self.names)
        bounds = dict(self.max_distance)
        for middle in names:
            for left in names:
                left_to_middle = bounds.get((left, middle))
                if left_to_middle is None or left_to_middle >= UNBOUNDED:
                    continue
                for right in names:
                    middle_to_right = bounds.get((middle, right))
                    if middle_to_right is None or middle_to_right >= UNBOUNDED:
                        continue
                    if left_to_middle + middle_to_right < bounds.get((left, right), UNBOUNDED):
                        bounds[left, right] = left_to_middle + middle_to_right
        return None if any(bounds.get((name, name), 0) < 0 for name in names) else bounds


def _shown_name(node: str) -> str:
    return "_" if node.startswith("_") else node


def node_name(term: nodes.NodeTerm) -> str:
    """Return the name of a node, or `_` and a number."""
    return f"_{term.span.start}" if term.name is None else term.name.text


def limits(bounds: nodes.Bounds | None) -> tuple[int, int]:
    """Return the lowest and the highest number that bounds allow."""
    if bounds is None:
        return 1, UNBOUNDED
    return 1 if bounds.low is None else bounds.low, UNBOUNDED if bounds.high is None else bounds.high


def parameter_pairs(definition: Definition) -> Iterator[frozenset[str]]:
    """Yield the pairs of a pattern's parameters, since a call may have arguments that may be the same word."""
    if isinstance(definition, nodes.PatternDef):
        yield from (frozenset(pair) for pair in combinations([name.text for name in definition.parameters], 2))


def coinciding_pairs(block: nodes.Block) -> Iterator[frozenset[str]]:
    """Yield the pairs of nodes that may be one word: in `A may be B`, in `A ->>{0..} B`, or arguments of one call."""
    for clause in block.clauses:
        match clause:
            case nodes.Chain():
                for left, link in links(clause):
                    if isinstance(link.relation, nodes.Path) and limits(link.relation.bounds)[0] == 0:
                        yield frozenset((node_name(left), node_name(link.target)))
            case nodes.Either(branches=branches):
                for branch in branches:
                    yield from coinciding_pairs(branch)
            case nodes.Maybe(block=inner_block):
                yield from coinciding_pairs(inner_block)
            case nodes.Coincide(left=left_name, right=right_name):
                yield frozenset((left_name.text, right_name.text))
            case nodes.Call(arguments=arguments):
                names = [argument.text for argument in arguments if argument is not None]
                yield from (frozenset(pair) for pair in combinations(names, 2))
            case _:
                pass
