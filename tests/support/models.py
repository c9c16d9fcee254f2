"""Small models, tokenizers and texts for tests of training and scoring; made in milliseconds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from runner.model.presets import ModelSpec, build
from runner.model.saved import SavedModel
from runner.model.tokenizer import train_word_tokenizer
from runner.model.tokens import TokenFile
from runner.train.encode import encode_text

LSTM = ModelSpec("tiny-lstm", "lstm", layers=2, hidden=16)
GPT2 = ModelSpec("tiny-gpt2", "gpt2", layers=2, hidden=16, heads=2, feedforward=32, positions=32)
OPT = ModelSpec("tiny-opt", "opt", layers=2, hidden=16, heads=2, feedforward=16, positions=32)
NEOX = ModelSpec("tiny-neox", "gpt-neox", layers=2, hidden=16, heads=2, feedforward=32, positions=32)

SUBJECTS = ("the cat", "the cats", "a small dog", "the dogs near the house", "every child that the dog saw")
VERBS = ("sees", "see", "barks at", "likes", "runs with")
LINES = [f"{s} {v} {o} ." for s in SUBJECTS for v in VERBS for o in SUBJECTS]


def tokenizer(size: int = 100, **options: Any) -> Any:
    """A word tokenizer of LINES."""
    return train_word_tokenizer(LINES, size=size, **options)


def tokens(folder: Path, lines: list[str] | None = None, size: int = 100) -> TokenFile:
    """A token file of `lines`."""
    return encode_text(LINES if lines is None else lines, tokenizer(size), folder)


def saved(spec: ModelSpec = LSTM, seed: int = 1, **about: Any) -> SavedModel:
    """A model with random weights, larger than initial ones so that its probabilities differ clearly."""
    import torch

    words = tokenizer()
    model = build(spec, len(words), seed)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(3)
    return SavedModel(model.eval(), words, Path("tiny"), about)
