"""The inputs of a training run: checks, identity, metadata of saved models, and the batch of each step."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from runner.errors import InputError
from runner.model.architectures import build, check_language_model
from runner.model.likelihood import text_loss
from runner.model.recipe import ModelSpec
from runner.model.saved import SavedModel, load_for_training, save_model
from runner.model.token_rows import Batch, Ints, MaskedBatch, Masking, RowTable, TokenFile
from runner.model.tokenizer import id_count, with_special_tokens
from runner.model.training import TrainSpec
from runner.train.spec import Seeds, total_steps
from runner.workspace import check_unchanged

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


VALIDATION_TEXT = "the validation text"  # its name in `TrainingTask.identity`


@dataclass(frozen=True)
class TrainingTask:
    spec: TrainSpec
    train_tokens: TokenFile
    valid_tokens: TokenFile
    model_spec: ModelSpec
    out: Path
    tokenizer: PreTrainedTokenizerBase
    seeds: Seeds
    origin: Path | None = None  # the folder of a saved model that is trained further
    state: Path | None = None  # the folder of the state of another run from which this one branches

    def check(self) -> None:
        """Raise InputError if a text has no tokens to predict (FICT804) or is of another tokenizer (FICT806)."""
        for name, text in (("training text", self.train_tokens), ("validation text", self.valid_tokens)):
            if not text.sentences:
                raise InputError.of("FICT804", what=f"the {name}")
            if self.spec.frame == "none" and not len(RowTable.of(text, self.spec.rows, self.block, self.spec.frame)):
                hint = 'with frame = "none", a sentence of one token has no token to predict'
                raise InputError.of("FICT804", what=f"the {name}", hint=hint)
            if text.vocabulary != (expected := id_count(self.tokenizer)):
                raise InputError.of("FICT806", what=name, found=text.vocabulary, expected=expected)

    @property
    def block(self) -> int:
        """The maximum number of predicted tokens per row, by the positions of the model."""
        positions = self.model_spec.positions - int(self.model_spec.masked)
        return min(self.spec.block, positions) if self.model_spec.positions else self.spec.block

    def build(self) -> PreTrainedModel:
        """Return the model before the first step. Raises InputError (FICT700) if a saved model has changed."""
        if self.origin is not None:
            model = load_for_training(self.origin, self.tokenizer, self.seeds.init)
            check_unchanged(self.origin, self.model_spec.saved)
            check_language_model(model, model.config.model_type)
            return model
        model = build(self.model_spec, id_count(self.tokenizer), self.seeds.init, self.train_tokens.separator)
        if self.model_spec.config is not None:
            check_language_model(model, self.model_spec.name)
        return model

    def masking(self) -> Masking | None:
        return Masking.of(self.tokenizer, self.model_spec.name, self.spec.mask_rate) if self.model_spec.masked else None

    def validation_loss(self, model: PreTrainedModel) -> tuple[float, int]:
        """Return the summed negative log-likelihood of the validation text, in nats, and its number of tokens."""
        return text_loss(model, self.valid_tokens, self.spec.rows, self.block, self.masking(), self.spec.frame)

    @property
    def identity(self) -> Mapping[str, str]:
        return {
            "the model": json.dumps(self.model_spec.content),
            "the training recipe": json.dumps(self.spec.content),
            "the seed": json.dumps(asdict(self.seeds)),
            "the training text": self.train_tokens.sha256(),
            VALIDATION_TEXT: self.valid_tokens.sha256(),
        }

    def save(self, model: PreTrainedModel, folder: Path, step: int, tokens: int) -> None:
        tokenizer = with_special_tokens(self.tokenizer) if self.model_spec.masked else self.tokenizer
        counts = self.train_tokens.counts(closed=self.spec.frame == "eos")
        save_model(SavedModel(model, tokenizer, folder, self._metadata(step, tokens), counts))

    def _metadata(self, step: int, tokens: int) -> dict[str, Any]:
        return {
            "model": asdict(self.model_spec),
            "training": self.spec.model_dump(),
            "seeds": asdict(self.seeds),
            "rows": self.spec.rows,
            "block": self.block,
            "frame": self.spec.frame,
            "context": self.train_tokens.separator if self.spec.frame == "eos" else None,
            "step": step,
            "tokens": tokens,
        }


class Batches:
    """The rows of a task's training text, divided over the steps of its epochs. Steps count from 0."""

    def __init__(self, task: TrainingTask) -> None:
        self.table = RowTable.of(task.train_tokens, task.spec.rows, task.block, task.spec.frame)
        self.masking = task.masking()
        self._spec, self._seeds = task.spec, task.seeds
        self._cached_epoch: tuple[int, list[Ints]] | None = None  # the last epoch that was read, and its rows by step

    @property
    def per_epoch(self) -> int:
        return math.ceil(len(self.table) / self._spec.batch)

    @cached_property
    def total(self) -> int:
        return total_steps(self._spec, len(self.table), self.table.predicted_tokens, self.step_tokens)

    def rows(self, step: int) -> Ints:
        epoch, step_in_epoch = divmod(step, self.per_epoch)
        if self._cached_epoch is None or self._cached_epoch[0] != epoch:
            self._cached_epoch = epoch, self._rows_of_epoch(epoch)
        return self._cached_epoch[1][step_in_epoch]

    def batch(self, step: int) -> Batch | MaskedBatch:
        batch = self.table.batch(self.rows(step))
        return batch if self.masking is None else self.masking.apply(batch, self._seeds.masks(step))

    def tokens(self, step: int) -> int:
        return int(self.table.lengths[self.rows(step)].sum())

    def step_tokens(self, epoch: int) -> Ints:
        return np.array([self.table.lengths[rows].sum() for rows in self._rows_of_epoch(epoch)])

    def tokens_before(self, step: int) -> int:
        epochs, steps = divmod(step, self.per_epoch)
        return epochs * self.table.predicted_tokens + int(self.step_tokens(epochs)[:steps].sum())

    def _rows_of_epoch(self, epoch: int) -> list[Ints]:
        return self.table.epoch_batches(self._spec.batch, self._seeds.data, epoch, in_order=self._spec.in_order)
