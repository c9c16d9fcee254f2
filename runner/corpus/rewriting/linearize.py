"""Put the dependents of every head of a tree in order, from the leaves up."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Linearization:
    """How dependents are ordered: `descending(head)` by length or ascending, and whether the head stands last."""

    descending: Callable[[int], bool]
    head_final: bool = False


def linearize(
    words: Sequence[int],
    heads: Mapping[int, int] | Sequence[int],
    is_punct: Callable[[int], bool],
    weight: Callable[[int], int],
    how: Linearization,
) -> list[int]:
    """Return `words`, which are in their current order, in the new one.

    The dependents of a head that are not PUNCT are sorted by the total `weight` of their subtrees, ties as they stood;
    the first takes the place of the first of them, and so on. The head and PUNCT dependents keep their places.
    """
    inside = set(words)
    dependents: dict[int, list[int]] = {}
    tops: list[int] = []
    for word in words:
        head = heads[word]
        if head in inside:
            dependents.setdefault(head, []).append(word)
        else:
            tops.append(word)
    position = {word: place for place, word in enumerate(words)}
    weights: dict[int, int] = {}
    blocks: dict[int, list[int]] = {}
    for word in reversed(_from_the_top(tops, dependents)):
        below = dependents.get(word)
        if below is None:
            weights[word], blocks[word] = weight(word), [word]
            continue
        weights[word] = weight(word) + sum(weights[dependent] for dependent in below)
        blocks[word] = _block(word, below, position, blocks, weights, is_punct, how)
    return [word for top in tops for word in blocks[top]]


def _from_the_top(tops: list[int], dependents: Mapping[int, list[int]]) -> list[int]:
    """Return all words, each after its head."""
    words = list(tops)
    for word in words:
        words += dependents.get(word, ())
    return words


def _block(
    head: int,
    below: list[int],
    position: Mapping[int, int],
    blocks: Mapping[int, list[int]],
    weights: Mapping[int, int],
    is_punct: Callable[[int], bool],
    how: Linearization,
) -> list[int]:
    """Return the words of a head's subtree in the new order, given those of its dependents."""
    movable = [dependent for dependent in below if not is_punct(dependent)]
    ordered = iter(sorted(movable, key=weights.__getitem__, reverse=how.descending(head)))
    moves = set(movable)
    placed = [next(ordered) if dependent in moves else dependent for dependent in below]
    if how.head_final and movable:
        before = len(below) - next(index for index, word in enumerate(reversed(below)) if word in moves)
    else:
        before = sum(position[dependent] < position[head] for dependent in below)
    words: list[int] = []
    for dependent in placed[:before]:
        words += blocks[dependent]
    words.append(head)
    for dependent in placed[before:]:
        words += blocks[dependent]
    return words
