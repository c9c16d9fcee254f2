"""What a training is made from, as one value: its checks, its identity, and what a saved model says of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.model.presets import ModelSpec
from runner.model.rows import RowTable
from runner.model.saved import SavedModel, save_model
from runner.model.tokens import TokenFile
from runner.train.spec import Seeds, TrainSpec

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


@dataclass(frozen=True)
class Task:
    """A recipe, two texts, a model, seeds, and the folder that the training happens in."""

    spec: TrainSpec
    tokens: TokenFile
    valid: TokenFile
    model: ModelSpec
    out: Path
    tokenizer: PreTrainedTokenizerBase
    seeds: Seeds

    def check(self) -> None:
        """InputError: a text without sentences (FICT804), or of another tokenizer (FICT806)."""
        for what, text in (("the training text", self.tokens), ("the validation text", self.valid)):
            if not text.sentences:
                raise InputError(diagnostic("FICT804", what=what))
            if text.vocabulary != len(self.tokenizer):
                raise InputError(diagnostic("FICT806", what=what, found=text.vocabulary, expected=len(self.tokenizer)))

    @property
    def block(self) -> int:
        """The most tokens of a row: no more than the model has positions."""
        return min(self.spec.block, self.model.positions) if self.model.positions else self.spec.block

    def table(self) -> RowTable:
        """The rows of the training text."""
        return RowTable.of(self.tokens, self.spec.rows, self.block)

    @property
    def identity(self) -> Mapping[str, str]:
        """What a checkpoint must agree with, by what people call it."""
        return {
            "the model": json.dumps(asdict(self.model)),
            "the training recipe": json.dumps(self.spec.content),
            "the seed": json.dumps(asdict(self.seeds)),
            "the training text": self.tokens.sha256(),
            "the validation text": self.valid.sha256(),
        }

    def save(self, model: PreTrainedModel, folder: Path, step: int, tokens: int) -> None:
        """Write a model as it was after a step into `folder`, with its tokenizer and what it was trained on."""
        about: dict[str, Any] = {
            "model": asdict(self.model),
            "training": asdict(self.spec),
            "seeds": asdict(self.seeds),
            "rows": self.spec.rows,
            "block": self.block,
            "context": self.tokens.separator,
            "step": step,
            "tokens": tokens,
        }
        save_model(SavedModel(model, self.tokenizer, folder, about, self.tokens.counts()))
