"""Batch sentences of equal length, and score them: token log-probabilities and the table of the suite.

A model computes each log-probability once. Batches do not depend on its weights: one `ScoringPlan` serves every
checkpoint of a training run.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.machine import by_kind
from runner.model.saved import SavedModel, position_limit
from runner.score.convention import Convention, check_fits
from runner.score.encoding import Encoded, encode_texts
from runner.score.score_table import Total, unigram_logs, unigram_sum

if TYPE_CHECKING:
    import pyarrow as pa

    from runner.score.word_surprisals import WordBoundaries


Ints: TypeAlias = NDArray[np.int64]
Row: TypeAlias = tuple[tuple[int, ...], int]  # a masked sentence, and the position to predict
TOKEN_SETS = 1 << 40  # the target TOKEN_SETS + i stands for any token of set i
MAX_BATCH_TOKENS, GPU_BATCH_TOKENS = 2048, 32_768  # on CPU, on GPU
_Item = TypeVar("_Item")


@dataclass(frozen=True)
class Batch:
    """Rows of equal length, and the positions at which the model predicts."""

    ids: Ints  # (B, T)
    positions: Ints  # (N,): distinct positions of the flattened rows that need the output layer, ascending


@dataclass(frozen=True)
class ScoringPlan:
    """All batches of a sequence of sentences.

    The log-probabilities of sentence i are `size[i]` elements of the result, from index `begin[i]`.
    """

    batches: tuple[Batch, ...]
    states: Ints  # (total,): index of the hidden state that predicts each target, ascending
    targets: Ints  # (total,): ids of the tokens to score
    result_indices: Ints  # (total,): index of each log-probability in the result
    begin: Ints
    size: Ints

    @property
    def total(self) -> int:
        """The number of scored tokens, counting equal sentences once."""
        return len(self.result_indices)

    @property
    def rows(self) -> int:
        """The number of sequences that the model reads."""
        return sum(len(batch.ids) for batch in self.batches)

    def split(self, result: NDArray[np.float64]) -> list[NDArray[np.float64]]:
        """Split the result (total,) by sentence."""
        return [result[begin : begin + size] for begin, size in zip(self.begin, self.size, strict=True)]


def causal_plan(sentences: Sequence[Encoded], max_batch_tokens: int = MAX_BATCH_TOKENS) -> ScoringPlan:
    """Build the plan of sentences for a causal language model.

    The sentences of a batch have the same length, so nothing is padded. The input of a sentence is all its ids but the
    last. Sentences are sorted by their ids. Positions of a shared prefix pass through the output layer once, in the row
    of the first sentence. A sentence whose input is a prefix of the previous input gets no row. `max_batch_tokens`
    bounds memory; it changes results only by rounding.
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
    """Build the plan of sentences for a masked language model: one row per scored token, which `mask` replaces.

    If `Encoded.words` maps tokens to words, the later tokens of the same word are masked too. The model reads equal
    rows once. For example, the two rows of a minimal pair in which the differing word is masked are equal.
    """
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
    """Yield groups of adjacent items of equal length: at most `max_batch_tokens` tokens, but at least one item."""
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
    """Return the position that predicts each scored token of the sorted sentences, (total,).

    Positions are numbered across all batches and rows. Sentences that share a prefix are neighbours. The list
    `token_positions` has the position of each input token of a sentence; in a shared prefix, these are the positions of
    the previous sentence.
    """
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
    """Yield the index of each sorted sentence with scored tokens, and the length of its shared prefix.

    This is the longest common prefix of its input and the previous input.
    """
    previous: tuple[int, ...] = ()
    for index, sentence in enumerate(unique):
        if sentence.scored:
            inputs = sentence.ids[:-1]
            pairs = enumerate(zip(previous, inputs, strict=False))
            shortest = min(len(previous), len(inputs))
            yield index, next((length for length, (one, other) in pairs if one != other), shortest)
            previous = inputs


