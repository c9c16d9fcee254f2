"""Precision, recall and what remains, estimated from judged sheets, and the agreement of two judges."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

from runner.audit.sheet import JUDGEMENTS, Judgement, Sheet, SheetRow
from runner.errors import InputError

LEVEL = 0.95
_TAIL = (1 - LEVEL) / 2


class Estimate(NamedTuple):
    """A value, None if it is unknown, and the ends of its interval."""

    value: float | None
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class StratumCounts:
    """A stratum and the judgements of its drawn sentences."""

    name: str
    sentences: int
    words: int
    yes: int
    no: int
    unsure: int

    def instances(self, unsure: Judgement = "?") -> Estimate:
        """Return the number of sentences with the construction. `unsure` says how unsure judgements count, if at all.

        The interval is the exact one of the hypergeometric distribution with mid-P (Lancaster 1961): the numbers that a
        test of the judged sample does not reject. It has no width if all sentences are judged.
        """
        yes, no = self.yes + self.unsure * (unsure == "y"), self.no + self.unsure * (unsure == "n")
        judged = yes + no
        if not judged:
            return Estimate(None, 0.0, self.sentences)
        return Estimate(self.sentences * yes / judged, *mid_p_limits(yes, judged, self.sentences))


@lru_cache(4096)
def mid_p_limits(yes: int, judged: int, sentences: int) -> tuple[int, int]:
    """Return the least and the greatest number of positive sentences for which neither mid-P is below the tail."""

    def below(positive: int) -> float:
        """Return the mid-P of a sample with fewer positive sentences, which falls as `positive` rises."""
        is_low = 2 * yes <= judged
        counts = range(yes) if is_low else range(yes + 1, judged + 1)  # the shorter tail is faster to sum
        tail = math.fsum(_probability(count, judged, positive, sentences) for count in counts)
        half = _probability(yes, judged, positive, sentences) / 2
        return tail + half if is_low else 1 - tail - half

    least, greatest = yes, sentences - (judged - yes)
    low = _first(least, greatest, lambda positive: 1 - below(positive) > _TAIL) if yes else 0
    high = _first(least, greatest, lambda positive: below(positive + 1) <= _TAIL) if yes < judged else sentences
    return low, high


def _first(low: int, high: int, holds: Callable[[int], bool]) -> int:
    """Return the first number from `low` for which a condition holds that holds from then on, at most `high`."""
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low


def _probability(count: int, judged: int, positive: int, sentences: int) -> float:
    if not max(0, judged - (sentences - positive)) <= count <= min(judged, positive):
        return 0.0
    ways = _log_choose(positive, count) + _log_choose(sentences - positive, judged - count)
    return math.exp(ways - _log_choose(sentences, judged))


def _log_choose(total: int, count: int) -> float:
    return math.lgamma(total + 1) - math.lgamma(count + 1) - math.lgamma(total - count + 1)


@dataclass(frozen=True, slots=True)
class Estimates:
    """What an audit shows. Shares are 0–1; instances are sentences with the construction.

    `per_million` are the instances that remain per million words of the sentences that remain, and `remaining` is their
    share of all instances.
    """

    precision: Estimate
    recall: Estimate
    per_million: Estimate
    remaining: Estimate
    strata: tuple[StratumCounts, ...]


def estimate(strata: Sequence[StratumCounts]) -> Estimates:
    """Estimate without unsure sentences; an interval includes those with all unsure sentences as `y` and as `n`.

    A sample of the matches alone shows only their precision.
    Raises InputError (FICT874) if a stratum has no sentence judged `y` or `n`.
    """
    for stratum in strata:
        if not stratum.yes + stratum.no:
            raise InputError.of("FICT874", stratum=stratum.name)
    matched = [stratum for stratum in strata if stratum.name == "matches"]
    others = [stratum for stratum in strata if stratum.name != "matches"]
    sentences, words = sum(each.sentences for each in matched), sum(each.words for each in others)
    readings = list(product(_totals(matched), _totals(others)))
    precision = _spanned([_scaled(found, 1 / sentences) for found, _ in readings]) if matched else _UNKNOWN
    if not others:
        return Estimates(precision, _UNKNOWN, Estimate(None, 0.0, 1e6), _UNKNOWN, tuple(strata))
    remaining = _spanned([share_of(left, found) for found, left in readings])
    recall = None if remaining.value is None else 1 - remaining.value
    return Estimates(
        precision,
        Estimate(recall, 1 - remaining.high, 1 - remaining.low),
        _spanned([_scaled(left, 1e6 / words) for _, left in readings]),
        remaining,
        tuple(strata),
    )


_UNKNOWN = Estimate(None, 0.0, 1.0)


def _totals(strata: Sequence[StratumCounts]) -> list[Estimate]:
    """Return the number of instances, first without unsure sentences, then with all of them as `n` and as `y`."""
    return [total([stratum.instances(unsure) for stratum in strata]) for unsure in JUDGEMENTS[::-1]]


def total(parts: Sequence[Estimate]) -> Estimate:
    """Add independent estimates by the square-and-add method (Zou and Donner 2008)."""
    value = math.fsum(part.value or 0.0 for part in parts)
    below = math.hypot(*((part.value or 0.0) - part.low for part in parts))
    above = math.hypot(*(part.high - (part.value or 0.0) for part in parts))
    return Estimate(value, max(0.0, value - below), value + above)


def _scaled(estimate: Estimate, factor: float) -> Estimate:
    value = None if estimate.value is None else estimate.value * factor
    return Estimate(value, estimate.low * factor, estimate.high * factor)


def _spanned(readings: Sequence[Estimate]) -> Estimate:
    """Return the first estimate with an interval that includes those of all."""
    return Estimate(readings[0].value, min(each.low for each in readings), max(each.high for each in readings))


def share_of(part: Estimate, rest: Estimate) -> Estimate:
    """Return the share of `part` in the sum of two independent estimates, by the ratio of Donner and Zou (2012)."""
    a, b = rest.value or 0.0, part.value or 0.0
    if not a + b:
        return Estimate(None, 0.0, 1.0)
    low_root = math.sqrt(max(0.0, (a * b) ** 2 - part.low * rest.high * (2 * b - part.low) * (2 * a - rest.high)))
    high_root = math.sqrt(max(0.0, (a * b) ** 2 - part.high * rest.low * (2 * b - part.high) * (2 * a - rest.low)))
    low, low_rest = part.low * (2 * b - part.low), a * b + low_root
    high, high_rest = a * b + high_root, rest.low * (2 * a - rest.low)
    return Estimate(
        b / (a + b), low / (low + low_rest) if low else 0.0, high / (high + high_rest) if high_rest else 1.0
    )


class Agreement(NamedTuple):
    """How two judges agree: Cohen's (1960) kappa, None if both always give the same judgement."""

    rows: int
    agreed: int
    kappa: float | None
    disagreements: tuple[tuple[SheetRow, SheetRow], ...]


