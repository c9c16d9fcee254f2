"""What to generate: the paradigm, the number of words, and the number of words per target sentence."""

from __future__ import annotations

from dataclasses import dataclass

WORDS_PER_TARGET = 330  # about 3,000 target sentences in a million words, as in the targeted-injection paper
MAX_WORDS = 100_000_000
MAX_WORDS_PER_TARGET = 100_000  # a document is in memory
MIN_WORDS_PER_TARGET = 40  # the target sentences of every paradigm fit into the documents


@dataclass(frozen=True, slots=True)
class Recipe:
    """What to generate: the paradigm (None for a control), the number of words, and the words per target sentence."""

    paradigm: str | None
    words: int
    words_per_target: int = WORDS_PER_TARGET
    seed: int = 0
