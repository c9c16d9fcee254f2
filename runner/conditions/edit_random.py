"""Change random words like those that another condition changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from fictdsl.compiler import CompiledFilter
from runner.conditions.edits import Edit, Ints, Kind, Unit, Words, one_line, taken_units
from runner.conditions.samples import TooFewError
from runner.corpus.actions import action_targets
from runner.corpus.sentence_arrays import Indices
from runner.corpus.sentence_texts import conllu_blocks, sentence_texts
from runner.corpus.store import Store
from runner.corpus.surface import Change, Remove, Replace, ReplaceByTag, read_surface, rewrite


@dataclass(frozen=True, slots=True)
class PlacedUnit:
    sid: int
    ids: tuple[int, ...]
    unit: Unit


def random_edits(
    store: Store,
    filters: Sequence[CompiledFilter],
    seed: int,
    disjoint: bool,
    counted_sids: Indices | None = None,
    allowed_sids: Indices | None = None,
) -> Iterator[Edit]:
    """Yield edits of as many units as the filters' actions edit, at random positions. Raises TooFewError.

    Actions count in `counted_sids`. Words are edited in `allowed_sids` and, if `disjoint`, where no action does. Units
    have the same sizes if there are enough. Otherwise, the next unit makes up for the difference.
    """
    counted = None if counted_sids is None else set(counted_sids.tolist())
    words, units, avoid = Words.of(store), list[Unit](), list[tuple[int, int]]()
    for chunk in action_targets(store, filters):
        for sid, targets in chunk.items():
            if counted is not None and sid not in counted:
                continue
            units += taken_units(words, filters, sid, targets)
            avoid += [(sid, word) for target in targets for word in target.words]
    units_by_sentence: dict[int, list[PlacedUnit]] = {}
    for placed in place_units(words, units, seed, avoid if disjoint else (), allowed_sids):
        units_by_sentence.setdefault(placed.sid, []).append(placed)
    yield from _apply_units(store, units_by_sentence)


def place_units(
    words: Words,
    targets: Sequence[Unit],
    seed: int,
    avoid: Sequence[tuple[int, int]] = (),
    allowed_sids: Indices | None = None,
) -> list[PlacedUnit]:
    """Return a random position for each unit, largest first, without overlaps and outside the words in `avoid`.

    `avoid` contains pairs of sentence and word id. A unit contains all words of a multiword token or none, because a
    token is edited as a whole. Raises TooFewError if there are too few positions.
    """
    free = np.ones(len(words.head), dtype=bool)
    if allowed_sids is not None:
        is_allowed = np.isin(np.arange(len(words.starts) - 1), allowed_sids)
        free = np.repeat(is_allowed, np.diff(words.starts))
    free[[int(words.starts[sid]) + word - 1 for sid, word in avoid]] = False
    pool = _Pool(words, np.random.Generator(np.random.PCG64([seed])).permutation(len(free)), free)
    unit_counts = Counter(targets)
    placed: list[PlacedUnit] = []
    deficit = 0  # words by which the units so far are smaller than their targets
    for unit in sorted(
        unit_counts, key=lambda unit: (-unit.size, unit.kind, unit.whole_sentence, _change_order(unit.change))
    ):
        remaining = unit_counts[unit]
        while remaining:
            size = unit.size if unit.kind == "node" else max(1, unit.size + deficit)
            positions = pool.claim(unit.kind, unit.whole_sentence, size, remaining if size == unit.size else 1)
            positions = positions or pool.claim_nearest(
                unit.kind, unit.whole_sentence, size, remaining if unit.kind == "node" else 1
            )
            if not positions:
                raise TooFewError(len(targets), len(placed), "words, subtrees or spans")
            for position in positions:
                deficit += unit.size - position[1]
                placed.append(pool.place(unit, position))
                remaining -= 1
    return placed


def _change_order(change: Change) -> tuple[int, str]:
    """Return a sort key independent of class names, since the order of units determines their random positions."""
    match change:
        case Replace(text):
            return 0, repr(text)
        case ReplaceByTag(column):
            return 1, column
        case Remove():
            return 2, ""


@dataclass
class _Pool:
    """The words that no unit has claimed yet. `order` is the random order in which they are tried."""

    words: Words
    order: Ints
    free: NDArray[np.bool_]
    sid: Ints = field(init=False)
    preorder: Ints = field(init=False)  # the words of each sentence in preorder of its tree
    token_end: Ints = field(init=False)  # the last word of the surface token of each word
    sizes: Ints = field(init=False)  # sizes of the subtrees of words, with complete multiword tokens
    completions: dict[int, list[int]] = field(init=False)  # words that complete the tokens of a word's subtree

    def __post_init__(self) -> None:
        self.sid = np.repeat(np.arange(len(self.words.starts) - 1), np.diff(self.words.starts))
        self.preorder = np.empty(len(self.sid), np.int64)
        self.preorder[self._sentence_starts() + self.words.pre - 1] = np.arange(len(self.sid))
        self.token_end = np.searchsorted(self.words.first, self.words.first, "right") - 1
        self.sizes, self.completions = self.words.last - self.words.pre + 1, {}
        begins_token = self.words.first == np.arange(len(self.sid))
        for first in np.flatnonzero(begins_token & (self.words.first < self.token_end)).tolist():
            self._add_multiword_token(range(first, int(self.token_end[first]) + 1))

    def _add_multiword_token(self, token: range) -> None:
        ancestors = {word: set(self._ancestors(word)) for word in token}
        for word in set[int]().union(*ancestors.values()):
            if missing_words := [other_word for other_word in token if word not in ancestors[other_word]]:
                self.completions.setdefault(word, []).extend(missing_words)
                self.sizes[word] += len(missing_words)

    def _ancestors(self, word: int) -> Iterator[int]:
        start = int(self.words.starts[self.sid[word]])
        while word >= start:
            yield word
            word = start + int(self.words.head[word]) - 1

    def _sentence_starts(self) -> Ints:
        return np.asarray(self.words.starts[self.sid], dtype=np.int64)

    def claim(self, kind: Kind, whole_sentence: bool, size: int, count: int) -> list[tuple[int, int]]:
        eligible = self._eligible(kind, whole_sentence, size)
        chosen: list[tuple[int, int]] = []
        for word in self.order[eligible[self.order]].tolist():
            if len(chosen) == count:
                break
            members = self.members(kind, word, size)
            if self.free[members].all():
                self.free[members] = False
                chosen.append((word, size))
        return chosen

    def claim_nearest(self, kind: Kind, whole_sentence: bool, size: int, count: int) -> list[tuple[int, int]]:
        """Claim up to `count` free positions of the nearest size that has any; of two equally near, the smaller."""
        longest = int(np.diff(self.words.starts).max(initial=0))
        for distance in range(max(longest, size)):
            for nearby_size in dict.fromkeys((size - distance, size + distance)):
                if nearby_size > 0 and (positions := self.claim(kind, whole_sentence, nearby_size, count)):
                    return positions
        return []

    def _eligible(self, kind: Kind, whole_sentence: bool, size: int) -> NDArray[np.bool_]:
        lengths = np.diff(self.words.starts)[self.sid]
        indices = np.arange(len(self.sid))
        begins_token = self.words.first == indices
        if kind == "node":
            return np.asarray(
                self.free
                & ((lengths == size) == whole_sentence)
                & begins_token
                & (self.token_end - indices + 1 == size)
            )
        if kind == "subtree":
            is_eligible = (self.sizes == size) & ((self.sizes == lengths) == whole_sentence)
            starts, ends = self._sentence_starts() + self.words.pre - 1, self._sentence_starts() + self.words.last
            return np.asarray(is_eligible & self._all_free(self.free[self.preorder], starts, ends))
        ends = np.minimum(indices + size, len(indices))
        is_eligible = (indices - self._sentence_starts() + size <= lengths) & ((lengths == size) == whole_sentence)
        is_eligible &= begins_token & (self.token_end[ends - 1] == ends - 1)
        return np.asarray(is_eligible & self._all_free(self.free, indices, ends))

    @staticmethod
    def _all_free(free: NDArray[np.bool_], starts: Ints, ends: Ints) -> NDArray[np.bool_]:
        claimed = np.concatenate([[0], np.cumsum(~free)])
        return np.asarray(claimed[ends] == claimed[starts])

    def members(self, kind: Kind, word: int, size: int) -> Ints:
        if kind != "subtree":
            return np.arange(word, word + size)
        start, end = int(self.words.starts[self.sid[word]]), int(self.words.last[word])
        subtree = self.preorder[start + int(self.words.pre[word]) - 1 : start + end]
        return np.concatenate([subtree, np.array(self.completions.get(word, ()), dtype=np.int64)])

    def place(self, unit: Unit, position: tuple[int, int]) -> PlacedUnit:
        word, size = position
        sid = int(self.sid[word])
        ids = np.sort(self.members(unit.kind, word, size)) - int(self.words.starts[sid]) + 1
        return PlacedUnit(sid, tuple(ids.tolist()), unit)


def _apply_units(store: Store, units_by_sentence: Mapping[int, Sequence[PlacedUnit]]) -> Iterator[Edit]:
    sids = np.array(sorted(units_by_sentence), dtype=np.int64)
    for sid, text, block in zip(sids.tolist(), sentence_texts(store, sids), conllu_blocks(store, sids), strict=True):
        units = units_by_sentence[sid]
        changes = {word: {placed.unit.change} for placed in units for word in placed.ids}
        edited = one_line(rewrite(read_surface(block, text), changes))
        words = sum(len(placed.ids) for placed in units)
        yield Edit(sid, edited, len(units), words, sum(len(placed.ids) for placed in units if placed.unit.removes))
