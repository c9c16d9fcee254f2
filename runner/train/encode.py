"""Lines of text to a token file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from runner.model.tokens import TokenFile, write_tokens

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

BATCH = 4096  # lines encoded at once


def encode_text(lines: Iterable[str], tokenizer: PreTrainedTokenizerBase, out: Path) -> TokenFile:
    """Encode one sentence a line into the folder `out`; empty lines are sentences without tokens, and are kept.

    The separator is the tokenizer's end-of-sentence token, or else the one for the beginning. No special token is
    written: rows add them (see `runner.train.rows`).
    """
    separator = tokenizer.eos_token_id if tokenizer.eos_token_id is not None else tokenizer.bos_token_id
    return write_tokens(
        _encoded(lines, tokenizer),
        out,
        vocabulary=len(tokenizer),
        separator=separator,
        unknown=tokenizer.unk_token_id,
    )


def _encoded(lines: Iterable[str], tokenizer: PreTrainedTokenizerBase) -> Iterator[list[int]]:
    remaining = iter(lines)
    while batch := list(islice(remaining, BATCH)):
        yield from tokenizer(batch, add_special_tokens=False, return_attention_mask=False)["input_ids"]
