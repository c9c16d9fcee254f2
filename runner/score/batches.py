"""Encoded sentences to batches of equal length that ask a model for each probability once.

Nothing here depends on a model: one `Work` serves every checkpoint of a training.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from runner.score.encoded import Encoded

Ints: TypeAlias = NDArray[np.int64]
Row: TypeAlias = tuple[tuple[int, ...], int]  # a sentence with masks, and the place that is to be filled
PLACES = 2048  # tokens read at once
_Item = TypeVar("_Item")


@dataclass(frozen=True)
class Batch:
    """Rows of one length, and which of their places predict what."""

    ids: Ints  # (B, T)
    wanted: Ints  # (N,): places of the flattened rows where the output layer is needed, each once
    where: Ints  # (M,): for every token asked for, its place in `wanted`, ascending
    targets: Ints  # (M,): the tokens asked for
    slots: Ints  # (M,): where their log-probabilities belong in the result


@dataclass(frozen=True)
class Work:
    """All batches of some sentences. Sentence i has `size[i]` scored tokens, from `begin[i]` in the result on."""

    batches: tuple[Batch, ...]
    begin: Ints
    size: Ints
    total: int  # of scored tokens, those of equal sentences once

    @property
    def rows(self) -> int:
        """How many sequences the model reads."""
        return sum(len(batch.ids) for batch in self.batches)

    def split(self, result: NDArray[np.float64]) -> list[NDArray[np.float64]]:
        """The result (total,) by sentence."""
        return [result[begin : begin + size] for begin, size in zip(self.begin, self.size, strict=True)]


def causal_work(sentences: Sequence[Encoded], places: int = PLACES) -> Work:
    """Work for a model that reads from left to right.

    Sentences of one length go together, so that nothing is padded; prefixes that they share pass through the output
    layer once. Memory is bounded by `places`, which changes no result beyond float32 rounding.
    """
    unique = sorted(set(sentences), key=lambda sentence: (len(sentence.ids), sentence.ids, sentence.start))
    begin = dict(zip(unique, _begins(unique).tolist(), strict=True))
    batches = [
        _causal_batch(part, begin[part[0]])
        for part in _parts([len(sentence.ids) for sentence in unique], places, unique)
    ]
    return _work([batch for batch in batches if len(batch.targets)], sentences, begin)


def masked_work(sentences: Sequence[Encoded], mask: int, places: int = PLACES) -> Work:
    """Work for a model that fills masks: a row for every scored token, with the token `mask` in its place.

    Where `Encoded.words` says which word each token is of, the later tokens of the same word are masked too. Rows
    that sentences share, such as both of a pair at the word in which they differ, are read once.
    """
    unique = list(dict.fromkeys(sentences))
    begin = dict(zip(unique, _begins(unique).tolist(), strict=True))
    asked: dict[Row, list[tuple[int, int]]] = {}
    for sentence in unique:
        for offset, place in enumerate(range(sentence.start, sentence.end)):
            row = _with_masks(sentence, place, mask)
            asked.setdefault((row, place), []).append((sentence.ids[place], begin[sentence] + offset))
    ordered = sorted(asked, key=lambda key: (len(key[0]), key))
    parts = _parts([len(row) for row, _ in ordered], places, ordered)
    return _work([_masked_batch(part, asked) for part in parts], sentences, begin)


def _with_masks(sentence: Encoded, place: int, mask: int) -> tuple[int, ...]:
    masked = list(sentence.ids)
    masked[place] = mask
    for later in range(place + 1, sentence.end if sentence.words else 0):
        if sentence.words[later] == sentence.words[place]:
            masked[later] = mask
    return tuple(masked)


def _begins(unique: Sequence[Encoded]) -> Ints:
    return np.concatenate([[0], np.cumsum([len(sentence.scored) for sentence in unique], dtype=np.int64)])[:-1]


def _work(batches: Sequence[Batch], sentences: Sequence[Encoded], begin: dict[Encoded, int]) -> Work:
    begins = np.array([begin[sentence] for sentence in sentences], dtype=np.int64)
    sizes = np.array([len(sentence.scored) for sentence in sentences], dtype=np.int64)
    return Work(tuple(batches), begins, sizes, sum(len(sentence.scored) for sentence in begin))


def _parts(lengths: Sequence[int], places: int, items: Sequence[_Item]) -> Iterator[Sequence[_Item]]:
    """Neighbours of equal length, at most `places` tokens together (one sequence at least)."""
    begin = 0
    for length, group in groupby(lengths):
        end = begin + sum(1 for _ in group)
        step = max(1, places // max(1, length))
        for first in range(begin, end, step):
            yield items[first : min(first + step, end)]
        begin = end


def _causal_batch(part: Sequence[Encoded], begin: int) -> Batch:
    """Sorted sentences of equal length, whose scored tokens stand in the result from `begin` on."""
    rows = np.array([sentence.ids for sentence in part], dtype=np.int64)
    starts = np.array([[sentence.start] for sentence in part])
    length = rows.shape[1]
    scored = np.arange(1, length) >= starts  # (B, L − 1): is the token at place t + 1 scored?
    states = _owners(rows)[:, :-1] * (length - 1) + np.arange(length - 1)
    wanted, where = np.unique(states[scored], return_inverse=True)
    by_state = np.argsort(where, kind="stable")
    return Batch(rows[:, :-1], wanted, where[by_state], rows[:, 1:][scored][by_state], begin + by_state)


def _owners(ids: Ints) -> Ints:
    """For each row and place the first row with the same ids up to and including that place; rows are sorted."""
    new = np.ones(ids.shape, dtype=bool)
    new[1:] = np.logical_or.accumulate(ids[1:] != ids[:-1], axis=1)
    owners: Ints = np.maximum.accumulate(np.where(new, np.arange(len(ids))[:, None], 0), axis=0)
    return owners


def _masked_batch(part: Sequence[Row], asked: Mapping[Row, Sequence[tuple[int, int]]]) -> Batch:
    rows = np.array([row for row, _ in part], dtype=np.int64)
    wanted = np.arange(len(part)) * rows.shape[1] + np.array([place for _, place in part])
    where = np.repeat(np.arange(len(part)), [len(asked[key]) for key in part])
    targets, slots = (np.array(column) for column in zip(*(pair for key in part for pair in asked[key]), strict=True))
    return Batch(rows, wanted, where, targets, slots)
