"""A made-up table of results in long form, with cells, seeds and units that vary."""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

HEADER = ("corpus", "arch", "seed", "benchmark", "metric", "value")
CORPORA = ("full", "agr-pp-mod", "passive", "npi-only")
TARGETS = {
    "agr-pp-mod": ["blimp/distractor_agreement_relational_noun"],
    "passive": ["blimp/passive_1", "blimp/passive_2"],
    "npi-only": ["blimp/only_npi_scope"],
}
PARADIGMS = (
    "distractor_agreement_relational_noun",
    "passive_1",
    "passive_2",
    "only_npi_scope",
    "anaphor_number_agreement",
)


def rows(
    corpora: Sequence[str] = CORPORA,
    paradigms: Sequence[str] = PARADIGMS,
    seeds: Sequence[int] = (1, 2, 3),
    targets: Mapping[str, Sequence[str]] = TARGETS,
) -> list[tuple[object, ...]]:
    """Return rows in which targeted cells fall by six points, and more tokens lower the perplexity."""
    rng = np.random.default_rng(7)
    ease = {(paradigm, model): rng.uniform(0.5, 0.9) for paradigm in paradigms for model in ("lstm", "transformer")}
    table: list[tuple[object, ...]] = []
    for i, corpus in enumerate(corpora):
        table.append((corpus, "", "", "train", "tokens", 80_000_000 - 1_000_000 * i))
        for model in ("lstm", "transformer"):
            for seed in seeds:
                perplexity = (53.0 if model == "lstm" else 47.0) + i + float(rng.normal(0, 0.1))
                table.append((corpus, model, seed, "test", "ppl", perplexity))
                table.append((corpus, model, seed, "test", "loss", math.log(perplexity)))
                for paradigm in paradigms:
                    fall = 0.06 if f"blimp/{paradigm}" in targets.get(corpus, ()) else 0.0
                    value = ease[paradigm, model] - fall + float(rng.normal(0, 0.02))
                    table.append((corpus, model, seed, f"blimp/{paradigm}", "accuracy", min(1.0, max(0.0, value))))
    return table


def write(path: Path, table: Sequence[Sequence[object]], header: Sequence[str] = HEADER, delimiter: str = ",") -> Path:
    """Write rows as a CSV file."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(table)
    return path
