"""Count a model's tokens in a text, for models without saved counts of their training text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.model.saved.saved import SavedModel
from runner.model.saved.tokenized import tokenized
from runner.model.tokenizer import id_count
from runner.score.scoring.convention import Convention
from runner.score.scoring.encoded import tokenizer_inputs

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

BATCH = 4096  # texts per call of the tokenizer
SentenceSource: TypeAlias = Callable[[], Iterable[str]]  # each call starts a new iteration over the sentences of a text


def token_counts(saved: SavedModel, sentences: Iterable[str], convention: Convention) -> NDArray[np.int64]:
    """Return how often each token id occurs in sentences that are encoded like those of suites, (V,).

    The tokenizer adds no special tokens. The EOS of each sentence is counted if the convention scores it. Raises
    InputError: FICT801 if the tokenizer fails, FICT804 if there is no sentence.
    """
    tokenizer = saved.tokenizer
    counts = np.zeros(id_count(tokenizer), np.int64)
    for texts in _batches(sentences):
        ids = _ids(tokenizer, texts, convention)
        counts += np.bincount(ids, minlength=len(counts))
        if convention.eos == "scored" and tokenizer.eos_token_id is not None:
            counts[tokenizer.eos_token_id] += len(texts)
    if not counts.any():
        raise InputError(diagnostic("FICT804", what="the text to count"))
    return counts


def _batches(sentences: Iterable[str]) -> Iterator[list[str]]:
    remaining = (text for text in sentences if text and not text.isspace())
    while batch := list(islice(remaining, BATCH)):
        yield batch


def _ids(tokenizer: PreTrainedTokenizerBase, texts: list[str], convention: Convention) -> NDArray[np.int64]:
    """Return the concatenated ids of all texts."""
    inputs = tokenizer_inputs(texts, tokenizer, convention)
    rows = tokenized(tokenizer, inputs, add_special_tokens=False, return_attention_mask=False)["input_ids"]
    return np.array([token_id for row in rows for token_id in row], np.int64)
