"""What a training is made from, as one value: its checks, its identity, and what a saved model says of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.model.continued import continued
from runner.model.likelihood import text_loss
from runner.model.masking import Masking
from runner.model.presets import ModelSpec, build
from runner.model.rows import RowTable
from runner.model.saved import SavedModel, save_model
from runner.model.tokenizer import between_separators
from runner.model.tokens import TokenFile
from runner.train.spec import Seeds, TrainSpec
from runner.workspace import check_unchanged

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
    origin: Path | None = None  # the folder of the model that is continued

    def check(self) -> None:
        """InputError: a text without sentences (FICT804), or of another tokenizer (FICT806)."""
        for what, text in (("training text", self.tokens), ("validation text", self.valid)):
            if not text.sentences:
                raise InputError(diagnostic("FICT804", what=f"the {what}"))
            if text.vocabulary != len(self.tokenizer):
                raise InputError(diagnostic("FICT806", what=what, found=text.vocabulary, expected=len(self.tokenizer)))

    @property
    def block(self) -> int:
        """The most tokens of a row: no more than the model has positions, one of them for what stands before it."""
        positions = self.model.positions - int(self.model.masked)
        return min(self.spec.block, positions) if self.model.positions else self.spec.block

    def build(self) -> PreTrainedModel:
        """The model before the first step. InputError (FICT700): one to continue that is not what was planned with."""
        if self.origin is not None:
            model = continued(self.origin, self.tokenizer, self.seeds.init)
            check_unchanged(self.origin, self.model.saved)
            return model
        return build(self.model, len(self.tokenizer), self.seeds.init, self.tokens.separator)

    def masking(self) -> Masking | None:
        """How rows are masked, where the model fills masks."""
        return Masking.of(self.tokenizer, self.model.name, self.spec.mask_rate) if self.model.masked else None

    def measured(self, model: PreTrainedModel) -> tuple[float, int]:
        """Summed negative log-likelihood of the validation text, in nats, and of how many tokens."""
        return text_loss(model, self.valid, self.spec.rows, self.block, self.masking())

    def table(self) -> RowTable:
        """The rows of the training text."""
        return RowTable.of(self.tokens, self.spec.rows, self.block)

    @property
    def identity(self) -> Mapping[str, str]:
        """What a checkpoint must agree with, by what people call it."""
        return {
            "the model": json.dumps(self.model.content),
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
        tokenizer = between_separators(self.tokenizer) if self.model.masked else self.tokenizer
        save_model(SavedModel(model, tokenizer, folder, about, self.tokens.counts()))
