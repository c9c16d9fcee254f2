"""Encode sentences for a model and score them: token log-probabilities and the table of the suite."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from runner.errors import InputError
from runner.machine import by_kind
from runner.model.saved import SavedModel, position_limit
from runner.score.batches import (
    GPU_BATCH_TOKENS,
    MAX_BATCH_TOKENS,
    BoundaryLogprobs,
    ScoringPlan,
    WordBoundaries,
    causal_plan,
    masked_plan,
)
from runner.score.convention import Convention, check_fits
from runner.score.encoding import Encoded, encode_texts
from runner.score.score_table import Total, unigram_logs, unigram_sum

if TYPE_CHECKING:
    import pyarrow as pa


Progress: TypeAlias = Callable[[int, int], None]  # receives the numbers of finished and of all sequences
Keys: TypeAlias = Mapping[str, Sequence[str | int]]  # columns that identify each sentence in its suite
Tokens: TypeAlias = NDArray[np.float64]  # (scored,): ln p of the scored tokens of one sentence


@dataclass(frozen=True)
class Prepared:
    """Encoded sentences and batches, shared by all checkpoints of a training run; `keys` identify each sentence."""

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
        """Plan the batches of sentences. Raises InputError: FICT816 for a long one, FICT815 without a mask token."""
        check_lengths(saved, texts, sentences, convention, keys or {})
        mask = saved.tokenizer.mask_token_id
        if not convention.masked:
            plan = causal_plan(sentences, default_batch_tokens(saved))
        elif mask is None:
            setting = f"probability = {convention.probability}"
            raise InputError.of("FICT815", model=saved.folder.name, token="mask", setting=setting)
        else:
            plan = masked_plan(sentences, int(mask), default_batch_tokens(saved))
        return cls(convention, texts, sentences, plan, tabulate, keys or {})


@dataclass(frozen=True)
class Scored:
    table: pa.Table
    tokens: Sequence[Tokens]
    boundary_logprobs: Sequence[BoundaryLogprobs] = ()


def check_convention(saved: SavedModel, convention: Convention) -> None:
    """Raise InputError if a convention does not fit the model (FICT813) or needs missing counts (FICT814)."""
    check_fits(convention, masked=saved.masked, model_name=saved.folder.name)
    if convention.normalise in ("slor", "normlp") and saved.counts is None:
        hint = "`fictc score --counts` counts them in a store or a text"
        raise InputError.of("FICT814", name=convention.normalise, hint=hint)


def default_batch_tokens(saved: SavedModel) -> int:
    """Return the maximum number of tokens in a batch, fewer on a GPU for a model that cannot be split."""
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
            raise InputError.of("FICT816", hint=hint, text=text, place=place, found=found, limit=limit)


def encode(saved: SavedModel, texts: Sequence[str], convention: Convention, *, skip_long: bool) -> list[Encoded]:
    """Encode sentences that fit a convention. Raises InputError (FICT801, 813, 814, 815)."""
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
    limit = length_limit(saved)
    return [
        replace(sentence, end=sentence.start)
        if limit is not None and read_tokens(sentence, convention) > limit
        else sentence
        for sentence in sentences
    ]


def _place(keys: Keys, index: int) -> str:
    if not keys:
        return f" (sentence {index + 1:,})"
    return f" ({', '.join(f'{name} {values[index]}' for name, values in keys.items())})"


def score(saved: SavedModel, prepared: Prepared, on_progress: Progress | None = None) -> Scored:
    """Score sentences. Raises InputError (FICT821) for a log-probability that is infinite or not a number."""
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
    totals = []
    for sentence, values in zip(prepared.sentences, tokens, strict=True):
        unigram = None if unigram_logprobs is None else unigram_sum(unigram_logprobs, sentence.scored)
        totals.append(Total(math.fsum(values), len(values), unigram))
    return Scored(prepared.tabulate(tokens, totals), tokens, boundary_logprobs)


def _check_finite(saved: SavedModel, prepared: Prepared, tokens: Sequence[Tokens]) -> None:
    for index, (text, values) in enumerate(zip(prepared.texts, tokens, strict=True)):
        if not math.isfinite(total := float(values.sum())):
            place = _place(prepared.keys, index)
            raise InputError.of("FICT821", path=saved.folder, text=text, place=place, value=total)
