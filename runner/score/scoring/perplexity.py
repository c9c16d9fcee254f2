"""A saved model and a token file to the summed negative log-likelihood of the text, and that by frequencies alone."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.model.likelihood import predicted_counts, text_loss
from runner.model.masking import RATE, Masking
from runner.model.saved import SavedModel, position_limit
from runner.model.tokens import TokenFile
from runner.score.scoring.unigram import unigram_logs

WINDOW = 512  # tokens read at once by models that do not say how they were trained


def perplexity(saved: SavedModel, tokens: TokenFile) -> tuple[float, int]:
    """(−Σ ln p, N) over a text, in nats; the perplexity is exp(−Σ ln p / N).

    N counts every token once, `<unk>` included, and the separator that closes each sentence; of a masked model, the
    tokens that were masked. The text is read in rows as in training; a model from elsewhere reads one sentence at a
    time. InputError if ids do not fit.
    """
    if tokens.vocabulary > saved.model.config.vocab_size:
        found, expected = tokens.vocabulary, saved.model.config.vocab_size
        raise InputError(diagnostic("FICT806", what="token file", found=found, expected=expected))
    return text_loss(saved.model, tokens, **_reading(saved))


def frequency_loss(saved: SavedModel, tokens: TokenFile, training: TokenFile) -> float:
    """−Σ ln p of the very tokens that `perplexity` sums, p being the words' relative frequencies in a training text.

    What a model has that has learned how frequent words are and nothing more. Frequencies are of what it could have
    been asked for: a masked model's are of words alone. Counts are raised by one.
    """
    reading, counts = _reading(saved), training.counts()
    if reading["masking"] is not None:
        counts[list(reading["masking"].never)] = 0
    predicted = predicted_counts(tokens, **reading)
    seen = np.flatnonzero(predicted)
    return -math.fsum(predicted[seen] * unigram_logs(counts)[seen])


def _reading(saved: SavedModel) -> dict[str, Any]:
    """In which rows a model reads a text, and how these are masked."""
    masking = None
    if saved.masked:
        rate = saved.about.get("training", {}).get("mask_rate", RATE)
        masking = Masking.of(saved.tokenizer, saved.folder.name, rate)
    block = saved.about.get("block", min(WINDOW, position_limit(saved) or WINDOW))
    return {"rows": saved.about.get("rows", "sentence"), "block": block, "masking": masking}
