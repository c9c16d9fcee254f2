"""Log-odds ratios of values in a sub-corpus against the rest, with confidence intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

from runner.corpus.stats.frequencies import Frequencies


@dataclass(frozen=True, slots=True)
class Association:
    """A value in a sub-corpus: its number of words inside and outside, and the log-odds ratio in nats.

    `low` and `high` are the bounds of its confidence interval.
    """

    layer: str
    value: str
    group: str
    inside: int
    outside: int
    expected: float  # number of words inside if the value were as frequent as in the whole corpus
    log_odds: float
    low: float
    high: float


def log_odds(a: int, b: int, c: int, d: int, confidence: float = 0.95) -> tuple[float, float, float]:
    """Return ln((a + ½)(d + ½) / ((b + ½)(c + ½))) of a table [[a, b], [c, d]], and its Wald interval.

    The ½ added to each cell keeps the ratio finite (Haldane 1956, Anscombe 1956). The variance is the sum of
    1/(cell + ½) (Gart 1966). Words are treated as independent, so the interval is too narrow for bursty values.
    """
    cells = [x + 0.5 for x in (a, b, c, d)]
    estimate = math.log(cells[0] * cells[3] / (cells[1] * cells[2]))
    half_width = NormalDist().inv_cdf((1 + confidence) / 2) * math.sqrt(sum(1 / x for x in cells))
    return estimate, estimate - half_width, estimate + half_width


def associations(
    frequencies: Frequencies, group: int, *, minimum: int = 5, confidence: float = 0.95
) -> list[Association]:
    """Return each value of at least `minimum` words, in descending order of the lower bounds of the intervals.

    A value that all words have is left out. The estimates of rare values are uncertain, so sorting by the estimate
    would put many of them first.
    """
    words, group_words = sum(frequencies.words), frequencies.words[group]
    ranked = []
    for layer, counts in frequencies.counts.items():
        for value, by_group in counts.items():
            total = sum(by_group)
            if total < minimum or total == words:
                continue
            a, c = by_group[group], total - by_group[group]
            estimate, low, high = log_odds(a, group_words - a, c, words - group_words - c, confidence)
            expected = total * group_words / words
            ranked.append(
                Association(layer, value, frequencies.groups.names[group], a, c, expected, estimate, low, high)
            )
    return sorted(ranked, key=lambda association: (-association.low, association.layer, association.value))


def unseen(frequencies: Frequencies, group: int, minimum: int = 5) -> list[Association]:
    """Return the values of at least `minimum` words that the sub-corpus lacks, by descending expected count."""
    absent = [item for item in associations(frequencies, group, minimum=minimum) if not item.inside]
    return sorted(absent, key=lambda item: (-item.expected, item.layer, item.value))


def overrepresented(frequencies: Frequencies, group: int, minimum: int = 5, ratio: float = 2.0) -> list[Association]:
    """Return the values whose odds ratio in the sub-corpus has a lower confidence bound of at least `ratio`.

    Values of fewer than `minimum` words of the sub-corpus are left out: in a very small sub-corpus, the ½ added to each
    cell would make many odds ratios large.
    """
    ranked = associations(frequencies, group, minimum=minimum)
    return [item for item in ranked if item.inside >= minimum and item.low >= math.log(ratio)]
