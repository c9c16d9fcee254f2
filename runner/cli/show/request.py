"""What `fictc show` is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

SENTENCES, NEAR, ROWS = 10, 3, 30  # how many are shown where nothing else is asked for
FORMATS = ("kwic", "tree", "svg", "html", "conllu", "tsv", "jsonl")


@dataclass(frozen=True)
class Wanted:
    """What is asked for, from the command line."""

    number: int | None
    sample: int | None
    seed: int | None
    kind: str
    output: Path | None
    negated: bool
    near: bool
    by: str | None
