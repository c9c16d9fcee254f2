"""Reorder the dependents of every head of a tree, from the leaves up."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Linearization:
    """An order of dependents: whether the longest dependents of a head come first, and whether the head comes last."""

    descending: Callable[[int], bool]
    head_final: bool = False


def linearize(
    words: Sequence[int],
    heads: Mapping[int, int] | Sequence[int],
    is_punct: Callable[[int], bool],
    weight: Callable[[int], int],
    linearization: Linearization,
) -> list[int]:
    """Return `words`, which are in their current order, in the new order.

    The dependents of a head that are not PUNCT are sorted by the total `weight` of their subtrees. Dependents of equal
    weight keep their order. The sorted dependents take the positions of the unsorted ones. PUNCT dependents keep their
    positions, and so does the head. With `head_final`, the head follows the last dependent that is not PUNCT.
    """
    word_set = set(words)
    dependents: dict[int, list[int]] = {}
    roots: list[int] = []
    for word in words:
        head = heads[word]
        if head in word_set:
            dependents.setdefault(head, []).append(word)
        else:
            roots.append(word)
    positions = {word: index for index, word in enumerate(words)}
    weights: dict[int, int] = {}
    blocks: dict[int, list[int]] = {}
    for word in reversed(_top_down(roots, dependents)):
        children = dependents.get(word)
        if children is None:
            weights[word], blocks[word] = weight(word), [word]
            continue
        weights[word] = weight(word) + sum(weights[dependent] for dependent in children)
        blocks[word] = _block(word, children, positions, blocks, weights, is_punct, linearization)
    return [word for root in roots for word in blocks[root]]


def _top_down(roots: list[int], dependents: Mapping[int, list[int]]) -> list[int]:
    """Return all words, each after its head."""
    words = list(roots)
    for word in words:
        words += dependents.get(word, ())
    return words


def _block(
    head: int,
    dependents: list[int],
    positions: Mapping[int, int],
    blocks: Mapping[int, list[int]],
    weights: Mapping[int, int],
    is_punct: Callable[[int], bool],
    linearization: Linearization,
) -> list[int]:
    """Return the words of a head's subtree in the new order, given the blocks of its dependents."""
    movable = [dependent for dependent in dependents if not is_punct(dependent)]
    sorted_dependents = iter(sorted(movable, key=weights.__getitem__, reverse=linearization.descending(head)))
    movable_set = set(movable)
    reordered = [next(sorted_dependents) if dependent in movable_set else dependent for dependent in dependents]
    if linearization.head_final and movable:
        trailing_count = next(index for index, word in enumerate(reversed(dependents)) if word in movable_set)
        head_index = len(dependents) - trailing_count
    else:
        head_index = sum(positions[dependent] < positions[head] for dependent in dependents)
    words: list[int] = []
    for dependent in reordered[:head_index]:
        words += blocks[dependent]
    words.append(head)
    for dependent in reordered[head_index:]:
        words += blocks[dependent]
    return words