def _batches(rows: Sequence[Ints], positions: Ints) -> list[Batch]:
    """Return the batches with positions relative to each batch. Batches in which nothing is predicted are omitted."""
    offsets = np.cumsum([0, *(ids.size for ids in rows)])
    edges = np.searchsorted(positions, offsets)
    return [
        Batch(ids, positions[edges[index] : edges[index + 1]] - offsets[index])
        for index, ids in enumerate(rows)
        if edges[index] < edges[index + 1]
    ]


BoundaryLogprobs: TypeAlias = Mapping[int, float]  # position → ln of the probability that a word ends
Progress: TypeAlias = Callable[[int, int], None]  # receives the numbers of finished and of all sequences
Keys: TypeAlias = Mapping[str, Sequence[str | int]]  # columns that identify each sentence in its suite
Tokens: TypeAlias = NDArray[np.float64]  # (scored,): ln p of the scored tokens of one sentence


@dataclass(frozen=True)
class Prepared:
    """Encoded sentences and their batches, which all checkpoints of a training run share.

    `tabulate` makes the table of the suite from token log-probabilities and their sums. `keys` are the columns that
    identify each sentence in the suite and in messages.
    """

    convention: Convention
    texts: Sequence[str]
    sentences: Sequence[Encoded]
    plan: ScoringPlan
    tabulate: Callable[[Sequence[Tokens], Sequence[Total]], pa.Table]
    keys: Keys = field(default_factory=dict)
    boundaries: WordBoundaries | None = None  # additional positions that word probabilities need

    @classmethod
    def of(
        cls,
        saved: SavedModel,
        convention: Convention,
        texts: Sequence[str],
        sentences: Sequence[Encoded],
        tabulate: Callable[[Sequence[Tokens], Sequence[Total]], pa.Table],
        keys: Keys | None = None,
    ) -> Prepared:
        """Batch encoded sentences for every model with the same tokenizer.

        Raises InputError if a sentence is too long for the model (FICT816) or there is no mask token (FICT815).
        """
        check_lengths(saved, texts, sentences, convention, keys or {})
        mask = saved.tokenizer.mask_token_id
        if not convention.masked:
            plan = causal_plan(sentences, default_batch_tokens(saved))
        elif mask is None:
            setting = f"probability = {convention.probability}"
            raise InputError(diagnostic("FICT815", model=saved.folder.name, token="mask", setting=setting))
        else:
            plan = masked_plan(sentences, int(mask), default_batch_tokens(saved))
        return cls(convention, texts, sentences, plan, tabulate, keys or {})


@dataclass(frozen=True)
class Scored:
    """The scores of a suite under one model: its table, and the log-probabilities of tokens and at word boundaries."""

    table: pa.Table
    tokens: Sequence[Tokens]
    boundary_logprobs: Sequence[BoundaryLogprobs] = ()


def check_convention(saved: SavedModel, convention: Convention) -> None:
    """Raise InputError if a convention does not fit the model (FICT813) or needs missing unigram counts (FICT814)."""
    check_fits(convention, masked=saved.masked, model_name=saved.folder.name)
    if convention.normalise in ("slor", "normlp") and saved.counts is None:
        hint = "`fictc score --counts` counts them in a store or a text"
        raise InputError(diagnostic("FICT814", name=convention.normalise, hint=hint))