def agreement(first: Sheet, second: Sheet) -> Agreement:
    """Compare the sentences that both have judged. Raises InputError (FICT873) if their sheets have others."""
    pairs = _pairs(first, second)
    judgements = [(one.judgement, other.judgement) for one, other in pairs]
    differing = tuple(pair for pair in pairs if pair[0].judgement != pair[1].judgement)
    counts = [Counter(column) for column in zip(*judgements, strict=True)] or [Counter(), Counter()]
    agreed = len(pairs) - len(differing)
    chance = sum(counts[0][each] * counts[1][each] for each in JUDGEMENTS)
    kappa = (len(pairs) * agreed - chance) / (len(pairs) ** 2 - chance) if chance < len(pairs) ** 2 else None
    return Agreement(len(pairs), agreed, kappa, differing)


def _pairs(first: Sheet, second: Sheet) -> list[tuple[SheetRow, SheetRow]]:
    others = {row.place: row for row in second.rows}
    heads = [(sheet.filter_key, sheet.corpus_key, sheet.seed, sheet.strata) for sheet in (first, second)]
    if heads[0] != heads[1] or others.keys() != {row.place for row in first.rows}:
        raise InputError.of("FICT873", filter=first.filter, other=second.filter)
    pairs = [(row, others[row.place]) for row in first.judged]
    return [pair for pair in pairs if pair[1].judgement is not None]


def counts_of(sheets: Sequence[Sheet]) -> list[StratumCounts]:
    """Count the judgements of one sheet, or of two: what both judge the same counts so, and the rest is unsure."""
    first = sheets[0]
    if len(sheets) == 1:
        judged: list[tuple[str, Judgement | None]] = [(row.stratum, row.judgement) for row in first.judged]
    else:
        judged = [
            (one.stratum, one.judgement if one.judgement == other.judgement else "?") for one, other in _pairs(*sheets)
        ]
    counts = Counter(judged)
    return [
        StratumCounts(name, size.sentences, size.words, *(counts[name, judgement] for judgement in JUDGEMENTS))
        for name, size in first.strata.items()
    ]


@dataclass(frozen=True)
class Audit:
    """What one sheet, or those of two judges, show of a filter on a corpus."""

    sheets: tuple[Sheet, ...]
    estimates: Estimates
    agreement: Agreement | None

    @property
    def judged(self) -> int:
        return sum(stratum.yes + stratum.no + stratum.unsure for stratum in self.estimates.strata)

    @property
    def record(self) -> dict[str, Any]:
        """The audit in the results of a run. Estimates are a value, or None, and the ends of its interval."""
        sheet, estimates = self.sheets[0], self.estimates
        return {
            "filter": sheet.filter,
            "key": sheet.filter_key,
            "corpus": sheet.corpus,
            "sentences": len(sheet.rows),
            "judged": self.judged,
            "judges": len(self.sheets),
            "kappa": None if self.agreement is None else self.agreement.kappa,
            **{name: list(getattr(estimates, name)) for name in ("precision", "recall", "per_million", "remaining")},
        }


def audit_of(sheets: Sequence[Sheet]) -> Audit:
    """Estimate from a sheet or two judges' sheets. Raises InputError (FICT873, 874)."""
    compared = agreement(*sheets) if len(sheets) > 1 else None
    return Audit(tuple(sheets), estimate(counts_of(sheets)), compared)
