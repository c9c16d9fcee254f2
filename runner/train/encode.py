"""Encode lines of text as a token file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from runner.model.tokenizer import separator_id
from runner.model.tokens import TokenFile, write_tokens

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

Change: TypeAlias = Callable[[int, list[int]], "list[int] | None"]
BATCH = 4096  # lines per call of the tokenizer


def encode_text(
    lines: Iterable[str],
    tokenizer: PreTrainedTokenizerBase,
    out: Path,
    documents: NDArray[np.int64] | None = None,
    change: Change | None = None,
) -> TokenFile:
    """Encode lines, one sentence each, into the folder `out`; an empty line is a sentence without tokens.

    No special tokens are written: rows add them (see `runner.model.rows`). `documents` are the numbers of the first
    lines of documents. `change` returns the new tokens of a line, given its number, or None to leave it out.
    """
    rows = _Rows(_encoded(lines, tokenizer), change)
    return write_tokens(
        rows,
        out,
        vocabulary=len(tokenizer),
        separator=separator_id(tokenizer),
        unknown=tokenizer.unk_token_id,
        documents=None if documents is None else lambda: rows.starts(documents),
    )


class _Rows:
    """Rows after `change`, and the numbers of those that it left out so far."""

    def __init__(self, rows: Iterable[list[int]], change: Change | None) -> None:
        self._rows, self._change = rows, change
        self._left_out: list[int] = []
        self._kept = 0

    def __iter__(self) -> Iterator[list[int]]:
        for number, row in enumerate(self._rows):
            changed = row if self._change is None else self._change(number, row)
            if changed is None:
                self._left_out.append(number)
            else:
                self._kept += 1
                yield changed

    def starts(self, documents: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the first rows of documents; a document without a row is none."""
        if not self._left_out:
            return documents
        starts = np.unique(documents - np.searchsorted(self._left_out, documents))
        return starts[starts < self._kept]


def _encoded(lines: Iterable[str], tokenizer: PreTrainedTokenizerBase) -> Iterator[list[int]]:
    remaining = iter(lines)
    while batch := list(islice(remaining, BATCH)):
        yield from tokenizer(batch, add_special_tokens=False, return_attention_mask=False)["input_ids"]
