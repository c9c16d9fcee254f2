"""Scores of minimal pairs to accuracies, probability deltas and the robustness of judgements."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Literal

import numpy as np

from runner.score.statistics.inference import Floats, pearson

if TYPE_CHECKING:
    import pyarrow as pa

Ties = Literal["half", "strict", "argmax"]
TIE_VALUE: dict[Ties, float] = {"half": 0.5, "strict": 0.0, "argmax": 1.0}
MAX_SPLITS = 200  # of seeds into halves; all of them up to nine seeds


@dataclass(frozen=True, slots=True)
class ParadigmAccuracy:
    """One paradigm under one model: `accuracy` is over the applicable pairs, None if there is none."""

    paradigm: str
    phenomenon: str
    field: str
    pairs: int
    applicable: int
    accuracy: float | None
    ties: int  # applicable pairs whose two scores are equal
    identical: int  # pairs that the tokenizer makes equal, not applicable
    unknown: int  # pairs with an unknown word in either sentence


def decisions(good: Floats, bad: Floats, ties: Ties = "half") -> Floats:
    """1 where score_good > score_bad, 0 where it is smaller, the value of a tie where equal; any one shape.

    A tie is worth ½ (`half`), 0 (`strict`, as in FiCT) or 1 (`argmax`, as in lm-evaluation-harness and BabyLM).
    NaN where either score is NaN: the pair is not applicable (identical after tokenisation) or was not scored.
    """
    result = np.where(good > bad, 1.0, np.where(good == bad, TIE_VALUE[ties], 0.0))
    return np.where(np.isnan(good) | np.isnan(bad), np.nan, result)


def mean(values: Iterable[float | None]) -> float | None:
    """The arithmetic mean of the values that exist (not None, not NaN), or None."""
    present = [value for value in values if value is not None and not math.isnan(value)]
    return math.fsum(present) / len(present) if present else None


def row_means(matrix: Floats) -> list[float | None]:
    """The mean of each row of a (seeds, items) matrix over its applicable items; None for a row without any."""
    counts = (~np.isnan(matrix)).sum(axis=1)
    sums = np.where(np.isnan(matrix), 0.0, matrix).sum(axis=1)
    return [float(total / count) if count else None for total, count in zip(sums, counts, strict=True)]


def accuracy(table: pa.Table, ties: Ties = "half") -> list[ParadigmAccuracy]:
    """The table of `score_pairs` for one model to an accuracy a paradigm, in order of first appearance.

    acc(M, B) = mean over applicable pairs of [LP(s⁺) > LP(s⁻)], ties as `decisions` says.
    """
    names = table.column("paradigm").to_pylist()
    judged = decisions(score_column(table, "score_good"), score_column(table, "score_bad"), ties)
    tied = score_column(table, "score_good") == score_column(table, "score_bad")
    identical = np.asarray(table.column("identical").to_pylist(), dtype=bool)
    unknown = np.asarray(table.column("unk_good")) + np.asarray(table.column("unk_bad")) > 0
    rows: dict[str, list[int]] = {}
    for index, name in enumerate(names):
        rows.setdefault(name, []).append(index)
    result = []
    for name, where in rows.items():
        at = np.asarray(where)
        result.append(
            ParadigmAccuracy(
                name,
                str(table.column("phenomenon")[where[0]].as_py() or ""),
                str(table.column("field")[where[0]].as_py() or ""),
                len(where),
                int((~np.isnan(judged[at])).sum()),
                mean(judged[at].tolist()),
                int(tied[at].sum()),
                int(identical[at].sum()),
                int(unknown[at].sum()),
            )
        )
    return result


def score_column(table: pa.Table, name: str) -> Floats:
    """A nullable float column as float64, NaN where null."""
    return np.asarray(table.column(name).combine_chunks().to_numpy(zero_copy_only=False), dtype=np.float64)


def grouped(rows: Sequence[ParadigmAccuracy], by: Literal["phenomenon", "field"]) -> dict[str, float | None]:
    """Unweighted means over the paradigms of each group: BLiMP's own aggregate, whatever a paradigm's size."""
    groups: dict[str, list[float | None]] = {}
    for row in rows:
        groups.setdefault(getattr(row, by), []).append(row.accuracy)
    return {name: mean(values) for name, values in groups.items()}


def suite_mean(rows: Sequence[ParadigmAccuracy]) -> float | None:
    """Unweighted mean over paradigms (BLiMP's overall score)."""
    return mean(row.accuracy for row in rows)


def probability_delta(good: Floats, bad: Floats) -> Floats:
    """PΔ(s) = mean over seeds of LP(s⁺) − LP(s⁻), FiCT eq. 2; (seeds, items) → (items,), in nats.

    NaN where any seed has no score, so that every item averages the same seeds.
    """
    return np.asarray((good - bad).mean(axis=0), dtype=np.float64)


def split_half(deltas: Floats) -> tuple[float, int, int] | None:
    """Agreement of the same models with themselves: seeds in two halves, PΔ averaged in each, Pearson over items.

    `deltas`: (seeds, items). Returns the mean r over all splits into ⌊n/2⌋ and ⌈n/2⌉ seeds (the first
    MAX_SPLITS in lexicographic order), and the two sizes; None with fewer than two seeds or without variance.
    """
    seeds = len(deltas)
    small, large = seeds // 2, seeds - seeds // 2
    if small < 1:
        return None
    found = []
    for count, half in enumerate(combinations(range(seeds), small)):
        if count == MAX_SPLITS or (small == large and half[0] != 0):
            break  # equal halves: the second half of the list repeats the first
        rest = [seed for seed in range(seeds) if seed not in half]
        r = pearson(deltas[list(half)].mean(axis=0), deltas[rest].mean(axis=0))
        if r is None:
            return None
        found.append(r)
    return math.fsum(found) / len(found), small, large


def seed_reliability(r: float, k: int, m: int) -> float:
    """Reliability ρ of one seed, from the correlation r of the means of k and of m seeds.

    Solves r² = ρ_k·ρ_m with ρ_j = jρ / (1 + (j − 1)ρ) (Spearman 1910, Brown 1910); for k = m this is the usual
    step-down. A correlation of 0 or less gives 0.
    """
    if r <= 0:
        return 0.0
    square = r * r
    a = k * m - square * (k - 1) * (m - 1)
    b = square * (k + m - 2)
    return min(1.0, (b + math.sqrt(b * b + 4 * a * square)) / (2 * a))


def robustness_ceiling(reliability: float, n: int, m: int) -> float:
    """√(ρ_n·ρ_m): the correlation that means over n and over m seeds of the *same* condition would have."""

    def stepped(j: int) -> float:
        return j * reliability / (1 + (j - 1) * reliability)

    return math.sqrt(stepped(n) * stepped(m))
