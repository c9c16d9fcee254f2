"""The heads of a sentence into depth-first intervals, without recursion, however deep the tree is."""

from __future__ import annotations

from collections.abc import Sequence


def intervals(heads: Sequence[int]) -> tuple[list[int], list[int], list[int]] | None:
    """`pre`, `last` and `depth` of each word, in word order; None where the heads make no tree.

    `heads[i]` is the head of word i + 1, from 0 to len(heads). Word b is under word a if and only if
    `pre[a] < pre[b] <= last[a]`; `pre` starts at 1, the root has depth 1.
    """
    n = len(heads)
    children: list[list[int]] = [[] for _ in range(n + 1)]
    for word in range(n, 0, -1):  # from the right, so that popping visits them from the left
        children[heads[word - 1]].append(word)
    if len(children[0]) != 1:
        return None
    pre, depth = [0] * (n + 1), [0] * (n + 1)
    order: list[int] = []
    stack = [children[0][0]]
    while stack:
        word = stack.pop()
        order.append(word)
        pre[word] = len(order)
        depth[word] = depth[heads[word - 1]] + 1
        stack += children[word]
    if len(order) != n:
        return None
    last = pre[:]
    for word in reversed(order):
        head = heads[word - 1]
        if last[word] > last[head]:  # noqa: PLR1730 - a call of max costs more than all else here
            last[head] = last[word]
    return pre[1:], last[1:], depth[1:]


def cycle(heads: Sequence[int]) -> list[int]:
    """The words of one cycle of heads, each followed by its head, or [] if every word leads to a root."""
    state = [0] * (len(heads) + 1)  # 0 unseen, else the walk that saw it
    for start in range(1, len(heads) + 1):
        word = start
        while word and not state[word]:
            state[word] = start
            word = heads[word - 1]
        if word and state[word] == start:
            loop = [word]
            while heads[loop[-1] - 1] != word:
                loop.append(heads[loop[-1] - 1])
            return loop
    return []
