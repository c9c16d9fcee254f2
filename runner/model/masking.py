"""Rows of a text into what a masked model reads and what it has to fill in: 15 % of the tokens, 80/10/10."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.model.rows import Batch, Ints
from runner.model.tokenizer import opening_id

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

RATE = 0.15
MASKED, RANDOM = 0.8, 0.1  # of the chosen tokens; the others stay as they are
NOTHING = -100  # a place where nothing is predicted
MEASURED = 0xF1C7  # the seed of the masks with which texts are measured: the same for every model


@dataclass(frozen=True)
class MaskedBatch:
    """Rows side by side: `ids` (B, T) as read, `targets` (B, T), NOTHING where nothing is predicted, lengths (B,)."""

    ids: Ints
    targets: Ints
    lengths: Ints  # tokens read, the first one of each row not counted

    @property
    def predicted(self) -> int:
        """Number of predicted tokens."""
        return int(np.count_nonzero(self.targets != NOTHING))

    def of(self, rows: Ints) -> MaskedBatch:
        """Some of the rows, padded to the longest of them."""
        width = int(self.lengths[rows].max()) + 1
        return MaskedBatch(self.ids[rows, :width], self.targets[rows, :width], self.lengths[rows])


@dataclass(frozen=True)
class Masking:
    """How rows are masked: the tokens before a row and in the place of a word, those never masked, and how many."""

    begin: int
    mask: int
    never: tuple[int, ...]
    vocabulary: int
    rate: float = RATE

    @classmethod
    def of(cls, tokenizer: PreTrainedTokenizerBase, model: str, rate: float = RATE) -> Masking:
        """As a tokenizer has it. InputError (FICT815) if it has no mask; `model` is a name for messages."""
        if tokenizer.mask_token_id is None:
            raise InputError(diagnostic("FICT815", model=model, token="mask", setting="a masked model"))
        never = {token for token in tokenizer.all_special_ids if token != tokenizer.unk_token_id}
        begin = opening_id(tokenizer)
        assert begin is not None  # rows have a separator
        return cls(begin, int(tokenizer.mask_token_id), tuple(sorted(never)), len(tokenizer), rate)

    def masked(self, batch: Batch, *seed: int) -> MaskedBatch:
        """Choose tokens of every row and mask them; the same rows and seed give the same.

        Of a row with n tokens that may be masked, max(1, round(rate · n)) are predicted, as in the code of Devlin et
        al. 2019: 80 % of them become the mask, 10 % another word, 10 % stay. A row without any predicts one special.
        """
        random = np.random.Generator(np.random.PCG64(list(seed)))
        ids = batch.ids.copy()
        ids[:, 0] = self.begin
        places = np.arange(ids.shape[1])
        inside = (places > 0) & (places <= batch.lengths[:, None])
        able = inside & ~np.isin(ids, self.never)
        able |= inside & ~able.any(1, keepdims=True)
        count = np.maximum(1, np.rint(self.rate * able.sum(1))).astype(np.int64)
        drawn = np.where(able, random.random(ids.shape), 2.0)
        chosen = np.argsort(np.argsort(drawn, 1, kind="stable"), 1) < count[:, None]
        targets = np.where(chosen, ids, NOTHING)
        fate, words = random.random(ids.shape), random.integers(len(self.words), size=ids.shape)
        ids[chosen & (fate < MASKED)] = self.mask
        other = chosen & (fate >= MASKED) & (fate < MASKED + RANDOM)
        ids[other] = self.words[words[other]]
        return MaskedBatch(ids, targets, batch.lengths)

    @cached_property
    def words(self) -> Ints:
        """The ids of all tokens that are words."""
        return np.setdiff1d(np.arange(self.vocabulary), np.array(self.never, dtype=np.int64))
