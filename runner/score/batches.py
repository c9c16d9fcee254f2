"""Batch encoded sentences of equal length, so that a model computes each log-probability once.

Batches do not depend on the weights of a model: one `ScoringPlan` serves every checkpoint of a training run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from runner.score.encoding import Encoded

Ints: TypeAlias = NDArray[np.int64]
Row: TypeAlias = tuple[tuple[int, ...], int]  # a masked sentence, and the position to predict
TOKEN_SETS = 1 << 40  # the target TOKEN_SETS + i stands for any token of set i
MAX_BATCH_TOKENS, GPU_BATCH_TOKENS = 2048, 32_768  # on CPU, on GPU
_Item = TypeVar("_Item")


@dataclass(frozen=True)
class Batch:
    ids: Ints  # (B, T)
    positions: Ints  # (N,): distinct positions of the flattened rows that need the output layer, ascending


@dataclass(frozen=True)
class ScoringPlan:
    """All batches of sentences. The result of sentence i has `size[i]` elements from index `begin[i]`."""

    batches: tuple[Batch, ...]
    states: Ints  # (total,): index of the hidden state that predicts each target, ascending
    targets: Ints  # (total,): ids of the tokens to score
    result_indices: Ints  # (total,): index of each log-probability in the result
    begin: Ints
    size: Ints

    @property
    def total(self) -> int:
        return len(self.result_indices)

    @property
    def rows(self) -> int:
        return sum(len(batch.ids) for batch in self.batches)

    def split(self, result: NDArray[np.float64]) -> list[NDArray[np.float64]]:
        return [result[begin : begin + size] for begin, size in zip(self.begin, self.size, strict=True)]


def causal_plan(sentences: Sequence[Encoded], max_batch_tokens: int = MAX_BATCH_TOKENS) -> ScoringPlan:
    """Build the plan of sentences for a causal language model.

    Sentences are sorted, and those of a batch have the same length. Shared prefixes pass through the output layer once,
    and a sentence whose input is a prefix of the previous input gets no row.
    """
    unique = sorted(set(sentences), key=lambda sentence: (sentence.ids, sentence.start))
    shared_prefixes = dict(_shared_prefixes(unique))
    with_rows = [index for index, shared in shared_prefixes.items() if shared < len(unique[index].ids) - 1]
    with_rows.sort(key=lambda index: len(unique[index].ids))  # stable: equal lengths stay in the order of ids
    groups = list(_groups_of_equal_length(with_rows, lambda index: len(unique[index].ids), max_batch_tokens))
    rows = [np.array([unique[index].ids[:-1] for index in group], dtype=np.int64) for group in groups]
    query_positions = _query_positions(unique, shared_prefixes, groups, rows)
    order = np.argsort(query_positions, kind="stable")
    positions, states = np.unique(query_positions[order], return_inverse=True)
    targets = np.array([token for sentence in unique for token in sentence.scored], dtype=np.int64)
    return _scoring_plan(_batches(rows, positions), states, targets[order], order, sentences, unique)


def masked_plan(sentences: Sequence[Encoded], mask: int, max_batch_tokens: int = MAX_BATCH_TOKENS) -> ScoringPlan:
    """Build a masked model's plan: a row per scored token, masked with the later tokens of its word if known."""
    unique = list(dict.fromkeys(sentences))
    targets_by_row: dict[Row, list[tuple[int, int]]] = {}
    for sentence, begin in zip(unique, _offsets(unique).tolist(), strict=True):
        for offset, position in enumerate(range(sentence.start, sentence.end)):
            row = _with_masks(sentence, position, mask)
            targets_by_row.setdefault((row, position), []).append((sentence.ids[position], begin + offset))
    sorted_rows = sorted(targets_by_row, key=lambda key: (len(key[0]), key))
    batches = []
    for group in _groups_of_equal_length(sorted_rows, lambda key: len(key[0]), max_batch_tokens):
        rows = np.array([row for row, _ in group], dtype=np.int64)
        positions = np.array([position for _, position in group])
        batches.append(Batch(rows, np.arange(len(group)) * rows.shape[1] + positions))
    states = np.repeat(np.arange(len(sorted_rows)), [len(targets_by_row[key]) for key in sorted_rows])
    targets = np.array([pair for key in sorted_rows for pair in targets_by_row[key]], dtype=np.int64).reshape(-1, 2)
    return _scoring_plan(batches, states, targets[:, 0], targets[:, 1], sentences, unique)


def _with_masks(sentence: Encoded, position: int, mask: int) -> tuple[int, ...]:
    masked_ids = list(sentence.ids)
    masked_ids[position] = mask
    for later_position in range(position + 1, sentence.end if sentence.words else 0):
        if sentence.words[later_position] == sentence.words[position]:
            masked_ids[later_position] = mask
    return tuple(masked_ids)


def _offsets(unique: Sequence[Encoded]) -> Ints:
    return np.concatenate([[0], np.cumsum([len(sentence.scored) for sentence in unique], dtype=np.int64)])[:-1]


