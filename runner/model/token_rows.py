"""Token files of encoded text, their rows and padded batches, and masked rows for masked language models."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from runner.errors import InputError
from runner.model.recipe import Frame, Rows
from runner.model.tokenizer import id_count, opening_id, separator_id, tokenized
from runner.readers import parse_json
from runner.workspace import atomic_write, write_text

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase


Ids: TypeAlias = NDArray[Any]  # uint16 or uint32, by the size of the vocabulary
IDS, OFFSETS, DOCUMENTS, ABOUT = "ids.npy", "offsets.npy", "documents.npy", "tokens.json"


@dataclass(frozen=True)
class TokenFile:
    """An encoded text. Sentence i is `ids[offsets[i] : offsets[i + 1]]`. The arrays are memory-mapped.

    `documents` has the index of the first sentence of each document; without it, every sentence is a document.
    """

    folder: Path
    ids: Ids  # (tokens,)
    offsets: NDArray[np.int64]  # (sentences + 1,)
    vocabulary: int  # the highest id of the tokenizer plus 1
    separator: int | None  # id of the token before, between and after sentences
    unknown: int | None  # id of the unknown token
    documents: NDArray[np.int64] | None = None  # (documents,), ascending

    @classmethod
    def open(cls, folder: Path) -> TokenFile:
        """Map the files of `folder`. Raises InputError (FICT802) if one is missing or they are inconsistent."""
        try:
            about = parse_json((folder / ABOUT).read_text(encoding="utf-8"))
            ids = np.load(folder / IDS, mmap_mode="r", allow_pickle=False)
            offsets = np.load(folder / OFFSETS, mmap_mode="r", allow_pickle=False)
            path = folder / DOCUMENTS
            documents = np.load(path, mmap_mode="r", allow_pickle=False) if path.is_file() else None
            is_consistent = int(offsets[-1]) == len(ids) == about["tokens"]
            settings = about["vocabulary"], about["separator"], about["unknown"]
        except (OSError, EOFError, ValueError, KeyError, IndexError, TypeError) as error:
            raise InputError.of("FICT802", path=folder, reason=str(error)) from error
        if not is_consistent:
            reason = "the numbers of tokens in its files differ"
            raise InputError.of("FICT802", path=folder, reason=reason)
        return cls(folder, ids, offsets, *settings, documents)

    @property
    def sentences(self) -> int:
        return len(self.offsets) - 1

    @property
    def tokens(self) -> int:
        return len(self.ids)

    def sentence(self, index: int) -> Ids:
        return self.ids[self.offsets[index] : self.offsets[index + 1]]

    def counts(self, *, closed: bool = True) -> NDArray[np.int64]:
        """Return the frequency of each id, (V,). With `closed`, the separator after each sentence counts too."""
        counts = np.bincount(self.ids, minlength=self.vocabulary).astype(np.int64)
        if closed and self.separator is not None:
            counts[self.separator] += self.sentences
        return counts

    def unknown_rate(self) -> float:
        if self.unknown is None or not self.tokens:
            return 0.0
        return int(np.count_nonzero(self.ids == self.unknown)) / self.tokens

    def sha256(self) -> str:
        digest = hashlib.sha256(f"{self.ids.dtype} {self.vocabulary} {self.separator}\n".encode())
        documents = () if self.documents is None else (self.documents,)
        for array in (self.ids, self.offsets, *documents):
            digest.update(np.asarray(array).tobytes())
        return digest.hexdigest()


def write_tokens(
    sentences: Iterable[list[int]],
    folder: Path,
    *,
    vocabulary: int,
    separator: int | None,
    unknown: int | None,
    documents: Callable[[], NDArray[np.int64]] | None = None,
) -> TokenFile:
    """Write the ids of `sentences` into `folder`, and open it. `documents` is called once all sentences are read."""
    dtype = np.uint16 if vocabulary <= 1 << 16 else np.uint32
    chunks: list[Ids] = [np.empty(0, dtype)]
    lengths: list[int] = []
    pending: list[int] = []
    for ids in sentences:
        lengths.append(len(ids))
        pending += ids
        if len(pending) > 1 << 20:
            chunks.append(np.array(pending, dtype))
            pending.clear()
    chunks.append(np.array(pending, dtype))
    all_ids = np.concatenate(chunks)
    offsets = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.int64)
    folder.mkdir(parents=True, exist_ok=True)
    document_arrays = () if documents is None else ((DOCUMENTS, documents()),)
    for name, array in ((IDS, all_ids), (OFFSETS, offsets), *document_arrays):
        with atomic_write(folder / name) as temp, temp.open("wb") as file:
            np.save(file, array, allow_pickle=False)
    counts = {"sentences": len(lengths), "tokens": len(all_ids)}
    about = {**counts, "vocabulary": vocabulary, "separator": separator, "unknown": unknown}
    write_text(folder / ABOUT, json.dumps(about, indent=1) + "\n")
    return TokenFile.open(folder)


ChangeLine: TypeAlias = Callable[[int, list[int]], "list[int] | None"]
LINES_PER_CALL = 4096  # of the tokenizer


def encode_text(
    lines: Iterable[str],
    tokenizer: PreTrainedTokenizerBase,
    out: Path,
    document_starts: NDArray[np.int64] | None = None,
    change: ChangeLine | None = None,
) -> TokenFile:
    """Encode sentences, one a line, into a folder. `change` returns the new tokens of a line, or None to omit it."""
    rows = _ChangedRows(_encode_lines(lines, tokenizer), change)
    return write_tokens(
        rows,
        out,
        vocabulary=id_count(tokenizer),
        separator=separator_id(tokenizer),
        unknown=tokenizer.unk_token_id,
        documents=None if document_starts is None else lambda: rows.document_starts(document_starts),
    )


def omitted_lines(lines: Iterable[str], tokenizer: PreTrainedTokenizerBase, change: ChangeLine) -> NDArray[np.int64]:
    rows = enumerate(_encode_lines(lines, tokenizer))
    return np.array([index for index, row in rows if change(index, row) is None], dtype=np.int64)


class _ChangedRows:
    def __init__(self, rows: Iterable[list[int]], change: ChangeLine | None) -> None:
        self._rows, self._change = rows, change
        self._omitted: list[int] = []
        self._kept_count = 0

    def __iter__(self) -> Iterator[list[int]]:
        for index, row in enumerate(self._rows):
            changed = row if self._change is None else self._change(index, row)
            if changed is None:
                self._omitted.append(index)
            else:
                self._kept_count += 1
                yield changed

    def document_starts(self, starts_before: NDArray[np.int64]) -> NDArray[np.int64]:
        if not self._omitted:
            return starts_before
        starts = np.unique(starts_before - np.searchsorted(self._omitted, starts_before))
        return starts[starts < self._kept_count]


def _encode_lines(lines: Iterable[str], tokenizer: PreTrainedTokenizerBase) -> Iterator[list[int]]:
    remaining = iter(lines)
    while batch := list(islice(remaining, LINES_PER_CALL)):
        yield from tokenized(tokenizer, batch, add_special_tokens=False, return_attention_mask=False)["input_ids"]


Ints: TypeAlias = NDArray[np.int64]
POOL_BATCHES = 64  # batches whose rows are sorted by length together, to reduce padding


@dataclass(frozen=True)
class Batch:
    """Rows padded on the right: row b reads `ids[b, : lengths[b]]` and predicts `ids[b, 1 : lengths[b] + 1]`."""

    ids: Ints
    lengths: Ints

    @property
    def predicted_tokens(self) -> int:
        return int(self.lengths.sum())

    def select(self, rows: Ints) -> Batch:
        lengths = self.lengths[rows]
        return Batch(self.ids[rows, : int(lengths.max()) + 1], lengths)


@dataclass(frozen=True)
class RowTable:
    """Rows of `lengths[i]` predicted tokens in a stream `<eos> s1 <eos> s2 … <eos>` or, without frame, `s1 s2 …`."""

    stream: NDArray[Any]
    starts: Ints
    lengths: Ints

    @classmethod
    def of(cls, tokens: TokenFile, layout: Rows, block: int, frame: Frame = "eos") -> RowTable:
        """Cut a text into rows that predict at most `block` tokens each. Each token is predicted once.

        With `frame = "none"`, the first token of each unit of `layout` is not predicted. Raises InputError (FICT815) if
        `frame` is "eos" and the tokenizer has no separator.
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
        return int(self.lengths.sum())

    def targets(self) -> NDArray[Any]:
        row_starts = np.cumsum(self.lengths) - self.lengths
        offsets = np.arange(self.predicted_tokens) - np.repeat(row_starts, self.lengths)
        return np.asarray(self.stream[np.repeat(self.starts, self.lengths) + 1 + offsets])

    def batch(self, rows: Ints) -> Batch:
        starts, lengths = self.starts[rows], self.lengths[rows]
        indices = starts[:, None] + np.arange(int(lengths.max()) + 1)
        ids = self.stream[np.minimum(indices, len(self.stream) - 1)].astype(np.int64)
        return Batch(ids, lengths)

    def epoch_batches(self, batch_size: int, seed: int, epoch: int, *, in_order: bool = False) -> list[Ints]:
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
        order = np.argsort(self.lengths, kind="stable")
        begin = 0
        while begin < len(order):
            end = begin + 1
            while end < len(order) and (end + 1 - begin) * self.lengths[order[end]] <= max_tokens:
                end += 1
            yield self.batch(order[begin:end])
            begin = end


