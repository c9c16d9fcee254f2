"""What actions take in a sentence into units that can be counted and drawn: words, subtrees and spans, none twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from fictdsl.compiler import CompiledFilter
from fictdsl.semantics import ir
from runner.corpus.rewrite import REMOVE, Change, Put, PutTag, Tag
from runner.corpus.store import Store
from runner.corpus.take import Taken

Kind: TypeAlias = Literal["node", "subtree", "span"]
Ints: TypeAlias = NDArray[np.integer[Any]]


@dataclass(frozen=True)
class Words:
    """Every word of a store in corpus order, (words,) each; those of sentence s are `starts[s]` to `starts[s + 1]`.

    `head` is the place of the head in the sentence, from 1, 0 for the root; `pre` and `last` number the words of a
    sentence so that a subtree is `pre` to `last`, from 1.
    """

    starts: Ints  # (sentences + 1,)
    head: Ints
    pre: Ints
    last: Ints

    @classmethod
    def of(cls, store: Store) -> Words:
        """Read the trees of a store."""
        with store.connect() as connection:
            table = connection.sql("SELECT sid, head, pre, last FROM tokens ORDER BY sid, id").to_arrow_table()
        sid, head, pre, last = (column.to_numpy() for column in table.columns)
        return cls(np.searchsorted(sid, np.arange(store.info.sentences + 1)), head, pre, last)


@dataclass(frozen=True, slots=True)
class Unit:
    """A word, subtree or span that is taken: how many words it has, what is done, whether it is a whole sentence."""

    kind: Kind
    size: int
    change: Change
    whole: bool

    @property
    def removes(self) -> bool:
        """Whether its words go, with nothing in their stead."""
        return self.change == REMOVE


def units(words: Words, filters: Sequence[CompiledFilter], sid: int, taken: Sequence[Taken]) -> list[Unit]:
    """The units taken in one sentence: targets that are nested or touch are one, and a word is in one unit only."""
    start, end = int(words.starts[sid]), int(words.starts[sid + 1])
    head, claimed, found = words.head[start:end], set[int](), list[Unit]()
    actions = [(filters[one.filter].ir.actions[one.action], one) for one in taken if one.words]
    for action, one in sorted(actions, key=lambda pair: pair[0].verb != "remove"):
        own = set(one.words) - claimed
        claimed |= own
        for size in _sizes(action.target, own, head):
            found.append(Unit(cast("Kind", action.target), size, change(action), size == end - start))
    return found


def _sizes(target: ir.TargetKind, own: set[int], head: Ints) -> list[int]:
    if target == "node":
        return [1] * len(own)
    tops: Counter[int] = Counter()
    for word in own:
        top = word
        if target == "span":
            while top - 1 in own:
                top -= 1
        else:
            while int(head[top - 1]) in own:
                top = int(head[top - 1])
        tops[top] += 1
    return [tops[top] for top in sorted(tops)]


def change(action: ir.Action) -> Change:
    """What an action does to each word that it takes."""
    if action.verb == "remove":
        return REMOVE
    return Put(action.replacement) if action.replacement is not None else PutTag(cast("Tag", action.tag))
