"""Placebos of a run: random removals that were drawn many times, with the scores of each draw."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

PLACEBOS = "placebos.json"


class Scores(BaseModel):
    """The accuracies of a model by `suite/paradigm` (0–1, None without applicable pairs), and losses by text."""

    model_config = ConfigDict(frozen=True)

    accuracies: dict[str, float | None]
    losses: dict[str, float]


class Draw(BaseModel):
    """A draw: its number, the seed that its models were trained with, the size of its corpus, and scores by model."""

    model_config = ConfigDict(frozen=True)

    draw: int
    seed: int
    sentences: int
    words: int
    removed_sentences: int
    removed_words: int
    models: dict[str, Scores]


class Placebo(BaseModel):
    """A random removal that was drawn anew for each of many models, as a control of the condition `control_of`."""

    model_config = ConfigDict(frozen=True)

    name: str
    control_of: str
    what: str = ""
    draws: tuple[Draw, ...]
