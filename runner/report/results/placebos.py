"""Placebos of a run: random removals with many draws, and the scores of each draw."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

PLACEBOS = "placebos.json"


class DrawScores(BaseModel):
    """The accuracies of a model by `suite/paradigm` (0–1, None if no pair is applicable), and its losses by text."""

    model_config = ConfigDict(frozen=True)

    accuracies: dict[str, float | None]
    losses: dict[str, float]


class Draw(BaseModel):
    """A draw: its number, the training seed of its models, the size of its corpus, and scores by model."""

    model_config = ConfigDict(frozen=True)

    draw: int
    seed: int
    sentences: int
    words: int
    removed_sentences: int
    removed_words: int
    models: dict[str, DrawScores]


class Placebo(BaseModel):
    """A random removal that is drawn many times, as a control of `control_of`. Models are trained on each draw."""

    model_config = ConfigDict(frozen=True)

    name: str
    control_of: str
    what: str = ""
    draws: tuple[Draw, ...]
