"""Simulate audits: how often the intervals of precision and of what remains contain the truth.

    python -m benchmarks.audits --output docs/audits.csv

Each row is a corpus, a number of judged sentences and the true share of instances in each stratum. Sentences are drawn
without replacement, as many of each stratum as `fictc audit sheet` draws. Random numbers are seeded by the row.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.verdicts import read_table, write_table
from runner.audit.estimates import Estimate, StratumCounts, estimate
from runner.audit.strata import GUESSED_SHARES, STRATA, allocate

CORPORA = {  # sentences of each stratum
    "small": (150, 600, 1_000, 6_000),
    "one corpus": (2_000, 4_000, 8_000, 86_000),
    "large": (20_000, 100_000, 80_000, 3_800_000),
}
PRECISIONS = (0.75, 0.9, 0.97)
# true shares among near misses, sentences with a cue word, and others; 0 is a stratum without an instance
SHARES = (
    *((0.1, 0.05, 0.005), (0.3, 0.1, 0.01), (0.02, 0.01, 0.001)),
    *((0.05, 0.02, 0.0), (0.02, 0.0, 0.002), (0.0, 0.1, 0.0), (0.0, 0.0, 0.01), (0.1, 0.0, 0.0)),
)
ROWS = (200, 300, 600)
WORDS = 20  # of a sentence


@dataclass(frozen=True, slots=True)
class Situation:
    corpus: str
    rows: int
    matches: float
    near_misses: float
    cue_words: float
    others: float


@dataclass(frozen=True, slots=True)
class Coverage:
    """Shares of simulations whose interval contains the truth, and medians of what remains at most.

    `bound` is the end of the interval of what remains, as a multiple of the truth.
    """

    simulations: int
    precision: float
    per_million: float
    remaining: float
    bound: float


def situations() -> list[Situation]:
    return [
        Situation(corpus, rows, precision, *shares)
        for corpus, rows, precision, shares in product(CORPORA, ROWS, PRECISIONS, SHARES)
    ]


class _Truth(NamedTuple):
    precision: float
    per_million: float
    remaining: float


def simulate(situation: Situation, simulations: int) -> Coverage:
    rng = np.random.default_rng(zlib.crc32(repr(situation).encode()))
    sizes = CORPORA[situation.corpus]
    shares = situation.matches, situation.near_misses, situation.cue_words, situation.others
    positive = [round(size * share) for size, share in zip(sizes, shares, strict=True)]
    rows = allocate(sizes, [GUESSED_SHARES[name] for name in STRATA], situation.rows)
    drawn = [
        rng.hypergeometric(yes, size - yes, count, simulations)
        for yes, size, count in zip(positive, sizes, rows, strict=True)
    ]
    left = sum(positive[1:])
    truth = _Truth(positive[0] / sizes[0], 1e6 * left / (WORDS * sum(sizes[1:])), left / sum(positive))
    samples, times = np.unique(np.stack(drawn), axis=1, return_counts=True)
    contained, bounds = np.zeros(3), []
    for sample, count in zip(samples.T.tolist(), times.tolist(), strict=True):
        found = _estimate(sizes, rows, sample)
        contained += [count * _contains(interval, value) for interval, value in zip(found, truth, strict=True)]
        bounds.append(found[1].high / truth.per_million)
    shares_contained = (round(float(share), 4) for share in contained / simulations)
    return Coverage(simulations, *shares_contained, round(float(np.median(np.repeat(bounds, times))), 2))


def _estimate(sizes: Sequence[int], rows: Sequence[int], sample: Sequence[int]) -> tuple[Estimate, Estimate, Estimate]:
    found = estimate(
        [
            StratumCounts(name, size, WORDS * size, yes, count - yes, 0)
            for name, size, count, yes in zip(STRATA, sizes, rows, sample, strict=True)
        ]
    )
    return found.precision, found.per_million, found.remaining


def _contains(interval: Estimate, value: float) -> bool:
    return interval.low * (1 - 1e-9) <= value <= interval.high * (1 + 1e-9)


def finished_rows(path: Path) -> list[tuple[Situation, Coverage]]:
    """Return the rows of a table."""
    return read_table(path, Situation, Coverage)


if __name__ == "__main__":
    write_table(__doc__, (Situation, Coverage), situations(), simulate, 10_000)
