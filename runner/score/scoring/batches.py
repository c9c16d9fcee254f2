"""Encoded sentences to batches of equal length that ask a model for each probability once.

Nothing here depends on a model: one `Work` serves every checkpoint of a training.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from runner.score.scoring.encoded import Encoded

Ints: TypeAlias = NDArray[np.int64]
Row: TypeAlias = tuple[tuple[int, ...], int]  # a sentence with masks, and the place that is to be filled
PLACES = 2048  # tokens read at once
_Item = TypeVar("_Item")


@dataclass(frozen=True)
class Batch:
    """Rows of one length, and which of their places predict something."""

    ids: Ints  # (B, T)
    wanted: Ints  # (N,): places of the flattened rows where the output layer is needed, each once, ascending


@dataclass(frozen=True)
class Work:
    """All batches of some sentences. Sentence i has `size[i]` scored tokens, from `begin[i]` in the result on."""

    batches: tuple[Batch, ...]
    where: Ints  # (total,): for every token asked for, which of all wanted places predicts it, ascending
    targets: Ints  # (total,): the tokens asked for
    slots: Ints  # (total,): where their log-probabilities belong in the result
    begin: Ints
    size: Ints

    @property
    def total(self) -> int:
        """How many tokens are scored, those of equal sentences once."""
        return len(self.slots)

    @property
    def rows(self) -> int:
        """How many sequences the model reads."""
        return sum(len(batch.ids) for batch in self.batches)

    def split(self, result: NDArray[np.float64]) -> list[NDArray[np.float64]]:
        """The result (total,) by sentence."""
        return [result[begin : begin + size] for begin, size in zip(self.begin, self.size, strict=True)]


def causal_work(sentences: Sequence[Encoded], places: int = PLACES) -> Work:
    """Work for a model that reads from left to right.

    Sentences of one length go together, so that nothing is padded. A prefix that sentences share, of whatever length
    they are, passes through the output layer once, after the first of them in the order of their ids; a sentence of
    which another reads every token is not read itself. Memory is bounded by `places`, which changes no result beyond
    float32 rounding.
    """
    unique = sorted(set(sentences), key=lambda sentence: (sentence.ids, sentence.start))
    reads = list(_reading(unique))
    reads.sort(key=lambda number: len(unique[number].ids))  # stable: of one length in the order of their ids
    parts = list(_parts([len(unique[number].ids) for number in reads], places, reads))
    rows = [np.array([unique[number].ids[:-1] for number in part], dtype=np.int64) for part in parts]
    asked = _asked(unique, parts, rows)
    slots = np.argsort(asked, kind="stable")
    wanted, where = np.unique(asked[slots], return_inverse=True)
    targets = np.array([token for sentence in unique for token in sentence.scored], dtype=np.int64)
    return _work(_batches(rows, wanted), where, targets[slots], slots, sentences, unique)


def masked_work(sentences: Sequence[Encoded], mask: int, places: int = PLACES) -> Work:
    """Work for a model that fills masks: a row for every scored token, with the token `mask` in its place.

    Where `Encoded.words` says which word each token is of, the later tokens of the same word are masked too. Rows
    that sentences share, such as both of a pair at the word in which they differ, are read once.
    """
    unique = list(dict.fromkeys(sentences))
    asked: dict[Row, list[tuple[int, int]]] = {}
    for sentence, begin in zip(unique, _begins(unique).tolist(), strict=True):
        for offset, place in enumerate(range(sentence.start, sentence.end)):
            row = _with_masks(sentence, place, mask)
            asked.setdefault((row, place), []).append((sentence.ids[place], begin + offset))
    ordered = sorted(asked, key=lambda key: (len(key[0]), key))
    parts = _parts([len(row) for row, _ in ordered], places, ordered)
    where = np.repeat(np.arange(len(ordered)), [len(asked[key]) for key in ordered])
    pairs = np.array([pair for key in ordered for pair in asked[key]], dtype=np.int64).reshape(-1, 2)
    return _work([_masked_batch(part) for part in parts], where, pairs[:, 0], pairs[:, 1], sentences, unique)


def _with_masks(sentence: Encoded, place: int, mask: int) -> tuple[int, ...]:
    masked = list(sentence.ids)
    masked[place] = mask
    for later in range(place + 1, sentence.end if sentence.words else 0):
        if sentence.words[later] == sentence.words[place]:
            masked[later] = mask
    return tuple(masked)


def _begins(unique: Sequence[Encoded]) -> Ints:
    return np.concatenate([[0], np.cumsum([len(sentence.scored) for sentence in unique], dtype=np.int64)])[:-1]


def _work(
    batches: Sequence[Batch],
    where: Ints,
    targets: Ints,
    slots: Ints,
    sentences: Sequence[Encoded],
    unique: Sequence[Encoded],
) -> Work:
    begin = dict(zip(unique, _begins(unique).tolist(), strict=True))
    begins = np.array([begin[sentence] for sentence in sentences], dtype=np.int64)
    sizes = np.array([len(sentence.scored) for sentence in sentences], dtype=np.int64)
    return Work(tuple(batches), where, targets, slots, begins, sizes)


def _parts(lengths: Sequence[int], places: int, items: Sequence[_Item]) -> Iterator[Sequence[_Item]]:
    """Neighbours of equal length, at most `places` tokens together (one sequence at least)."""
    begin = 0
    for length, group in groupby(lengths):
        end = begin + sum(1 for _ in group)
        step = max(1, places // max(1, length))
        for first in range(begin, end, step):
            yield items[first : min(first + step, end)]
        begin = end


def _asked(unique: Sequence[Encoded], parts: Sequence[Sequence[int]], rows: Sequence[Ints]) -> Ints:
    """For each scored token of the sorted sentences, in their order, the place that predicts it, (total,).

    All places that are read are numbered through, batch by batch and row by row. Sentences that share a prefix are
    neighbours, so that `path`, the places that read the tokens of one of them, begins with those of the one before,
    as far as both are the same.
    """
    first = np.cumsum([0, *(ids.size for ids in rows)]).tolist()
    begins = {
        number: start + row * ids.shape[1]
        for part, ids, start in zip(parts, rows, first, strict=False)
        for row, number in enumerate(part)
    }
    asked: list[int] = []
    path: list[int] = []
    for number, shared in _shared(unique):
        size, begin = len(unique[number].ids) - 1, begins.get(number, 0)
        path[shared:] = range(begin + shared, begin + size)
        asked += path[unique[number].start - 1 :]
    return np.array(asked, dtype=np.int64)


def _reading(unique: Sequence[Encoded]) -> Iterator[int]:
    """The sorted sentences that read a token which the one before does not."""
    return (number for number, shared in _shared(unique) if shared < len(unique[number].ids) - 1)


def _shared(unique: Sequence[Encoded]) -> Iterator[tuple[int, int]]:
    """The sorted sentences of which something is scored, each with how much of what it reads the one before reads."""
    before: tuple[int, ...] = ()
    for number, sentence in enumerate(unique):
        if sentence.scored:
            read = sentence.ids[:-1]
            yield number, _alike(before, read)
            before = read


def _batches(rows: Sequence[Ints], wanted: Ints) -> list[Batch]:
    """Batches with those of all wanted places that they read; one without any is not read."""
    first = np.cumsum([0, *(ids.size for ids in rows)])
    edges = np.searchsorted(wanted, first)
    return [
        Batch(ids, wanted[edges[number] : edges[number + 1]] - first[number])
        for number, ids in enumerate(rows)
        if edges[number] < edges[number + 1]
    ]


def _alike(first: Sequence[int], second: Sequence[int]) -> int:
    """How many tokens both begin with."""
    for place, (one, other) in enumerate(zip(first, second, strict=False)):
        if one != other:
            return place
    return min(len(first), len(second))


def _masked_batch(part: Sequence[Row]) -> Batch:
    rows = np.array([row for row, _ in part], dtype=np.int64)
    return Batch(rows, np.arange(len(part)) * rows.shape[1] + np.array([place for _, place in part]))
