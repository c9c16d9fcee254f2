"""Encode lines of text as a token file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from runner.model.saved import tokenized
from runner.model.token_rows import TokenFile, write_tokens
from runner.model.tokenizer import id_count, separator_id

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

ChangeLine: TypeAlias = Callable[[int, list[int]], "list[int] | None"]
BATCH = 4096  # lines per call of the tokenizer


def encode_text(
    lines: Iterable[str],
    tokenizer: PreTrainedTokenizerBase,
    out: Path,
    document_starts: NDArray[np.int64] | None = None,
    change: ChangeLine | None = None,
) -> TokenFile:
    """Encode lines of one sentence each into the folder `out`. An empty line is a sentence without tokens.

    The files contain no special tokens; `runner.model.token_rows` adds them. `document_starts` has the index of the
    line of each document. `change` is called with the index and the tokens of a line, and returns its new tokens, or
    None to omit it.
    """
    rows = _ChangedRows(_encode_lines(lines, tokenizer), change)
    return write_tokens(
        rows,
        out,
        vocabulary=id_count(tokenizer),
        separator=separator_id(tokenizer),
        unknown=tokenizer.unk_token_id,
        documents=None if document_starts is None else lambda: rows.document_starts(document_starts),
    )


def omitted_lines(lines: Iterable[str], tokenizer: PreTrainedTokenizerBase, change: ChangeLine) -> NDArray[np.int64]:
    rows = enumerate(_encode_lines(lines, tokenizer))
    return np.array([index for index, row in rows if change(index, row) is None], dtype=np.int64)


class _ChangedRows:
    def __init__(self, rows: Iterable[list[int]], change: ChangeLine | None) -> None:
        self._rows, self._change = rows, change
        self._omitted: list[int] = []
        self._kept_count = 0

    def __iter__(self) -> Iterator[list[int]]:
        for index, row in enumerate(self._rows):
            changed = row if self._change is None else self._change(index, row)
            if changed is None:
                self._omitted.append(index)
            else:
                self._kept_count += 1
                yield changed

    def document_starts(self, starts_before: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the new index of the first row of each document that has a row left."""
        if not self._omitted:
            return starts_before
        starts = np.unique(starts_before - np.searchsorted(self._omitted, starts_before))
        return starts[starts < self._kept_count]


def _encode_lines(lines: Iterable[str], tokenizer: PreTrainedTokenizerBase) -> Iterator[list[int]]:
    remaining = iter(lines)
    while batch := list(islice(remaining, BATCH)):
        yield from tokenized(tokenizer, batch, add_special_tokens=False, return_attention_mask=False)["input_ids"]
