"""A saved model and a token file to the summed negative log-likelihood of the text."""

from __future__ import annotations

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.model.likelihood import text_loss
from runner.model.masking import RATE, Masking
from runner.model.saved import SavedModel, position_limit
from runner.model.tokens import TokenFile

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
    block = saved.about.get("block", min(WINDOW, position_limit(saved) or WINDOW))
    masking = None
    if saved.masked:
        rate = saved.about.get("training", {}).get("mask_rate", RATE)
        masking = Masking.of(saved.tokenizer, saved.folder.name, rate)
    return text_loss(saved.model, tokens, saved.about.get("rows", "sentence"), block, masking)
