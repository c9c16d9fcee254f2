"""Accuracy, probability delta and robustness of decisions on minimal pairs, and correlations of scores with ratings."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from runner.score.inference import Floats, pearson

if TYPE_CHECKING:
    import pyarrow as pa


Ties = Literal["half", "strict", "argmax"]
TIE_VALUE: dict[Ties, float] = {"half": 0.5, "strict": 0.0, "argmax": 1.0}
MAX_SPLITS = 200  # splits of the seeds into halves; with up to ten seeds, all splits are used


@dataclass(frozen=True, slots=True)
class ParadigmAccuracy:
    """The accuracy of one model on one paradigm, None over no pairs, also without identical pairs."""

    paradigm: str
    phenomenon: str
    field: str
    pairs: int
    applicable: int
    accuracy: float | None
    told_apart: float | None  # the accuracy excluding identical pairs
    ties: int  # scored pairs with equal scores
    identical: int  # pairs that the tokenizer maps to the same ids; applicable unless ties count ½
    unknown: int  # pairs with an unknown word in either sentence


def decisions(good: Floats, bad: Floats, ties: Ties = "half", identical: NDArray[np.bool_] | None = None) -> Floats:
    """Return 1 where `good` > `bad`, 0 where it is smaller, and the value of a tie where they are equal.

    A tie counts ½ (`half`), 0 (`strict`, as in Patil et al. 2024) or 1 (`argmax`, as in lm-evaluation-harness and
    BabyLM). Under the last two, pairs `identical` after tokenisation are ties. Other pairs without scores are NaN.
    """
    result = np.where(good > bad, 1.0, np.where(good == bad, TIE_VALUE[ties], 0.0))
    result = np.where(np.isnan(good) | np.isnan(bad), np.nan, result)
    if identical is None or ties == "half":
        return result
    return np.where(identical, TIE_VALUE[ties], result)


def mean(values: Iterable[float | None]) -> float | None:
    """Return the arithmetic mean of the values that are neither None nor NaN, or None if there are none."""
    present = [value for value in values if value is not None and not math.isnan(value)]
    return math.fsum(present) / len(present) if present else None


def mean_and_error(values: Floats) -> tuple[float | None, float | None]:
    error = float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else None
    return (float(values.mean()) if len(values) else None), error


def row_means(matrix: Floats) -> list[float | None]:
    """Return the mean of each row of a (seeds, items) matrix over its applicable items, or None for an empty row."""
    counts = (~np.isnan(matrix)).sum(axis=1)
    sums = np.where(np.isnan(matrix), 0.0, matrix).sum(axis=1)
    return [float(total / count) if count else None for total, count in zip(sums, counts, strict=True)]


def accuracy(table: pa.Table, ties: Ties = "half") -> list[ParadigmAccuracy]:
    """Return the mean of `decisions` on applicable pairs of each paradigm, in the order of first appearance."""
    paradigms = table.column("paradigm").to_pylist()
    good, bad = score_column(table, "score_good"), score_column(table, "score_bad")
    identical = np.asarray(table.column("identical").to_pylist(), dtype=bool)
    outcomes, is_tied = decisions(good, bad, ties, identical), good == bad
    outcomes_told_apart = np.where(identical, np.nan, outcomes)
    unknown = np.asarray(table.column("unk_good")) + np.asarray(table.column("unk_bad")) > 0
    rows_by_paradigm: dict[str, list[int]] = {}
    for index, name in enumerate(paradigms):
        rows_by_paradigm.setdefault(name, []).append(index)
    result = []
    for name, rows in rows_by_paradigm.items():
        phenomenon, field = (str(table.column(label)[rows[0]].as_py() or "") for label in ("phenomenon", "field"))
        applicable = int((~np.isnan(outcomes[rows])).sum())
        accuracies = mean(outcomes[rows].tolist()), mean(outcomes_told_apart[rows].tolist())
        counts = (int(flags[rows].sum()) for flags in (is_tied, identical, unknown))
        result.append(ParadigmAccuracy(name, phenomenon, field, len(rows), applicable, *accuracies, *counts))
    return result


def score_column(table: pa.Table, name: str) -> Floats:
    """Return a nullable float column as float64, with NaN for null."""
    return np.asarray(table.column(name).combine_chunks().to_numpy(zero_copy_only=False), dtype=np.float64)


def probability_delta(good: Floats, bad: Floats) -> Floats:
    """Return PΔ(s), (items,): the mean over seeds of LP(s⁺) − LP(s⁻) in nats, NaN if a seed has none (eq. 2)."""
    return np.asarray((good - bad).mean(axis=0), dtype=np.float64)


def split_half(deltas: Floats) -> tuple[float, int, int] | None:
    """Return the mean correlation over items of two halves of the seeds, for up to MAX_SPLITS, and the sizes."""
    seed_count = len(deltas)
    half_size, other_half_size = seed_count // 2, seed_count - seed_count // 2
    if half_size < 1:
        return None
    correlations = []
    for count, half in enumerate(combinations(range(seed_count), half_size)):
        if count == MAX_SPLITS or (half_size == other_half_size and half[0] != 0):
            break  # with equal halves, the remaining combinations repeat the same splits
        other_half = [seed for seed in range(seed_count) if seed not in half]
        r = pearson(deltas[list(half)].mean(axis=0), deltas[other_half].mean(axis=0))
        if r is None:
            return None
        correlations.append(r)
    return math.fsum(correlations) / len(correlations), half_size, other_half_size


def seed_reliability(r: float, k: int, m: int) -> float:
    """Return the reliability ρ of one seed, given the correlation r between the means of k and of m seeds.

    Solves r² = ρ_k·ρ_m with ρ_j = jρ / (1 + (j − 1)ρ) (Spearman 1910, Brown 1910).
    """
    if r <= 0:
        return 0.0
    square = r * r
    a = k * m - square * (k - 1) * (m - 1)
    b = square * (k + m - 2)
    return min(1.0, (b + math.sqrt(b * b + 4 * a * square)) / (2 * a))


def robustness_ceiling(reliability: float, n: int, m: int) -> float:
    def stepped_up(j: int) -> float:
        return j * reliability / (1 + (j - 1) * reliability)

    return math.sqrt(stepped_up(n) * stepped_up(m))


@dataclass(frozen=True, slots=True)
class Correlation:
    """Pearson's r over n pairs of values, with its interval and p-value, or without them for dependent pairs."""

    r: float
    n: int
    low: float | None = None
    high: float | None = None
    p: float | None = None


