"""A made-up table of the shape of FiCT's: 16 corpora × 2 architectures × 5 seeds, 67 paradigms, a column per metric."""

from __future__ import annotations

import csv
import tomllib
from pathlib import Path

import numpy as np

from runner.report.imported_results import blimp_groups

PACK = Path(__file__).parents[2] / "experiments" / "fict" / "pack" / "pack.toml"
HEADER = ("", "corpus", "arch", "seed", "test_loss", "test_ppl", "validation_ppl", "blimp_benchmark", "blimp_acc")
FULL_TOKENS = 66_442_068
# Table 1: tokens of each corpus, % of full
SHARES = (95.80, 98.99, 98.59, 99.93, 99.82, 99.98, 97.72, 99.82, 100.0, 99.54, 99.84, 99.99, 99.57, 99.78, 99.95)
MEAN = {"lstm": 53.56, "transformer": 47.13}


def corpora() -> dict[str, int]:
    """Return the tokens of each corpus, in the order of Table 1."""
    names = list(targets())
    return {"full": FULL_TOKENS} | {
        name: round(FULL_TOKENS * share / 100) for name, share in zip(names, SHARES, strict=True)
    }


def targets() -> dict[str, list[str]]:
    """Return the targets of the shipped pack."""
    return dict(tomllib.loads(PACK.read_text(encoding="utf-8"))["targets"])


def write_pack(folder: Path) -> Path:
    """Write the shipped pack with a made-up table into a folder, and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pack.toml").write_bytes(PACK.read_bytes())
    with (folder / "tidy_results.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow((*HEADER, "corpus_tokens"))
        writer.writerows((number, *line) for number, line in enumerate(_lines()))
    return folder


def _lines() -> list[tuple[object, ...]]:
    """Return a line per benchmark and model: fewer tokens raise the perplexity, targeted accuracies fall."""
    rng = np.random.default_rng(11)
    of = targets()
    sizes = dict(sorted(corpora().items(), key=lambda entry: entry[0] == "passive"))  # its last corpus is `passive`
    cells = [(corpus, arch, seed) for corpus in sizes for arch in ("transformer", "lstm") for seed in range(5)]
    ppl = {
        (corpus, arch, seed): MEAN[arch] + 60 * (1 - sizes[corpus] / FULL_TOKENS) + float(rng.normal(0, 0.1))
        for corpus, arch, seed in cells
    }
    lines: list[tuple[object, ...]] = []
    for paradigm in blimp_groups():
        ease = rng.uniform(0.5, 0.97)
        for corpus, arch, seed in cells:
            fall = 0.06 if f"blimp/{paradigm}" in of.get(corpus, ()) else 0.0
            accuracy = round(min(1.0, max(0.0, ease - fall + float(rng.normal(0, 0.02)))), 3)
            value = round(ppl[corpus, arch, seed], 6)
            loss, validation = round(float(np.log(value)), 6), round(value * 0.997, 6)
            lines.append((corpus, arch, seed, loss, value, validation, paradigm, accuracy, sizes[corpus]))
    return lines
