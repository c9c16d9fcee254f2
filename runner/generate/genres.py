"""Genres with their sub-genres, and how a text of each is mixed from plain constructions, none of a target's."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from runner.generate.targets import Production
from runner.readers import parse_toml
from runner.sample.grammar import polarity, quantified, sentences
from runner.sample.words.rng import Table

_FILE = Path(__file__).with_name("genres.toml")


@dataclass(frozen=True, slots=True)
class Genre:
    """A genre, its sub-genres, and the register that says how it is mixed."""

    name: str
    subgenres: tuple[str, ...]
    register: str


@cache
def genres() -> tuple[Genre, ...]:
    """All genres, in the order of the file."""
    read: dict[str, dict[str, list[str]]] = parse_toml(_FILE.read_text(encoding="utf-8"))
    return tuple(Genre(name, tuple(some), register) for register, own in read.items() for name, some in own.items())


# Reflexives, polarity items, existential *there* and wh-questions are in none of them.
_EVERY = ((sentences.plain, 30), (sentences.subject_with_pp, 8), (sentences.demonstrative, 8), (quantified.counted, 4))
REGISTERS: dict[str, Table[Production]] = {
    "spoken": Table(*_EVERY, (sentences.coordination, 10), (polarity.question, 10), (polarity.stance, 6)),
    "narrative": Table(*_EVERY, (sentences.fronted, 10), (sentences.because, 8), (sentences.subject_with_relative, 8)),
    "factual": Table(*_EVERY, (sentences.passive, 10), (sentences.subject_with_participle, 8), (sentences.fronted, 5)),
    "formal": Table(*_EVERY, (sentences.passive, 16), (sentences.subject_with_relative, 8), (sentences.because, 5)),
    "persuasive": Table(*_EVERY, (polarity.stance, 10), (sentences.because, 8), (sentences.coordination, 8)),
}
