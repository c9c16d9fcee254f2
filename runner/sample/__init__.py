"""The embedded sample: a generated English treebank with minimal pairs. What it has is known without generating it."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

# each has at least one word in twenty sentences, so that a sample of this many sentences has all of them
COMMON_FEATURES = frozenset(
    {
        *("Case", "Definite", "Degree", "Gender", "Mood", "Number", "NumForm", "NumType", "Person", "Polarity"),
        *("Poss", "PronType", "Reflex", "Tense", "VerbForm", "Voice"),
    }
)
MIN_SENTENCES = 1_000


def paradigm_rows() -> Iterator[dict[str, str]]:
    with Path(__file__).with_name("paradigms.tsv").open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t")
