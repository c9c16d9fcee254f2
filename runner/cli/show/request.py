"""The options of `fictc show`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

SENTENCES, NEAR, ROWS = 10, 3, 30  # default numbers of sentences, near misses and rows
FORMATS = ("kwic", "tree", "svg", "html", "conllu", "tsv", "jsonl")


@dataclass(frozen=True)
class ShowRequest:
    """The options of the command line."""

    number: int | None
    sample: int | None
    seed: int | None
    kind: str
    output: Path | None
    negated: bool
    near: bool
    by: str | None
    rewritten: bool = False
