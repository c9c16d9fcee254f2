"""Lines of text to a token file."""

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

BATCH = 4096  # lines encoded at once


def encode_text(
    lines: Iterable[str],
    tokenizer: PreTrainedTokenizerBase,
    out: Path,
    documents: NDArray[np.int64] | None = None,
) -> TokenFile:
    """Encode one sentence a line into the folder `out`; empty lines are sentences without tokens, and are kept.

    No special token is written: rows add them (see `runner.model.rows`). `documents` are the lines at which documents
    begin.
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
