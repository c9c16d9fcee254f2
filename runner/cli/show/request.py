"""The options of `fictc show`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

DEFAULT_SENTENCES, DEFAULT_NEAR_MISSES, DEFAULT_CONDITION_SENTENCES, DEFAULT_ROWS = 10, 3, 5, 30
MACHINE_FORMATS = ("svg", "html", "conllu", "tsv", "jsonl", "list")
FORMATS = ("kwic", "tree", *MACHINE_FORMATS)


@dataclass(frozen=True)
class ShowRequest:
    """The options of a `fictc show` command."""

    limit: int | None
    sample: int | None
    seed: int | None
    output_format: str
    output: Path | None
    negated: bool
    near: bool
    by: str | None
    rewritten: bool = False
    command: str = ""  # as typed, for the comment of a word list
