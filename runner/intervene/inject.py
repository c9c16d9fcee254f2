"""Units of another text into a corpus: as many as make the asked share of its tokens, at even distances."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from runner.corpus.sentences.common_size import Indices
from runner.intervene.remove_random import ShortError


class LongError(Exception):
    """The first unit has twice the tokens that are asked for or more, so that not one is to be injected."""

    def __init__(self, wanted: int, found: int) -> None:
        super().__init__(f"{wanted} tokens, a unit has {found}")
        self.wanted, self.found = wanted, found


@dataclass(frozen=True, slots=True)
class Injection:
    """Units 0 to k − 1 and where they go: unit j in the stead of the lines `starts[j]` to `stops[j]` of the corpus.

    `asked` is the number of tokens that was asked for, `injected` and `replaced` are what came of it.
    """

    starts: Indices  # (k,)
    stops: Indices  # (k,)
    asked: float
    injected: int
    replaced: int


def inject(lines: Indices, units: Indices, fraction: float, *, replace: bool) -> Injection:
    """Spread the first units so that they have `fraction` of the tokens of a corpus, within half the longest of them.

    `lines` (n,) and `units` (u,) are lengths in tokens. The corpus is cut into as many stretches of equally many
    tokens as there are units, and each unit stands in one of them, as near to its middle as can be. With `replace` as
    many tokens give way, whole lines of the same stretch, within half the longest unit of what was asked wherever the
    lines allow it. Raises ShortError where the units have too few tokens, LongError where not one would be injected.
    """
    total = int(lines.sum())
    asked = fraction * total
    sums = np.concatenate([[0], np.cumsum(units)])
    count = int(np.argmin(np.abs(sums - asked)))
    if asked - int(sums[-1]) > int(units.max(initial=0)) / 2:
        raise ShortError(round(asked), int(sums[-1]), "tokens")
    if asked > 0 and not count:
        raise LongError(round(asked), int(units[0]))
    before = np.concatenate([[0], np.cumsum(lines)])
    edges = np.searchsorted(before[:-1], total * np.arange(count + 1) / max(count, 1))
    tolerance = int(units[:count].max(initial=0)) / 2
    places: list[tuple[int, int]] = []
    replaced = 0
    for unit in range(count):
        missing = asked * (unit + 1) / count - replaced if replace else 0.0
        middle = total * (unit + 0.5) / count
        start, stop = _run(before, int(edges[unit]), int(edges[unit + 1]), missing, middle, tolerance)
        replaced += int(before[stop] - before[start])
        places.append((start, stop))
    starts, stops = np.array(places, dtype=np.int64).reshape(-1, 2).T
    return Injection(starts, stops, asked, int(sums[count]), replaced)


def _run(before: Indices, low: int, high: int, tokens: float, middle: float, tolerance: float) -> tuple[int, int]:
    """The lines of a stretch that have a number of tokens, to the tolerance, and stand nearest to its middle.

    Where no lines have it, those that come nearest to it; `before` are the tokens before each line, and in all.
    """
    starts = np.arange(low, max(low, high - 1) + 1)
    long = np.clip(np.searchsorted(before, before[starts] + tokens), starts, max(low, high))
    short = np.maximum(long - 1, starts)
    nearer = np.abs(_tokens(before, starts, short) - tokens) < np.abs(_tokens(before, starts, long) - tokens)
    stops = np.where(nearer, short, long)
    wrong = np.abs(_tokens(before, starts, stops) - tokens)
    away = np.abs((before[starts] + before[stops]) / 2 - middle)
    best = int(np.lexsort((away, np.where(wrong <= tolerance, 0.0, wrong)))[0])
    return int(starts[best]), int(stops[best])


def _tokens(before: Indices, starts: Indices, stops: Indices) -> Indices:
    return np.asarray(before[stops] - before[starts], dtype=np.int64)


def sequence(sids: Indices, injection: Injection, units: Indices) -> tuple[Indices, Indices]:
    """A corpus of sentences with units in it, and the sentences that gave way.

    Line k of the injected text stands as −k − 1; `units` (u + 1,) are the first lines of the units, and the end.
    """
    parts: list[Indices] = []
    gone: list[Indices] = [sids[:0]]
    place = 0
    for unit, (start, stop) in enumerate(zip(injection.starts.tolist(), injection.stops.tolist(), strict=True)):
        parts += [sids[place:start], ~np.arange(units[unit], units[unit + 1], dtype=np.int64)]
        gone.append(sids[start:stop])
        place = stop
    return np.concatenate([*parts, sids[place:]]), np.concatenate(gone)
