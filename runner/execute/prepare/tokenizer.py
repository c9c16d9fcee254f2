"""What a manifest says of its tokenizer into one, trained on the base corpus or loaded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from runner.model.saved import load_tokenizer
from runner.model.subwords import add_tokens, train_bpe_tokenizer
from runner.model.tokenizer import train_word_tokenizer
from runner.steps.interventions import fills_masks
from runner.steps.resolve import Resolved

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase


def make_tokenizer(
    resolved: Resolved, lines: Callable[[], Iterable[str]], whole: Sequence[str]
) -> PreTrainedTokenizerBase:
    """The tokenizer of all conditions, in which the strings of `whole` are tokens; `lines` reads the base corpus."""
    if resolved.tokenizer is not None:
        return add_tokens(load_tokenizer(resolved.tokenizer.path), whole)
    wanted = resolved.manifest.tokenizer
    train = train_bpe_tokenizer if wanted.kind == "bpe" else partial(train_word_tokenizer, split=wanted.split)
    return train(lines(), size=wanted.size, lowercase=wanted.lowercase, added=whole, mask=fills_masks(resolved))
