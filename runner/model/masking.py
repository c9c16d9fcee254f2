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
MASKED, RANDOM = 0.8, 0.1  # shares of the predicted tokens; the others do not change
IGNORED = -100  # the target of tokens that are not predicted
EVALUATION_SEED = 0xF1C7  # of masks in evaluation, the same for every model


@dataclass(frozen=True)
class MaskedBatch:
    """Masked rows, padded on the right: `ids` (B, T), `targets` (B, T) and `lengths` (B,).

    Targets are IGNORED at tokens that are not predicted.
    """

    ids: Ints
    targets: Ints
    lengths: Ints  # tokens of each row after the first one

    @property
    def predicted(self) -> int:
        """The number of predicted tokens."""
        return int(np.count_nonzero(self.targets != IGNORED))

    def select(self, rows: Ints) -> MaskedBatch:
        """Return some of the rows, padded to the longest of them."""
        width = int(self.lengths[rows].max()) + 1
        return MaskedBatch(self.ids[rows, :width], self.targets[rows, :width], self.lengths[rows])


@dataclass(frozen=True)
class Masking:
    """How to mask rows: the opening and the mask token, special tokens that are not masked, and the mask rate."""

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

        In a row with n maskable tokens, max(1, round(rate · n)) are predicted, at the rates of Devlin et al. 2019: 80 %
        are replaced by the mask, 10 % by a random token, and 10 % do not change. A row without maskable tokens
        predicts a special token.
        """
        generator = np.random.Generator(np.random.PCG64(list(seed)))
        ids = batch.ids.copy()
        ids[:, 0] = self.opening
        positions = np.arange(ids.shape[1])
        inside = (positions > 0) & (positions <= batch.lengths[:, None])
        maskable = inside & ~np.isin(ids, self.special)
        maskable |= inside & ~maskable.any(1, keepdims=True)
        count = np.maximum(1, np.rint(self.rate * maskable.sum(1))).astype(np.int64)
        sort_keys = np.where(maskable, generator.random(ids.shape), 2.0)
        selected = np.argsort(np.argsort(sort_keys, 1, kind="stable"), 1) < count[:, None]
        targets = np.where(selected, ids, IGNORED)
        draws, replacements = generator.random(ids.shape), generator.integers(len(self.ordinary_ids), size=ids.shape)
        ids[selected & (draws < MASKED)] = self.mask
        replaced = selected & (draws >= MASKED) & (draws < MASKED + RANDOM)
        ids[replaced] = self.ordinary_ids[replacements[replaced]]
        return MaskedBatch(ids, targets, batch.lengths)

    @cached_property
    def ordinary_ids(self) -> Ints:
        """The ids of all tokens that are not special."""
        return np.setdiff1d(np.arange(self.vocab_size), np.array(self.special, dtype=np.int64))
