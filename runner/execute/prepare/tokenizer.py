"""Train or load the tokenizer of a manifest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from runner.model.saved import load_tokenizer
from runner.model.tokenizer import add_tokens, train_bpe_tokenizer, train_word_tokenizer
from runner.steps.interventions import needs_mask_token
from runner.steps.resolve import Resolved

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase


def make_tokenizer(
    resolved: Resolved, lines: Callable[[], Iterable[str]], added: Sequence[str]
) -> PreTrainedTokenizerBase:
    """Return the tokenizer of all conditions, with the additional tokens `added`. `lines` reads the base corpus."""
    if resolved.tokenizer is not None:
        return add_tokens(load_tokenizer(resolved.tokenizer.path), added)
    settings = resolved.manifest.tokenizer
    train = train_bpe_tokenizer if settings.kind == "bpe" else partial(train_word_tokenizer, split=settings.split)
    return train(
        lines(), size=settings.size, lowercase=settings.lowercase, added=added, mask=needs_mask_token(resolved)
    )