def _stream(tokens: TokenFile) -> tuple[NDArray[Any], Ints]:
    """Return the ids with separators around all sentences, and the index of the separator before each sentence."""
    if tokens.separator is None:
        raise InputError.of("FICT815", model=tokens.folder, token="EOS", setting="a row of text")
    stream = np.full(tokens.tokens + tokens.sentences + 1, tokens.separator, tokens.ids.dtype)
    sentence_indices = np.repeat(np.arange(tokens.sentences), np.diff(tokens.offsets))
    stream[np.arange(tokens.tokens) + sentence_indices + 1] = tokens.ids
    separator_positions = np.asarray(tokens.offsets[:-1] + np.arange(tokens.sentences), dtype=np.int64)
    return stream, separator_positions


def _windows(starts: Ints, lengths: Ints, block: int) -> tuple[Ints, Ints]:
    """Cut spans into windows of `block` tokens, the last of which may be shorter. Return their starts and lengths."""
    counts = -(-lengths // block)
    span_indices = np.repeat(np.arange(len(starts)), counts)
    window_indices = np.arange(len(span_indices)) - np.repeat(np.cumsum(counts) - counts, counts)  # within a span
    window_lengths = np.minimum(block, lengths[span_indices] - window_indices * block)
    return (starts[span_indices] + window_indices * block).astype(np.int64), window_lengths.astype(np.int64)


def _chunks(order: Ints, size: int) -> list[Ints]:
    return [order[start : start + size] for start in range(0, len(order), size)]


RATE = 0.15
MASK_SHARE, RANDOM_SHARE = 0.8, 0.1  # of the predicted tokens; the others do not change
IGNORED = -100  # the target of tokens that are not predicted
EVALUATION_SEED = 0xF1C7  # of the masks in evaluation, which are equal for models with the same tokenizer


@dataclass(frozen=True)
class MaskedBatch:
    """Masked rows, padded on the right: `ids` (B, T), and `targets` (B, T), IGNORED where nothing is predicted."""

    ids: Ints
    targets: Ints
    lengths: Ints  # tokens of each row after the first one

    @property
    def predicted_tokens(self) -> int:
        return int(np.count_nonzero(self.targets != IGNORED))

    def select(self, rows: Ints) -> MaskedBatch:
        width = int(self.lengths[rows].max()) + 1
        return MaskedBatch(self.ids[rows, :width], self.targets[rows, :width], self.lengths[rows])


@dataclass(frozen=True)
class Masking:
    opening: int
    mask: int
    special: tuple[int, ...]
    vocab_size: int
    rate: float = RATE

    @classmethod
    def of(cls, tokenizer: PreTrainedTokenizerBase, model: str, rate: float = RATE) -> Masking:
        if tokenizer.mask_token_id is None:
            raise InputError.of("FICT815", model=model, token="mask", setting="a masked model")
        special = {token for token in tokenizer.all_special_ids if token != tokenizer.unk_token_id}
        opening = opening_id(tokenizer)
        assert opening is not None  # rows have a separator
        return cls(opening, int(tokenizer.mask_token_id), tuple(sorted(special)), len(tokenizer), rate)

    def apply(self, batch: Batch, *seed: int) -> MaskedBatch:
        """Mask tokens of every row at random: max(1, round(rate · n)) of n.

        As in Devlin et al. 2019, 80 % of them become the mask token and 10 % a random token. Equal batches and seeds
        give equal results. The draws of a row depend on the shape of the whole batch, so a row may be masked
        differently in another batch.
        """
        generator = np.random.Generator(np.random.PCG64(list(seed)))
        ids = batch.ids.copy()
        ids[:, 0] = self.opening
        positions = np.arange(ids.shape[1])
        is_token = (positions > 0) & (positions <= batch.lengths[:, None])
        is_maskable = is_token & ~np.isin(ids, self.special)
        is_maskable |= is_token & ~is_maskable.any(1, keepdims=True)
        predicted_counts = np.maximum(1, np.rint(self.rate * is_maskable.sum(1))).astype(np.int64)
        sort_keys = np.where(is_maskable, generator.random(ids.shape), 2.0)
        is_predicted = np.argsort(np.argsort(sort_keys, 1, kind="stable"), 1) < predicted_counts[:, None]
        targets = np.where(is_predicted, ids, IGNORED)
        draws, replacements = generator.random(ids.shape), generator.integers(len(self.ordinary_ids), size=ids.shape)
        ids[is_predicted & (draws < MASK_SHARE)] = self.mask
        is_random = is_predicted & (draws >= MASK_SHARE) & (draws < MASK_SHARE + RANDOM_SHARE)
        ids[is_random] = self.ordinary_ids[replacements[is_random]]
        return MaskedBatch(ids, targets, batch.lengths)

    @cached_property
    def ordinary_ids(self) -> Ints:
        return np.setdiff1d(np.arange(self.vocab_size), np.array(self.special, dtype=np.int64))