def default_batch_tokens(saved: SavedModel) -> int:
    """Return the maximum number of tokens in a batch for the device of a model.

    On a GPU, a model that cannot be split (`Network`) has smaller batches, since it computes logits at every position.
    """
    from runner.model.likelihood import SplitModel
    from runner.score.model_scores import MAX_LOGITS

    limit = by_kind(saved.model.device, cpu=MAX_BATCH_TOKENS, gpu=GPU_BATCH_TOKENS)
    if limit == MAX_BATCH_TOKENS or SplitModel.of(saved.model).weight is not None:
        return limit
    return min(limit, max(MAX_BATCH_TOKENS, MAX_LOGITS["gpu"] // len(saved.tokenizer)))


def check_lengths(
    saved: SavedModel, texts: Sequence[str], sentences: Sequence[Encoded], convention: Convention, keys: Keys
) -> None:
    """Raise InputError (FICT816) if a sentence with scored tokens is too long for the model."""
    limit = position_limit(saved)
    if limit is None:
        return
    for index, (text, sentence) in enumerate(zip(texts, sentences, strict=True)):
        if sentence.scored and (found := read_tokens(sentence, convention)) > limit:
            hint = "`fictc score --skip-long` leaves out such sentences and scores the others"
            place = _place(keys, index)
            raise InputError(diagnostic("FICT816", hint=hint, text=text, place=place, found=found, limit=limit))


def encode(saved: SavedModel, texts: Sequence[str], convention: Convention, *, skip_long: bool) -> list[Encoded]:
    """Encode texts for a model. With `skip_long`, sentences that `without_long` leaves out have no scored tokens.

    Raises InputError if the convention does not fit the model (FICT813), needs missing unigram counts (FICT814) or a
    missing token (FICT815), or if the tokenizer fails (FICT801).
    """
    check_convention(saved, convention)
    prefixed = [("", text) for text in texts]
    sentences = encode_texts(prefixed, saved.tokenizer, convention, saved.about, saved.folder.name)
    return without_long(saved, sentences, convention) if skip_long else sentences


def read_tokens(sentence: Encoded, convention: Convention) -> int:
    """Return the number of tokens that a model reads. The last token of a causal model is predicted, not read."""
    return len(sentence.ids) - (0 if convention.masked else 1)


def length_limit(saved: SavedModel) -> int | None:
    """Return the number of tokens that a model can read or, with relative positions, was trained on, if known."""
    trained = getattr(saved.model.config, "max_position_embeddings", None)
    return position_limit(saved) or (trained if isinstance(trained, int) and trained > 0 else None)


def without_long(saved: SavedModel, sentences: Iterable[Encoded], convention: Convention) -> list[Encoded]:
    """Return the sentences. Those of more tokens than `length_limit` have no scored tokens."""
    limit = length_limit(saved)
    return [
        replace(sentence, end=sentence.start)
        if limit is not None and read_tokens(sentence, convention) > limit
        else sentence
        for sentence in sentences
    ]


def _place(keys: Keys, index: int) -> str:
    """Return where a sentence is in its suite, in parentheses."""
    if not keys:
        return f" (sentence {index + 1:,})"
    return f" ({', '.join(f'{name} {values[index]}' for name, values in keys.items())})"


def score(saved: SavedModel, prepared: Prepared, on_progress: Progress | None = None) -> Scored:
    """Score prepared sentences. `on_progress` receives the numbers of finished sequences and of all sequences.

    Raises InputError (FICT821) for a sentence whose log-probability is infinite or not a number.
    """
    from runner.score.model_scores import log_probabilities

    boundaries, dtype = prepared.boundaries, prepared.convention.dtype
    token_sets = () if boundaries is None else boundaries.token_sets
    logprobs = log_probabilities(
        saved.model, prepared.plan, dtype=dtype, token_sets=token_sets, on_progress=on_progress
    )
    tokens, boundary_logprobs = prepared.plan.split(logprobs), list[BoundaryLogprobs]()
    if boundaries is not None:
        tokens, boundary_logprobs = boundaries.separate(prepared.sentences, tokens)
    _check_finite(saved, prepared, tokens)
    unigram_logprobs = None if saved.counts is None else unigram_logs(saved.counts)
    # fsum rounds once, so the result does not depend on the order of the tokens
    totals = [
        Total(
            math.fsum(values),
            len(values),
            None if unigram_logprobs is None else unigram_sum(unigram_logprobs, sentence.scored),
        )
        for sentence, values in zip(prepared.sentences, tokens, strict=True)
    ]
    return Scored(prepared.tabulate(tokens, totals), tokens, boundary_logprobs)


def _check_finite(saved: SavedModel, prepared: Prepared, tokens: Sequence[Tokens]) -> None:
    for index, (text, values) in enumerate(zip(prepared.texts, tokens, strict=True)):
        if not math.isfinite(total := float(values.sum())):
            place = _place(prepared.keys, index)
            raise InputError(diagnostic("FICT821", path=saved.folder, text=text, place=place, value=total))
