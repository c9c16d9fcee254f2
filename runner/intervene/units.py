"""What actions take in a sentence into units that can be counted and drawn: words, subtrees and spans, none twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from fictdsl.compiler import CompiledFilter
from fictdsl.semantics import ir
from runner.corpus.actions.spelling import REMOVE, Change, Put, PutTag, Tag
from runner.corpus.actions.targets import Taken
from runner.corpus.store.opening import Store
from runner.corpus.store.run_query import ask

Kind: TypeAlias = Literal["node", "subtree", "span"]
Ints: TypeAlias = NDArray[np.integer[Any]]


_RANGES = (  # multiword tokens; a comment begins with `#`
    "SELECT sid, split_part(ids, '-', 1)::INTEGER, split_part(ids, '-', 2)::INTEGER FROM "
    r"(SELECT sid, unnest(regexp_extract_all(conllu, '(?m)^([0-9]+-[0-9]+)\t', 1)) AS ids FROM raw)"
)


@dataclass(frozen=True)
class Words:
    """Every word of a store in corpus order, (words,) each; those of sentence s are `starts[s]` to `starts[s + 1]`.

    `head` is the place of the head in the sentence, from 1, 0 for the root; `pre` and `last` number the words of a
    sentence so that a subtree is `pre` to `last`, from 1. `first` is where, in the corpus, the surface token begins.
    """

    starts: Ints  # (sentences + 1,)
    head: Ints
    pre: Ints
    last: Ints
    first: Ints

    @classmethod
    def of(cls, store: Store) -> Words:
        """Read the trees of a store."""
        words = "SELECT sid, head, pre, last FROM tokens ORDER BY sid, id"
        table = ask(store, lambda connection: connection.sql(words).to_arrow_table(), tables=["tokens"])
        ranges = ask(store, lambda connection: connection.sql(_RANGES).fetchall())
        sid, head, pre, last = (column.to_numpy() for column in table.columns)
        starts, first = np.searchsorted(sid, np.arange(store.info.sentences + 1)), np.arange(len(sid))
        for sentence, begin, end in ranges:
            start = int(starts[sentence])
            first[start + begin - 1 : start + end] = start + begin - 1
        return cls(starts, head, pre, last, first)


@dataclass(frozen=True, slots=True)
class Unit:
    """A token, subtree or span that is taken: how many words it has, what is done, whether it is a whole sentence."""

    kind: Kind
    size: int
    change: Change
    whole: bool

    @property
    def removes(self) -> bool:
        """Whether its words go, with nothing in their stead."""
        return self.change == REMOVE


def units(words: Words, filters: Sequence[CompiledFilter], sid: int, taken: Sequence[Taken]) -> list[Unit]:
    """The units taken in one sentence: targets that are nested or touch are one, and a word is in one unit only.

    A unit has all words of a surface token of which it has one, as a multiword token is edited as a whole.
    """
    start, end = int(words.starts[sid]), int(words.starts[sid + 1])
    head, first = words.head[start:end], words.first[start:end] - start + 1
    claimed, found = set[int](), list[Unit]()
    actions = [(filters[one.filter].ir.actions[one.action], one) for one in taken if one.words]
    for action, one in sorted(actions, key=lambda pair: pair[0].verb != "remove"):
        for part in _parts(action.target, set(one.words) - claimed, head, first):
            own = set((np.flatnonzero(np.isin(first, [first[word - 1] for word in part])) + 1).tolist()) - claimed
            if own:
                found.append(Unit(cast("Kind", action.target), len(own), change(action), len(own) == end - start))
                claimed |= own
    return found


def _parts(target: ir.TargetKind, own: set[int], head: Ints, first: Ints) -> list[list[int]]:
    """The words of each token, subtree or span by itself."""
    parts: dict[int, list[int]] = {}
    for word in own:
        top = word
        if target == "node":
            top = int(first[word - 1])
        elif target == "span":
            while top - 1 in own:
                top -= 1
        else:
            while int(head[top - 1]) in own:
                top = int(head[top - 1])
        parts.setdefault(top, []).append(word)
    return [parts[top] for top in sorted(parts)]


def change(action: ir.Action) -> Change:
    """What an action does to each word that it takes."""
    if action.verb == "remove":
        return REMOVE
    return Put(action.replacement) if action.replacement is not None else PutTag(cast("Tag", action.tag))
