"""Encode lines of text as a token file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from runner.model.tokenizer import separator_id
from runner.model.tokens import TokenFile, write_tokens

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

BATCH = 4096  # lines per call of the tokenizer


def encode_text(
    lines: Iterable[str],
    tokenizer: PreTrainedTokenizerBase,
    out: Path,
    documents: NDArray[np.int64] | None = None,
) -> TokenFile:
    """Encode lines, one sentence each, into the folder `out`; an empty line is a sentence without tokens.

    No special tokens are written: rows add them (see `runner.model.rows`). `documents` are the numbers of the first
    lines of documents.
    """
    return write_tokens(
        _encoded(lines, tokenizer),
        out,
        vocabulary=len(tokenizer),
        separator=separator_id(tokenizer),
        unknown=tokenizer.unk_token_id,
        documents=documents,
    )


def _encoded(lines: Iterable[str], tokenizer: PreTrainedTokenizerBase) -> Iterator[list[int]]:
    remaining = iter(lines)
    while batch := list(islice(remaining, BATCH)):
        yield from tokenizer(batch, add_special_tokens=False, return_attention_mask=False)["input_ids"]
