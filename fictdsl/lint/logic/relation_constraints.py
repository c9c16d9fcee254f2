"""Decide whether a tree and an order of words can satisfy a set of relations between nodes.

Order is a system of difference constraints between word ids; dominance is a transitive relation without cycles.
"""

from __future__ import annotations

from dataclasses import dataclass, field

UNBOUNDED = 10**9
_MAX_NODES = 40  # more than a filter may have; patterns have no limit


@dataclass(slots=True)
class RelationConstraints:
    """The constraints that relations put on nodes, which are identified by name.

    `max_distance[a, b]` is the upper bound of id(b) − id(a). The nodes of a pair in `may_coincide` may be the same
    word.
    """

    names: set[str] = field(default_factory=set)
    max_distance: dict[tuple[str, str], int] = field(default_factory=dict)
    heads: dict[str, str] = field(default_factory=dict)
    above: set[tuple[str, str]] = field(default_factory=set)
    above_or_same: set[tuple[str, str]] = field(default_factory=set)
    siblings: set[tuple[str, str]] = field(default_factory=set)
    between: list[tuple[str, str, str]] = field(default_factory=list)
    may_coincide: frozenset[frozenset[str]] = frozenset()

    @property
    def is_too_large(self) -> bool:
        """Whether there are too many nodes to look for a contradiction."""
        return len(self.names) > _MAX_NODES

    def copy(self) -> RelationConstraints:
        """Return a copy that shares no set with this one."""
        return RelationConstraints(
            set(self.names),
            dict(self.max_distance),
            dict(self.heads),
            set(self.above),
            set(self.above_or_same),
            set(self.siblings),
            list(self.between),
            self.may_coincide,
        )

    def add_distance(self, left: str, right: str, low: int, high: int = UNBOUNDED) -> None:
        """Add the constraint low ≤ id(right) − id(left) ≤ high."""
        self.names |= {left, right}
        self.max_distance[left, right] = min(high, self.max_distance.get((left, right), UNBOUNDED))
        self.max_distance[right, left] = min(-low, self.max_distance.get((right, left), UNBOUNDED))

    def add_head(self, head: str, dependent: str) -> str | None:
        """Add that `head` is the head of `dependent`. Returns the reason if that is impossible."""
        self.names |= {head, dependent}
        other = self.heads.setdefault(dependent, head)
        self.above.add((head, dependent))
        if other != head and frozenset((other, head)) not in self.may_coincide:
            return f": `{_shown(dependent)}` would have two heads, `{_shown(other)}` and `{_shown(head)}`"
        return None

    def contradiction(self) -> str | None:
        """Return the reason why the constraints contradict each other; None if they do not."""
        return self._cycle() or self._order_conflict()

    def _cycle(self) -> str | None:
        names = sorted(self.names)
        strict = set(self.above)
        loose = strict | self.above_or_same
        for middle in names:
            for top in names:
                for low in names:
                    if (top, middle) in loose and (middle, low) in loose:
                        loose.add((top, low))
                        if (top, middle) in strict or (middle, low) in strict:
                            strict.add((top, low))
        for name in names:
            if (name, name) in strict:
                return f": `{_shown(name)}` would be above itself"
        for left, right in self.siblings:
            if (left, right) in strict or (right, left) in strict:
                return f": `{_shown(left)}` and `{_shown(right)}` would be siblings, and one would be above the other"
        return None

    def _order_conflict(self) -> str | None:
        for _ in self.between:  # one `between` may determine the direction of another
            bounds = self._shortest_paths() or {}
            for middle, left, right in self.between:
                if any(bounds.get(pair, UNBOUNDED) < 0 for pair in ((right, left), (middle, left), (right, middle))):
                    self.add_distance(left, middle, 1)
                    self.add_distance(middle, right, 1)
                elif any(bounds.get(pair, UNBOUNDED) < 0 for pair in ((left, right), (middle, right), (left, middle))):
                    self.add_distance(right, middle, 1)
                    self.add_distance(middle, left, 1)
        shortest = self._shortest_paths()
        if shortest is None:
            return ": a word would be before itself"
        for (left, right), high in shortest.items():
            same = left != right and high == 0 and shortest.get((right, left)) == 0
            if same and frozenset((left, right)) not in self.may_coincide:
                return f": `{_shown(left)}` and `{_shown(right)}` would be the same word"
        return None

    def _shortest_paths(self) -> dict[tuple[str, str], int] | None:
        """Return the tightest bounds on distances (Floyd–Warshall); None if the constraints are contradictory."""
        names = sorted(self.names)
        bounds = dict(self.max_distance)
        for middle in names:
            for left in names:
                first = bounds.get((left, middle))
                if first is None or first >= UNBOUNDED:
                    continue
                for right in names:
                    second = bounds.get((middle, right))
                    if second is None or second >= UNBOUNDED:
                        continue
                    if first + second < bounds.get((left, right), UNBOUNDED):
                        bounds[left, right] = first + second
        return None if any(bounds.get((name, name), 0) < 0 for name in names) else bounds


def _shown(node: str) -> str:
    return "_" if node.startswith("_") else node
