"""Group the words that actions take in a sentence into units: tokens, subtrees and spans without overlaps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from fictdsl.compiler import CompiledFilter
from fictdsl.semantics import ir
from runner.corpus.actions import ActionTargets
from runner.corpus.sentence_arrays import read_multiword_tokens, read_trees
from runner.corpus.store import Store
from runner.corpus.surface import REMOVE, Change, Replace, ReplaceByTag, Tag

Kind: TypeAlias = Literal["node", "subtree", "span"]
Ints: TypeAlias = NDArray[np.integer[Any]]


@dataclass(frozen=True)
class Words:
    """The words of a store in corpus order, (words,) each. Sentence s has the words `starts[s]` to `starts[s + 1]`.

    `head` is the id of the head, 0 for the root. `pre` and `last` are preorder numbers, from 1, such that a subtree
    has the numbers `pre` to `last`. `first` is the index of the first word of the word's surface token.
    """

    starts: Ints  # (sentences + 1,)
    head: Ints
    pre: Ints
    last: Ints
    first: Ints

    @classmethod
    def of(cls, store: Store) -> Words:
        """Read the trees of a store."""
        sid, head, pre, last = read_trees(store)
        starts, first = np.searchsorted(sid, np.arange(store.info.sentences + 1)), np.arange(len(sid))
        for sentence, begin, end in read_multiword_tokens(store):
            start = int(starts[sentence])
            first[start + begin - 1 : start + end] = start + begin - 1
        return cls(starts, head, pre, last, first)


@dataclass(frozen=True, slots=True)
class Unit:
    """A token, subtree or span that an action takes: its number of words and the change."""

    kind: Kind
    size: int
    change: Change
    whole_sentence: bool

    @property
    def removes(self) -> bool:
        """Whether its words are removed rather than replaced."""
        return self.change == REMOVE


def taken_units(
    words: Words, filters: Sequence[CompiledFilter], sid: int, targets: Sequence[ActionTargets]
) -> list[Unit]:
    """Return the units that actions take in a sentence. Nested and adjacent targets are merged.

    A word is in one unit only; removals take precedence. A unit contains a multiword token as a whole, because it is
    edited as a whole.
    """
    start, end = int(words.starts[sid]), int(words.starts[sid + 1])
    head, first = words.head[start:end], words.first[start:end] - start + 1
    claimed, units = set[int](), list[Unit]()
    actions = [(filters[target.filter].ir.actions[target.action], target) for target in targets if target.words]
    for action, target in sorted(actions, key=lambda pair: pair[0].verb != "remove"):
        for group in _group_words(action.target, set(target.words) - claimed, head, first):
            members = set((np.flatnonzero(np.isin(first, [first[word - 1] for word in group])) + 1).tolist()) - claimed
            if members:
                kind, size = cast("Kind", action.target), len(members)
                units.append(Unit(kind, size, _change(action), size == end - start))
                claimed |= members
    return units


def _group_words(target: ir.TargetKind, ids: set[int], head: Ints, first: Ints) -> list[list[int]]:
    """Group the words with these ids by the token, subtree or span that they form."""
    groups: dict[int, list[int]] = {}
    for word in ids:
        group_key = word
        if target == "node":
            group_key = int(first[word - 1])
        elif target == "span":
            while group_key - 1 in ids:
                group_key -= 1
        else:
            while int(head[group_key - 1]) in ids:
                group_key = int(head[group_key - 1])
        groups.setdefault(group_key, []).append(word)
    return [groups[group_key] for group_key in sorted(groups)]


def _change(action: ir.Action) -> Change:
    """Return the change of an action to each word that it takes."""
    if action.verb == "remove":
        return REMOVE
    return Replace(action.replacement) if action.replacement is not None else ReplaceByTag(cast("Tag", action.tag))
