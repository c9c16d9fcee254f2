"""Cut a token file into rows and padded batches, for training and evaluation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.model.recipe import Frame, Rows
from runner.model.tokens import TokenFile

Ints: TypeAlias = NDArray[np.int64]
POOL_BATCHES = 64  # batches whose rows are sorted by length together, to reduce padding


@dataclass(frozen=True)
class Batch:
    """Rows padded on the right: `ids` (B, T + 1), and the number of tokens that each row predicts, (B,).

    Row b reads `ids[b, : lengths[b]]` and predicts `ids[b, 1 : lengths[b] + 1]`.
    """

    ids: Ints
    lengths: Ints

    @property
    def predicted_tokens(self) -> int:
        """The number of predicted tokens."""
        return int(self.lengths.sum())

    def select(self, rows: Ints) -> Batch:
        """Return some of the rows, padded to the longest of them."""
        lengths = self.lengths[rows]
        return Batch(self.ids[rows, : int(lengths.max()) + 1], lengths)


@dataclass(frozen=True)
class RowTable:
    """The rows of a text as ranges of a stream of ids. Row i predicts `lengths[i]` tokens.

    The stream is `<eos> s1 <eos> s2 … <eos>`, or with `frame = "none"`, `s1 s2 …`.
    """

    stream: NDArray[Any]
    starts: Ints
    lengths: Ints

    @classmethod
    def of(cls, tokens: TokenFile, layout: Rows, block: int, frame: Frame = "eos") -> RowTable:
        """Cut a text into rows that predict at most `block` tokens each. Each token is predicted once.

        With `frame = "none"`, the first token of each unit of `layout` (a sentence, a document or the stream) is not
        predicted. Raises InputError (FICT815) if `frame` is "eos" and the tokenizer has no separator.
        """
        stream, sentence_starts = _stream(tokens) if frame == "eos" else (tokens.ids, tokens.offsets[:-1])
        if layout == "packed":
            starts = sentence_starts[:1]
        elif layout == "document" and tokens.documents is not None:
            starts = sentence_starts[np.asarray(tokens.documents)]
        else:
            starts = sentence_starts
        if frame == "eos":
            lengths = np.diff(np.append(starts, len(stream) - 1))
        else:
            lengths = np.maximum(0, np.diff(np.append(starts, len(stream))) - 1)
        return cls(stream, *_windows(starts, lengths, block))

    def __len__(self) -> int:
        return len(self.starts)

    @property
    def predicted_tokens(self) -> int:
        """The number of tokens predicted in an epoch."""
        return int(self.lengths.sum())

    def targets(self) -> NDArray[Any]:
        """Return the ids that are predicted in an epoch, (predicted_tokens,)."""
        row_starts = np.cumsum(self.lengths) - self.lengths
        offsets = np.arange(self.predicted_tokens) - np.repeat(row_starts, self.lengths)
        return np.asarray(self.stream[np.repeat(self.starts, self.lengths) + 1 + offsets])

    def batch(self, rows: Ints) -> Batch:
        """Return the batch of the rows with these indices, padded to the longest of them."""
        starts, lengths = self.starts[rows], self.lengths[rows]
        indices = starts[:, None] + np.arange(int(lengths.max()) + 1)
        ids = self.stream[np.minimum(indices, len(self.stream) - 1)].astype(np.int64)
        return Batch(ids, lengths)

    def epoch_batches(self, batch_size: int, seed: int, epoch: int, *, in_order: bool = False) -> list[Ints]:
        """Return the row indices of each step of an epoch. Batches consist of rows of similar length, in random order.

        With `in_order`, rows are in the order of the text.
        """
        if in_order:
            return _chunks(np.arange(len(self)), batch_size)
        generator = np.random.Generator(np.random.PCG64([seed, epoch]))
        order = generator.permutation(len(self))
        if self.lengths.min() == self.lengths.max():
            return _chunks(order, batch_size)
        steps: list[Ints] = []
        for pool in _chunks(order, batch_size * POOL_BATCHES):
            steps += _chunks(pool[np.argsort(self.lengths[pool], kind="stable")], batch_size)
        return [steps[i] for i in generator.permutation(len(steps))]

    def batches(self, max_tokens: int) -> Iterator[Batch]:
        """Yield all rows sorted by length, in batches of at most `max_tokens` tokens including padding.

        A row that is longer than `max_tokens` is a batch of its own.
        """
        order = np.argsort(self.lengths, kind="stable")
        begin = 0
        while begin < len(order):
            end = begin + 1
            while end < len(order) and (end + 1 - begin) * self.lengths[order[end]] <= max_tokens:
                end += 1
            yield self.batch(order[begin:end])
            begin = end


def _stream(tokens: TokenFile) -> tuple[NDArray[Any], Ints]:
    """Return the ids with separators around all sentences, and the index of the separator before each sentence.

    Raises InputError (FICT815) if the tokenizer has no separator.
    """
    if tokens.separator is None:
        raise InputError(diagnostic("FICT815", model=tokens.folder, token="EOS", setting="a row of text"))
    stream = np.full(tokens.tokens + tokens.sentences + 1, tokens.separator, tokens.ids.dtype)
    sentence_indices = np.repeat(np.arange(tokens.sentences), np.diff(tokens.offsets))
    stream[np.arange(tokens.tokens) + sentence_indices + 1] = tokens.ids
    separator_positions = np.asarray(tokens.offsets[:-1] + np.arange(tokens.sentences), dtype=np.int64)
    return stream, separator_positions


def _windows(starts: Ints, lengths: Ints, block: int) -> tuple[Ints, Ints]:
    """Cut spans into windows of `block` tokens, and return their starts and lengths.

    The last window of a span may be shorter.
    """
    counts = -(-lengths // block)
    span_indices = np.repeat(np.arange(len(starts)), counts)
    window_indices = np.arange(len(span_indices)) - np.repeat(np.cumsum(counts) - counts, counts)  # within a span
    window_lengths = np.minimum(block, lengths[span_indices] - window_indices * block)
    return (starts[span_indices] + window_indices * block).astype(np.int64), window_lengths.astype(np.int64)


def _chunks(order: Ints, size: int) -> list[Ints]:
    return [order[start : start + size] for start in range(0, len(order), size)]