def _scoring_plan(
    batches: Sequence[Batch],
    states: Ints,
    targets: Ints,
    result_indices: Ints,
    sentences: Sequence[Encoded],
    unique: Sequence[Encoded],
) -> ScoringPlan:
    begin_of = dict(zip(unique, _offsets(unique).tolist(), strict=True))
    begins = np.array([begin_of[sentence] for sentence in sentences], dtype=np.int64)
    sizes = np.array([len(sentence.scored) for sentence in sentences], dtype=np.int64)
    return ScoringPlan(tuple(batches), states, targets, result_indices, begins, sizes)


def _groups_of_equal_length(
    items: Sequence[_Item], length: Callable[[_Item], int], max_batch_tokens: int
) -> Iterator[Sequence[_Item]]:
    for item_length, group in groupby(items, length):
        equal, step = list(group), max(1, max_batch_tokens // max(1, item_length))
        for begin in range(0, len(equal), step):
            yield equal[begin : begin + step]


def _query_positions(
    unique: Sequence[Encoded],
    shared_prefixes: Mapping[int, int],
    groups: Sequence[Sequence[int]],
    rows: Sequence[Ints],
) -> Ints:
    """Return the position, across all batches, that predicts each scored token of the sorted sentences, (total,)."""
    offsets = np.cumsum([0, *(ids.size for ids in rows)]).tolist()
    row_begins = {
        index: start + row * ids.shape[1]
        for group, ids, start in zip(groups, rows, offsets, strict=False)
        for row, index in enumerate(group)
    }
    positions: list[int] = []
    token_positions: list[int] = []
    for index, shared in shared_prefixes.items():
        size, begin = len(unique[index].ids) - 1, row_begins.get(index, 0)
        token_positions[shared:] = range(begin + shared, begin + size)
        positions += token_positions[unique[index].start - 1 :]
    return np.array(positions, dtype=np.int64)


def _shared_prefixes(unique: Sequence[Encoded]) -> Iterator[tuple[int, int]]:
    """Yield the index of each sentence with scored tokens, and how many it shares with the previous one."""
    previous: tuple[int, ...] = ()
    for index, sentence in enumerate(unique):
        if sentence.scored:
            inputs = sentence.ids[:-1]
            pairs = enumerate(zip(previous, inputs, strict=False))
            shortest = min(len(previous), len(inputs))
            yield index, next((length for length, (one, other) in pairs if one != other), shortest)
            previous = inputs


def _batches(rows: Sequence[Ints], positions: Ints) -> list[Batch]:
    offsets = np.cumsum([0, *(ids.size for ids in rows)])
    edges = np.searchsorted(positions, offsets)
    return [
        Batch(ids, positions[edges[index] : edges[index + 1]] - offsets[index])
        for index, ids in enumerate(rows)
        if edges[index] < edges[index + 1]
    ]


SPACED, UNSPACED = TOKEN_SETS, TOKEN_SETS + 1
BoundaryLogprobs: TypeAlias = Mapping[int, float]  # position → ln of the probability that a word ends


@dataclass(frozen=True)
class WordBoundaries:
    """Where scored words begin or end. `token_sets` are ids with a leading space or outside words, and others."""

    token_sets: tuple[NDArray[np.int64], NDArray[np.int64]]
    targets: Sequence[Mapping[int, int]]  # for each sentence: position → SPACED or UNSPACED

    def with_targets(self, sentences: Sequence[Encoded]) -> list[Encoded]:
        """Return the sentences, followed by one sequence for each boundary inside a sentence.

        The last id of a sequence is a token set, after a prefix of its sentence. A boundary at the end extends the
        sentence instead.
        """
        extended = [
            replace(sentence, ids=(*sentence.ids, SPACED), end=sentence.end + 1)
            if len(sentence.ids) in targets
            else sentence
            for sentence, targets in zip(sentences, self.targets, strict=True)
        ]
        return [*extended, *self._boundary_sequences(sentences)]

    def _boundary_sequences(self, sentences: Sequence[Encoded]) -> Iterator[Encoded]:
        for sentence, targets in zip(sentences, self.targets, strict=True):
            for position, target in targets.items():
                if position < len(sentence.ids):
                    yield Encoded((*sentence.ids[:position], target), position, position + 1, 0, 0)

    def separate(
        self, sentences: Sequence[Encoded], values: Sequence[NDArray[np.float64]]
    ) -> tuple[list[NDArray[np.float64]], list[BoundaryLogprobs]]:
        """Split the log-probabilities of `with_targets` into those of the tokens and ln B at the boundaries."""
        tokens: list[NDArray[np.float64]] = []
        boundary_logprobs: list[BoundaryLogprobs] = []
        boundary_values = iter(values[len(sentences) :])
        for sentence, targets, sentence_values in zip(sentences, self.targets, values[: len(sentences)], strict=True):
            tokens.append(sentence_values[: sentence.end - sentence.start])
            logprobs = {}
            for position in targets:
                values_there = next(boundary_values) if position < len(sentence.ids) else sentence_values
                logprobs[position] = float(values_there[-1])
            boundary_logprobs.append(logprobs)
        return tokens, boundary_logprobs
