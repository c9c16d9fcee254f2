"""Masking of rows for masked language models (Devlin et al. 2019)."""

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
MASK_SHARE, RANDOM_SHARE = 0.8, 0.1  # of the predicted tokens; the others do not change
IGNORED = -100  # the target of tokens that are not predicted
EVALUATION_SEED = 0xF1C7  # of the masks in evaluation, which are equal for models with the same tokenizer


@dataclass(frozen=True)
class MaskedBatch:
    """Masked rows, padded on the right: `ids` (B, T), `targets` (B, T) and `lengths` (B,).

    Targets are IGNORED at tokens that are not predicted.
    """

    ids: Ints
    targets: Ints
    lengths: Ints  # tokens of each row after the first one

    @property
    def predicted_tokens(self) -> int:
        """The number of predicted tokens."""
        return int(np.count_nonzero(self.targets != IGNORED))

    def select(self, rows: Ints) -> MaskedBatch:
        """Return some of the rows, padded to the longest of them."""
        width = int(self.lengths[rows].max()) + 1
        return MaskedBatch(self.ids[rows, :width], self.targets[rows, :width], self.lengths[rows])


@dataclass(frozen=True)
class Masking:
    """How to mask rows: the ids of the opening, mask and special tokens, the size of the vocabulary, and the rate."""

    opening: int
    mask: int
    special: tuple[int, ...]
    vocab_size: int
    rate: float = RATE

    @classmethod
    def of(cls, tokenizer: PreTrainedTokenizerBase, model: str, rate: float = RATE) -> Masking:
        """Return the masking for a tokenizer; `model` is a name for messages.

        Raises InputError (FICT815) if the tokenizer has no mask token.
        """
        if tokenizer.mask_token_id is None:
            raise InputError(diagnostic("FICT815", model=model, token="mask", setting="a masked model"))
        special = {token for token in tokenizer.all_special_ids if token != tokenizer.unk_token_id}
        opening = opening_id(tokenizer)
        assert opening is not None  # rows have a separator
        return cls(opening, int(tokenizer.mask_token_id), tuple(sorted(special)), len(tokenizer), rate)

    def apply(self, batch: Batch, *seed: int) -> MaskedBatch:
        """Select tokens of every row at random and mask them, reproducibly for equal rows and seeds.

        In a row with n maskable tokens, max(1, round(rate · n)) are predicted. As in Devlin et al. 2019, 80 % of them
        are replaced with the mask token and 10 % with a random token, and 10 % do not change. Special tokens are
        maskable only in rows without other tokens.
        """
        generator = np.random.Generator(np.random.PCG64(list(seed)))
        ids = batch.ids.copy()
        ids[:, 0] = self.opening
        positions = np.arange(ids.shape[1])
        is_token = (positions > 0) & (positions <= batch.lengths[:, None])
        is_maskable = is_token & ~np.isin(ids, self.special)
        is_maskable |= is_token & ~is_maskable.any(1, keepdims=True)
        predicted_counts = np.maximum(1, np.rint(self.rate * is_maskable.sum(1))).astype(np.int64)
        sort_keys = np.where(is_maskable, generator.random(ids.shape), 2.0)
        is_predicted = np.argsort(np.argsort(sort_keys, 1, kind="stable"), 1) < predicted_counts[:, None]
        targets = np.where(is_predicted, ids, IGNORED)
        draws, replacements = generator.random(ids.shape), generator.integers(len(self.ordinary_ids), size=ids.shape)
        ids[is_predicted & (draws < MASK_SHARE)] = self.mask
        is_random = is_predicted & (draws >= MASK_SHARE) & (draws < MASK_SHARE + RANDOM_SHARE)
        ids[is_random] = self.ordinary_ids[replacements[is_random]]
        return MaskedBatch(ids, targets, batch.lengths)

    @cached_property
    def ordinary_ids(self) -> Ints:
        """The ids of all tokens that are not special."""
        return np.setdiff1d(np.arange(self.vocab_size), np.array(self.special, dtype=np.int64))
