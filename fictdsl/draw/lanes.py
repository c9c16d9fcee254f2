"""Assign different lanes to overlapping intervals, and find the highest level among nested intervals."""

from __future__ import annotations

from bisect import bisect_left, bisect_right


class Lanes:
    """The occupied lanes of `size` cells. Lanes count from 0. A set of lanes is a bit mask."""

    def __init__(self, size: int) -> None:
        """Create a segment tree over the cells, with all lanes free."""
        self._size = size
        self._in_all_cells = [0] * (2 * size)  # lanes allocated at a node, for all its cells
        self._in_some_cell = [0] * (2 * size)  # lanes allocated at a node or below it

    def allocate(self, start: int, stop: int, minimum: int = 0) -> int:
        """Occupy the lowest lane from `minimum` on that is free in all cells of `start:stop`, and return it."""
        free = ~(self.occupied(start, stop) >> minimum)
        lane = minimum + (free & -free).bit_length() - 1
        bit = 1 << lane
        for node in self._nodes(start, stop):
            self._in_all_cells[node] |= bit
            self._in_some_cell[node] |= bit
        for node in self._ancestors(start, stop):
            self._in_some_cell[node] |= bit
        return lane

    def occupied(self, start: int, stop: int) -> int:
        """Return the lanes that are occupied in some cell of `start:stop`, as bits."""
        lanes = 0
        for node in self._nodes(start, stop):
            lanes |= self._in_some_cell[node]
        for node in self._ancestors(start, stop):
            lanes |= self._in_all_cells[node]
        return lanes

    def _nodes(self, start: int, stop: int) -> list[int]:
        """Return the nodes that together cover exactly the cells `start:stop`."""
        nodes = []
        low, high = start + self._size, stop + self._size
        while low < high:
            if low & 1:
                nodes.append(low)
                low += 1
            if high & 1:
                high -= 1
                nodes.append(high)
            low, high = low >> 1, high >> 1
        return nodes

    def _ancestors(self, start: int, stop: int) -> set[int]:
        """Return the ancestors of the first and the last cell of `start:stop`."""
        ends = (start + self._size, stop + self._size - 1)
        return {node >> step for node in ends for step in range(1, node.bit_length())}


class NestedLevels:
    """An index of intervals, to find the highest level of those inside a given interval."""

    def __init__(self, size: int) -> None:
        """Create a Fenwick tree over the starts of intervals.

        Each node has ends and levels, both in ascending order. An interval that ends no earlier and is no higher than
        another one is dropped, since it never changes a result.
        """
        self._ends: list[list[int]] = [[] for _ in range(size + 1)]
        self._levels: list[list[int]] = [[] for _ in range(size + 1)]
        self._size = size

    def add(self, first: int, last: int, level: int) -> None:
        """Add an interval from the point `first` to `last`, both counted from 0."""
        node = self._size - first
        while node <= self._size:
            ends, levels = self._ends[node], self._levels[node]
            index = bisect_right(ends, last)
            if not index or levels[index - 1] < level:
                start = bisect_left(ends, last)
                stop = bisect_right(levels, level, start)
                ends[start:stop], levels[start:stop] = [last], [level]
            node += node & -node

    def highest(self, first: int, last: int) -> int:
        """Return the highest level of the intervals inside `first` to `last`; 0 if there are none."""
        highest, node = 0, self._size - first
        while node:
            index = bisect_right(self._ends[node], last)
            highest = max(highest, self._levels[node][index - 1]) if index else highest
            node -= node & -node
        return highest
