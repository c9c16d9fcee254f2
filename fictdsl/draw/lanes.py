"""The lowest lane for each interval that no overlapping one has, in about log n steps for each."""

from __future__ import annotations

from bisect import bisect_left, bisect_right


class Lanes:
    """The lanes that are taken at each of `size` cells. Lanes count from 0, and are the bits of one integer."""

    def __init__(self, size: int) -> None:
        """Make all lanes free. The cells are the leaves of a segment tree."""
        self._size = size
        self._whole = [0] * (2 * size)  # lanes taken in all cells of a node
        self._some = [0] * (2 * size)  # lanes taken in some cell of a node

    def take(self, start: int, stop: int, least: int = 0) -> int:
        """Take the lowest lane from `least` on that is free in all cells of `start:stop`; which one it is."""
        free = ~(self.taken(start, stop) >> least)
        lane = least + (free & -free).bit_length() - 1
        bit = 1 << lane
        for node in self._nodes(start, stop):
            self._whole[node] |= bit
            self._some[node] |= bit
        for node in self._above(start, stop):
            self._some[node] |= bit
        return lane

    def taken(self, start: int, stop: int) -> int:
        """The lanes that are taken in some cell of `start:stop`, as bits."""
        lanes = 0
        for node in self._nodes(start, stop):
            lanes |= self._some[node]
        for node in self._above(start, stop):
            lanes |= self._whole[node]
        return lanes

    def _nodes(self, start: int, stop: int) -> list[int]:
        """The nodes that together cover the cells `start:stop`, and no others."""
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

    def _above(self, start: int, stop: int) -> set[int]:
        """The nodes that have the first or the last of these cells in them."""
        ends = (start + self._size, stop + self._size - 1)
        return {node >> step for node in ends for step in range(1, node.bit_length())}


class Inside:
    """The highest level of the intervals inside another one."""

    def __init__(self, size: int) -> None:
        """Begin without intervals.

        A Fenwick tree over the start has, for each node, the ends in rising order with levels in rising order: an
        interval that ends later and is not higher is never the highest.
        """
        self._ends: list[list[int]] = [[] for _ in range(size + 1)]
        self._levels: list[list[int]] = [[] for _ in range(size + 1)]
        self._size = size

    def add(self, first: int, last: int, level: int) -> None:
        """Add an interval from the point `first` to `last`, both counted from 0."""
        node = self._size - first
        while node <= self._size:
            ends, levels = self._ends[node], self._levels[node]
            at = bisect_right(ends, last)
            if not at or levels[at - 1] < level:
                start = bisect_left(ends, last)
                stop = bisect_right(levels, level, start)
                ends[start:stop], levels[start:stop] = [last], [level]
            node += node & -node

    def highest(self, first: int, last: int) -> int:
        """The highest level of the intervals from `first` or later to `last` or earlier; 0 without any."""
        found, node = 0, self._size - first
        while node:
            at = bisect_right(self._ends[node], last)
            found = max(found, self._levels[node][at - 1]) if at else found
            node -= node & -node
        return found
