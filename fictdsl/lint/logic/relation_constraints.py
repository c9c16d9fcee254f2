"""Relations between nodes, one after the other, into whether any tree and any order of words could satisfy them."""

from __future__ import annotations

from dataclasses import dataclass, field

FAR = 10**9
_MOST_NODES = 24  # more than a filter may have; a pattern could be of any size


@dataclass(slots=True)
class Known:
    """What some relations say of nodes, which are named by any text.

    `most[a, b]` is the most that id(b) − id(a) can be; the pairs of `may_coincide` need not be different words.
    """

    names: set[str] = field(default_factory=set)
    most: dict[tuple[str, str], int] = field(default_factory=dict)
    heads: dict[str, str] = field(default_factory=dict)
    above: set[tuple[str, str]] = field(default_factory=set)
    above_or_same: set[tuple[str, str]] = field(default_factory=set)
    siblings: set[tuple[str, str]] = field(default_factory=set)
    between: list[tuple[str, str, str]] = field(default_factory=list)
    may_coincide: frozenset[frozenset[str]] = frozenset()

    @property
    def full(self) -> bool:
        """Whether there are too many nodes to go on."""
        return len(self.names) > _MOST_NODES

    def copy(self) -> Known:
        """The same, to add to."""
        return Known(
            set(self.names),
            dict(self.most),
            dict(self.heads),
            set(self.above),
            set(self.above_or_same),
            set(self.siblings),
            list(self.between),
            self.may_coincide,
        )

    def distance(self, left: str, right: str, low: int, high: int = FAR) -> None:
        """id(right) − id(left) lies between `low` and `high`."""
        self.names |= {left, right}
        self.most[left, right] = min(high, self.most.get((left, right), FAR))
        self.most[right, left] = min(-low, self.most.get((right, left), FAR))

    def head(self, head: str, dependent: str) -> str | None:
        """`head` is the head of `dependent`."""
        self.names |= {head, dependent}
        other = self.heads.setdefault(dependent, head)
        self.above.add((head, dependent))
        if other != head and frozenset((other, head)) not in self.may_coincide:
            return f": `{_shown(dependent)}` would have two heads, `{_shown(other)}` and `{_shown(head)}`"
        return None

    def contradiction(self) -> str | None:
        """Why all this cannot be, if it cannot."""
        return self._circle() or self._order()

    def _circle(self) -> str | None:
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
                return f": `{_shown(name)}` would stand above itself"
        for one, other in self.siblings:
            if (one, other) in strict or (other, one) in strict:
                return f": `{_shown(one)}` and `{_shown(other)}` would share a head, and one stands above the other"
        return None

    def _order(self) -> str | None:
        for _ in self.between:  # each may decide on which side of its middle another one's ends are
            most = self._closed() or {}
            for middle, left, right in self.between:
                if any(most.get(pair, FAR) < 0 for pair in ((right, left), (middle, left), (right, middle))):
                    self.distance(left, middle, 1)
                    self.distance(middle, right, 1)
                elif any(most.get(pair, FAR) < 0 for pair in ((left, right), (middle, right), (left, middle))):
                    self.distance(right, middle, 1)
                    self.distance(middle, left, 1)
        closed = self._closed()
        if closed is None:
            return ": a word would stand before itself"
        for (left, right), high in closed.items():
            same = left != right and high == 0 and closed.get((right, left)) == 0
            if same and frozenset((left, right)) not in self.may_coincide:
                return f": `{_shown(left)}` and `{_shown(right)}` would be the same word"
        return None

    def _closed(self) -> dict[tuple[str, str], int] | None:
        """The tightest distances that follow, or None if they contradict each other."""
        names = sorted(self.names)
        most = dict(self.most)
        for middle in names:
            for left in names:
                first = most.get((left, middle))
                if first is None or first >= FAR:
                    continue
                for right in names:
                    second = most.get((middle, right))
                    if second is not None and second < FAR and first + second < most.get((left, right), FAR):
                        most[left, right] = first + second
        return None if any(most.get((name, name), 0) < 0 for name in names) else most


def _shown(node: str) -> str:
    return "_" if node.startswith("_") else node
