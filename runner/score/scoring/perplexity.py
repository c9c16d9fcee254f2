"""Negative log-likelihood of a text under a model, and under a unigram model."""

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

DEFAULT_BLOCK = 512  # block size of models without training metadata


def perplexity(saved: SavedModel, tokens: TokenFile) -> tuple[float, int]:
    """Return (−Σ ln p, N) over a text, in nats. The perplexity is exp(−Σ ln p / N).

    N counts every token once, including `<unk>` and the separator after each sentence. For a masked model, it counts
    the masked tokens; for a model trained with `frame = "none"`, it excludes the first token of each row. Text is read
    in rows as in training. A model without training metadata reads one sentence at a time. Raises InputError (FICT806)
    if the vocabulary of the text is larger than the model's.
    """
    if tokens.vocabulary > saved.model.config.vocab_size:
        found, expected = tokens.vocabulary, saved.model.config.vocab_size
        raise InputError(diagnostic("FICT806", what="token file", found=found, expected=expected))
    return text_loss(saved.model, tokens, **_text_layout(saved))


def frequency_loss(saved: SavedModel, tokens: TokenFile, training: TokenFile) -> float:
    """Return −Σ ln p of the tokens that `perplexity` counts, under a unigram model of a training text.

    This is the loss of a model that has learned only word frequencies. For a masked model, special tokens are not
    counted. Counts have add-one smoothing.
    """
    layout = _text_layout(saved)
    counts = training.counts(closed=layout["frame"] == "eos")
    if layout["masking"] is not None:
        counts[list(layout["masking"].special)] = 0
    predicted = predicted_counts(tokens, **layout)
    occurring = np.flatnonzero(predicted)
    return -math.fsum(predicted[occurring] * unigram_logs(counts)[occurring])


def _text_layout(saved: SavedModel) -> dict[str, Any]:
    """Return the rows, block size, masking and frame with which a model reads a text."""
    masking = None
    if saved.masked:
        rate = saved.about.get("training", {}).get("mask_rate", RATE)
        masking = Masking.of(saved.tokenizer, saved.folder.name, rate)
    block = saved.about.get("block", min(DEFAULT_BLOCK, position_limit(saved) or DEFAULT_BLOCK))
    return {
        "rows": saved.about.get("rows", "sentence"),
        "block": block,
        "masking": masking,
        "frame": saved.about.get("frame", "eos"),
    }
