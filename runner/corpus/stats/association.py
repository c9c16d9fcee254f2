"""Counts of values in a sub-corpus and in the rest to log-odds with intervals: what is over-seen, what unseen."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

from runner.corpus.stats.frequencies import Frequencies


@dataclass(frozen=True, slots=True)
class Association:
    """A value of a layer and one sub-corpus: words there and elsewhere that have it, and the log-odds ratio in nats."""

    layer: str
    value: str
    group: str
    here: int
    elsewhere: int
    expected: float  # of `here`, if its share were that of all sub-corpora together
    log_odds: float
    low: float
    high: float


def log_odds(a: int, b: int, c: int, d: int, confidence: float = 0.95) -> tuple[float, float, float]:
    """ln((a + ½)(d + ½) / ((b + ½)(c + ½))) of a table [[a, b], [c, d]], and its Wald interval.

    The half in each cell keeps it finite (Haldane 1956, Anscombe 1956); the variance is the sum of 1/(cell + ½)
    (Gart 1966). Words are taken as independent, so that the interval is too narrow where a value is bursty.
    """
    cells = [x + 0.5 for x in (a, b, c, d)]
    estimate = math.log(cells[0] * cells[3] / (cells[1] * cells[2]))
    half = NormalDist().inv_cdf((1 + confidence) / 2) * math.sqrt(sum(1 / x for x in cells))
    return estimate, estimate - half, estimate + half


def associations(found: Frequencies, group: int, *, minimum: int = 5, confidence: float = 0.95) -> list[Association]:
    """Each value that at least `minimum` words have, the one that most marks the sub-corpus first.

    The order is by the bound of the interval that is nearer to zero, so that rare values do not lead.
    """
    whole, here = sum(found.words), found.words[group]
    result = []
    for layer, counts in found.counts.items():
        for value, each in counts.items():
            total = sum(each)
            if total < minimum or total == whole:
                continue
            a, c = each[group], total - each[group]
            estimate, low, high = log_odds(a, here - a, c, whole - here - c, confidence)
            expected = total * here / whole
            result.append(Association(layer, value, found.groups.names[group], a, c, expected, estimate, low, high))
    return sorted(result, key=lambda one: (-one.low, one.layer, one.value))


def unseen(found: Frequencies, group: int, minimum: int = 5) -> list[Association]:
    """Values that no word of the sub-corpus has and at least `minimum` elsewhere, the most expected first."""
    result = [one for one in associations(found, group, minimum=minimum) if not one.here]
    return sorted(result, key=lambda one: (-one.expected, one.layer, one.value))


def overseen(found: Frequencies, group: int, minimum: int = 5, ratio: float = 2.0) -> list[Association]:
    """Values of `minimum` words here or more, with `ratio` times the odds elsewhere even at the interval's low end.

    In a very small sub-corpus the half that is added to a cell would alone make many odds large.
    """
    ranked = associations(found, group, minimum=minimum)
    return [one for one in ranked if one.here >= minimum and one.low >= math.log(ratio)]
