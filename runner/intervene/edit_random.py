"""What actions take to as many words, subtrees and spans of the same sizes, taken anywhere in the corpus by chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from fictdsl.compiler import CompiledFilter
from runner.corpus.actions.spelling import rewrite
from runner.corpus.actions.targets import take
from runner.corpus.sentences.export import conllu, surfaces
from runner.corpus.store.opening import Store
from runner.corpus.text.surface import spelt
from runner.intervene.edits import Edit, one_line
from runner.intervene.remove_random import ShortError
from runner.intervene.units import Ints, Kind, Unit, Words, units


@dataclass(frozen=True, slots=True)
class Placed:
    """A unit at its place: the sentence and the ids of its words."""

    sid: int
    ids: tuple[int, ...]
    unit: Unit


def by_chance(store: Store, filters: Sequence[CompiledFilter], seed: int, disjoint: bool) -> Iterator[Edit]:
    """As many units as the filters' actions take, at random places; with `disjoint`, of words that they leave.

    The same number of units, of the same sizes where the corpus has them; else the nearest size, and the next unit
    makes up for the difference. Raises ShortError.
    """
    words, wanted, avoid = Words.of(store), list[Unit](), list[tuple[int, int]]()
    for chunk in take(store, filters):
        for sid, taken in chunk.items():
            wanted += units(words, filters, sid, taken)
            avoid += [(sid, word) for one in taken for word in one.words]
    places: dict[int, list[Placed]] = {}
    for placed in draw(words, wanted, seed, avoid if disjoint else ()):
        places.setdefault(placed.sid, []).append(placed)
    yield from _rewritten(store, places)


def draw(words: Words, wanted: Sequence[Unit], seed: int, avoid: Sequence[tuple[int, int]] = ()) -> list[Placed]:
    """A place for each unit, largest first, no two on one word and none on a word (sentence, id) to avoid.

    A unit has all words of a surface token of which it has one, as a multiword token is edited as a whole.
    """
    free = np.ones(len(words.head), dtype=bool)
    free[[int(words.starts[sid]) + word - 1 for sid, word in avoid]] = False
    pool = _Pool(words, np.random.Generator(np.random.PCG64([seed])).permutation(len(free)), free)
    classes = Counter(wanted)
    found: list[Placed] = []
    owed = 0
    for unit in sorted(classes, key=lambda u: (-u.size, u.kind, u.whole, repr(u.change))):
        left = classes[unit]
        while left:
            size = unit.size if unit.kind == "node" else max(1, unit.size + owed)
            places = pool.some(unit.kind, unit.whole, size, left if size == unit.size else 1)
            places = places or pool.nearest(unit.kind, unit.whole, size, left if unit.kind == "node" else 1)
            if not places:
                raise ShortError(len(wanted), len(found), "words, subtrees or spans")
            for place in places:
                owed += unit.size - place[1]
                found.append(pool.placed(unit, place))
                left -= 1
    return found


@dataclass
class _Pool:
    """The words that are still free; `order` is the order by chance in which they are tried."""

    words: Words
    order: Ints
    free: NDArray[np.bool_]
    sid: Ints = field(init=False)
    by_pre: Ints = field(init=False)  # the word at each place, counted through the subtrees of every sentence
    final: Ints = field(init=False)  # the last word of each word's surface token
    sizes: Ints = field(init=False)  # of each word's subtree, with all of its tokens
    beside: dict[int, list[int]] = field(init=False)  # words of these tokens that are not in the subtree

    def __post_init__(self) -> None:
        self.sid = np.repeat(np.arange(len(self.words.starts) - 1), np.diff(self.words.starts))
        self.by_pre = np.empty(len(self.sid), np.int64)
        self.by_pre[self._first() + self.words.pre - 1] = np.arange(len(self.sid))
        self.final = np.searchsorted(self.words.first, self.words.first, "right") - 1
        self.sizes, self.beside = self.words.last - self.words.pre + 1, {}
        begins = self.words.first == np.arange(len(self.sid))
        for first in np.flatnonzero(begins & (self.words.first < self.final)).tolist():
            self._join(range(first, int(self.final[first]) + 1))

    def _join(self, token: range) -> None:
        """Put all of a multiword token into the subtrees that have a part of it."""
        above = {word: set(self._above(word)) for word in token}
        for word in set[int]().union(*above.values()):
            if others := [part for part in token if word not in above[part]]:
                self.beside.setdefault(word, []).extend(others)
                self.sizes[word] += len(others)

    def _above(self, word: int) -> Iterator[int]:
        """The word, its head, the head's head and so on."""
        start = int(self.words.starts[self.sid[word]])
        while word >= start:
            yield word
            word = start + int(self.words.head[word]) - 1

    def _first(self) -> Ints:
        return np.asarray(self.words.starts[self.sid], dtype=np.int64)

    def some(self, kind: Kind, whole: bool, size: int, count: int) -> list[tuple[int, int]]:
        """Up to `count` free places (first word or head of the unit, size), in the order of chance, claimed."""
        able = self._able(kind, whole, size)
        chosen: list[tuple[int, int]] = []
        for word in self.order[able[self.order]].tolist():
            if len(chosen) == count:
                break
            members = self.members(kind, word, size)
            if self.free[members].all():
                self.free[members] = False
                chosen.append((word, size))
        return chosen

    def nearest(self, kind: Kind, whole: bool, size: int, count: int) -> list[tuple[int, int]]:
        """Up to `count` free places of the nearest size, the smaller first; none if there is none."""
        longest = int(np.diff(self.words.starts).max(initial=0))
        for distance in range(max(longest, size)):
            for nearby in dict.fromkeys((size - distance, size + distance)):
                if nearby > 0 and (found := self.some(kind, whole, nearby, count)):
                    return found
        return []

    def _able(self, kind: Kind, whole: bool, size: int) -> NDArray[np.bool_]:
        lengths = np.diff(self.words.starts)[self.sid]
        at = np.arange(len(self.sid))
        begins = self.words.first == at
        if kind == "node":
            return np.asarray(self.free & ((lengths == size) == whole) & begins & (self.final - at + 1 == size))
        if kind == "subtree":
            fits = (self.sizes == size) & ((self.sizes == lengths) == whole)
            starts, ends = self._first() + self.words.pre - 1, self._first() + self.words.last
            return np.asarray(fits & self._free(self.free[self.by_pre], starts, ends))
        ends = np.minimum(at + size, len(at))
        fits = (at - self._first() + size <= lengths) & ((lengths == size) == whole)
        fits &= begins & (self.final[ends - 1] == ends - 1)
        return np.asarray(fits & self._free(self.free, at, ends))

    @staticmethod
    def _free(free: NDArray[np.bool_], starts: Ints, ends: Ints) -> NDArray[np.bool_]:
        """Whether all places from each start up to its end are free."""
        taken = np.concatenate([[0], np.cumsum(~free)])
        return np.asarray(taken[ends] == taken[starts])

    def members(self, kind: Kind, word: int, size: int) -> Ints:
        """The words of a unit that begins with a word, or has it as its head."""
        if kind != "subtree":
            return np.arange(word, word + size)
        start, end = int(self.words.starts[self.sid[word]]), int(self.words.last[word])
        inside = self.by_pre[start + int(self.words.pre[word]) - 1 : start + end]
        return np.concatenate([inside, np.array(self.beside.get(word, ()), dtype=np.int64)])

    def placed(self, unit: Unit, place: tuple[int, int]) -> Placed:
        """A unit at a place, the words as ids of their sentence."""
        word, size = place
        sid = int(self.sid[word])
        ids = np.sort(self.members(unit.kind, word, size)) - int(self.words.starts[sid]) + 1
        return Placed(sid, tuple(ids.tolist()), unit)


def _rewritten(store: Store, places: Mapping[int, Sequence[Placed]]) -> Iterator[Edit]:
    sids = np.array(sorted(places), dtype=np.int64)
    for sid, text, block in zip(sids.tolist(), surfaces(store, sids), conllu(store, sids), strict=True):
        some = places[sid]
        left = one_line(rewrite(spelt(block, text), {word: {one.unit.change} for one in some for word in one.ids}))
        taken = sum(len(one.ids) for one in some)
        yield Edit(sid, left, len(some), taken, sum(len(one.ids) for one in some if one.unit.removes))
