"""Compute depth-first intervals and cycles of one sentence, without recursion."""

from __future__ import annotations

from collections.abc import Sequence


def tree_intervals(heads: Sequence[int]) -> tuple[list[int], list[int], list[int]] | None:
    """Return `pre`, `last` and `depth` of each word, in word order, or None if the heads are not a tree.

    `heads[i]` is the head of word i + 1, from 0 to len(heads). Word b is below word a if and only if `pre[a] < pre[b]
    <= last[a]`. `pre` starts at 1, and the root has depth 1.
    """
    word_count = len(heads)
    children: list[list[int]] = [[] for _ in range(word_count + 1)]
    for word in range(word_count, 0, -1):  # from the right, so that the stack pops them from the left
        children[heads[word - 1]].append(word)
    if len(children[0]) != 1:
        return None
    pre, depth = [0] * (word_count + 1), [0] * (word_count + 1)
    order: list[int] = []
    stack = [children[0][0]]
    while stack:
        word = stack.pop()
        order.append(word)
        pre[word] = len(order)
        depth[word] = depth[heads[word - 1]] + 1
        stack += children[word]
    if len(order) != word_count:
        return None
    last = pre[:]
    for word in reversed(order):
        head = heads[word - 1]
        if last[word] > last[head]:  # noqa: PLR1730 - a call of max would dominate the time
            last[head] = last[word]
    return pre[1:], last[1:], depth[1:]


def find_cycle(heads: Sequence[int]) -> list[int]:
    """Return the words of a cycle, each followed by its head, or [] if there is no cycle."""
    visited_from = [0] * (len(heads) + 1)  # start of the walk that visited the word, or 0
    for start in range(1, len(heads) + 1):
        word = start
        while word and not visited_from[word]:
            visited_from[word] = start
            word = heads[word - 1]
        if word and visited_from[word] == start:
            cycle = [word]
            while heads[cycle[-1] - 1] != word:
                cycle.append(heads[cycle[-1] - 1])
            return cycle
    return []
