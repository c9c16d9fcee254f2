"""Negative log-likelihood of a text under a model, and under word frequencies alone."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.model.likelihood import predicted_counts, text_loss
from runner.model.masking import RATE, Masking
from runner.model.saved.saved import SavedModel, position_limit
from runner.model.tokens import TokenFile
from runner.score.scoring.unigram import unigram_logs

WINDOW = 512  # block size of models without recorded training metadata


def perplexity(saved: SavedModel, tokens: TokenFile) -> tuple[float, int]:
    """Return (−Σ ln p, N) over a text, in nats. The perplexity is exp(−Σ ln p / N).

    N counts every token once, including `<unk>` and the separator that closes each sentence; for a masked model it
    counts the masked tokens, and for a model trained without a frame the words after the first of a row. Text is read
    in rows as in training; a model from elsewhere reads one sentence at a time.
    Raises InputError (FICT806) if the vocabulary is larger than the model's.
    """
    if tokens.vocabulary > saved.model.config.vocab_size:
        found, expected = tokens.vocabulary, saved.model.config.vocab_size
        raise InputError(diagnostic("FICT806", what="token file", found=found, expected=expected))
    return text_loss(saved.model, tokens, **_text_layout(saved))


def frequency_loss(saved: SavedModel, tokens: TokenFile, training: TokenFile) -> float:
    """Return −Σ ln p of the tokens that `perplexity` sums, under the word frequencies of a training text.

    This is the loss of a model that has learned only how frequent words are. For a masked model, frequencies are of
    words only, without special tokens. Counts are smoothed by adding one.
    """
    layout = _text_layout(saved)
    counts = training.counts(closed=layout["frame"] == "eos")
    if layout["masking"] is not None:
        counts[list(layout["masking"].special)] = 0
    predicted = predicted_counts(tokens, **layout)
    occurring = np.flatnonzero(predicted)
    return -math.fsum(predicted[occurring] * unigram_logs(counts)[occurring])


def _text_layout(saved: SavedModel) -> dict[str, Any]:
    """Return how a model reads a text: its rows, block size and masking."""
    masking = None
    if saved.masked:
        rate = saved.about.get("training", {}).get("mask_rate", RATE)
        masking = Masking.of(saved.tokenizer, saved.folder.name, rate)
    block = saved.about.get("block", min(WINDOW, position_limit(saved) or WINDOW))
    return {
        "rows": saved.about.get("rows", "sentence"),
        "block": block,
        "masking": masking,
        "frame": saved.about.get("frame", "eos"),
    }