def correlation(x: ArrayLike, y: ArrayLike, confidence: float = 0.95) -> Correlation | None:
    """Return Pearson's r where both are finite, with interval tanh(z ± q/√(n − 3)), z = atanh r (Fisher 1921)."""
    from scipy import special  # has the distributions of scipy.stats, which takes a second to load

    first, second = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    r, n = pearson(first, second), int((np.isfinite(first) & np.isfinite(second)).sum())
    if r is None:
        return None
    if abs(r) >= 1:
        return Correlation(r, n, r, r, 0.0)
    z, half_width = math.atanh(r), float(special.ndtri((1 + confidence) / 2)) / math.sqrt(n - 3)
    p = float(2 * special.stdtr(n - 2, -abs(r) * math.sqrt((n - 2) / (1 - r * r))))
    return Correlation(r, n, math.tanh(z - half_width), math.tanh(z + half_width), p)


@dataclass(frozen=True, slots=True)
class Williams:
    """A test of the difference of two correlations that share a variable. `p_greater` is one-sided, for r12 > r13."""

    t: float
    df: int
    p: float
    p_greater: float


def williams(r12: float, r13: float, r23: float, n: int) -> Williams | None:
    """Test whether r12 differs from r13, given the correlation r23 (Williams 1959; Steiger 1980, eq. 7), if it can.

    t = (r12 − r13)·√((n − 1)(1 + r23) / (2·(n − 1)/(n − 3)·|R| + r̄²(1 − r23)³)), df = n − 3,
    with r̄ = (r12 + r13)/2 and |R| = 1 − r12² − r13² − r23² + 2·r12·r13·r23.
    """
    from scipy import special

    determinant = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    if n < 4 or determinant < -1e-12:
        return None
    denominator = 2 * (n - 1) / (n - 3) * max(determinant, 0.0) + ((r12 + r13) / 2) ** 2 * (1 - r23) ** 3
    if denominator <= 0:
        return None
    t = (r12 - r13) * math.sqrt((n - 1) * (1 + r23) / denominator)
    return Williams(t, n - 3, float(2 * special.stdtr(n - 3, -abs(t))), float(special.stdtr(n - 3, -t)))
