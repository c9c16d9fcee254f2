"""Genres with their sub-genres, and the mixture of plain constructions of each register."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from runner.generate.targets import Production
from runner.readers import parse_toml
from runner.sample.grammar import polarity, quantified, sentences
from runner.sample.words.rng import Weighted

_FILE = Path(__file__).with_name("genres.toml")


@dataclass(frozen=True, slots=True)
class Genre:
    """A genre, its sub-genres, and the register that determines its mixture."""

    name: str
    subgenres: tuple[str, ...]
    register: str


@cache
def genres() -> tuple[Genre, ...]:
    """Return all genres, in the order of the file."""
    registers: dict[str, dict[str, list[str]]] = parse_toml(_FILE.read_text(encoding="utf-8"))
    return tuple(
        Genre(name, tuple(subgenres), register)
        for register, subgenres_by_genre in registers.items()
        for name, subgenres in subgenres_by_genre.items()
    )


# No mixture generates the construction of a target: reflexives, polarity items, existential *there*, wh-questions.
_COMMON = ((sentences.plain, 30), (sentences.subject_with_pp, 8), (sentences.demonstrative, 8), (quantified.counted, 4))
REGISTERS: dict[str, Weighted[Production]] = {
    "spoken": Weighted(*_COMMON, (sentences.coordination, 10), (polarity.question, 10), (polarity.stance, 6)),
    "narrative": Weighted(
        *_COMMON, (sentences.fronted, 10), (sentences.because, 8), (sentences.subject_with_relative, 8)
    ),
    "factual": Weighted(
        *_COMMON, (sentences.passive, 10), (sentences.subject_with_participle, 8), (sentences.fronted, 5)
    ),
    "formal": Weighted(*_COMMON, (sentences.passive, 16), (sentences.subject_with_relative, 8), (sentences.because, 5)),
    "persuasive": Weighted(*_COMMON, (polarity.stance, 10), (sentences.because, 8), (sentences.coordination, 8)),
}
