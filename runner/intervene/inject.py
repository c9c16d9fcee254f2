"""Inject units of another text evenly into a corpus, up to a share of its tokens."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from runner.corpus.sentence_arrays import Indices
from runner.intervene.remove_random import TooFewError


class UnitTooLongError(Exception):
    """The first unit has at least twice the requested tokens, so no unit would be injected."""

    def __init__(self, requested: int, length: int) -> None:
        super().__init__(f"{requested} tokens requested, a unit has {length}")
        self.requested, self.length = requested, length


@dataclass(frozen=True, slots=True)
class Injection:
    """The positions of units 0 to k − 1: unit j replaces the lines `starts[j]:stops[j]` of the corpus.

    `requested`, `injected` and `replaced` are numbers of tokens.
    """

    starts: Indices  # (k,)
    stops: Indices  # (k,)
    requested: float
    injected: int
    replaced: int


def plan_injection(lines: Indices, units: Indices, fraction: float, *, replace: bool) -> Injection:
    """Spread the first units so that they have `fraction` of a corpus's tokens, to within half the longest unit.

    `lines` (n,) and `units` (u,) are lengths in tokens. The corpus is divided into one segment per unit, with equally
    many tokens, and each unit is placed as close to the middle of its segment as possible. With `replace`, units
    replace whole lines of their segment with as many tokens, to within half the longest unit if the lines allow it.
    Raises TooFewError if the units have too few tokens, and UnitTooLongError if no unit would be injected.
    """
    total = int(lines.sum())
    requested = fraction * total
    unit_offsets = np.concatenate([[0], np.cumsum(units)])
    count = int(np.argmin(np.abs(unit_offsets - requested)))
    if requested - int(unit_offsets[-1]) > int(units.max(initial=0)) / 2:
        raise TooFewError(round(requested), int(unit_offsets[-1]), "tokens")
    if requested > 0 and not count:
        raise UnitTooLongError(round(requested), int(units[0]))
    offsets = np.concatenate([[0], np.cumsum(lines)])
    edges = np.searchsorted(offsets[:-1], total * np.arange(count + 1) / max(count, 1))
    tolerance = int(units[:count].max(initial=0)) / 2
    replaced_ranges: list[tuple[int, int]] = []
    replaced = 0
    for unit in range(count):
        missing = requested * (unit + 1) / count - replaced if replace else 0.0
        middle = total * (unit + 0.5) / count
        start, stop = _best_run(offsets, int(edges[unit]), int(edges[unit + 1]), missing, middle, tolerance)
        replaced += int(offsets[stop] - offsets[start])
        replaced_ranges.append((start, stop))
    starts, stops = np.array(replaced_ranges, dtype=np.int64).reshape(-1, 2).T
    return Injection(starts, stops, requested, int(unit_offsets[count]), replaced)


def _best_run(offsets: Indices, low: int, high: int, tokens: float, middle: float, tolerance: float) -> tuple[int, int]:
    """Return the run of lines with `tokens` tokens, to within the tolerance, that is closest to a segment's middle.

    If there is no such run, return the one with the closest number of tokens. `offsets` (n + 1,) are the numbers of
    tokens before each line, and the total.
    """
    starts = np.arange(low, max(low, high - 1) + 1)
    longer = np.clip(np.searchsorted(offsets, offsets[starts] + tokens), starts, max(low, high))
    shorter = np.maximum(longer - 1, starts)
    is_closer = np.abs(_token_counts(offsets, starts, shorter) - tokens) < np.abs(
        _token_counts(offsets, starts, longer) - tokens
    )
    stops = np.where(is_closer, shorter, longer)
    error = np.abs(_token_counts(offsets, starts, stops) - tokens)
    distance = np.abs((offsets[starts] + offsets[stops]) / 2 - middle)
    best = int(np.lexsort((distance, np.where(error <= tolerance, 0.0, error)))[0])
    return int(starts[best]), int(stops[best])


def _token_counts(offsets: Indices, starts: Indices, stops: Indices) -> Indices:
    return np.asarray(offsets[stops] - offsets[starts], dtype=np.int64)


def apply_injection(sids: Indices, injection: Injection, units: Indices) -> tuple[Indices, Indices]:
    """Return the ids of the lines of a corpus after injection, and the ids of the replaced lines.

    Line k of the injected text has the id −k − 1. `units` (u + 1,) are the first lines of the units, followed by the
    number of lines.
    """
    id_ranges: list[Indices] = []
    replaced: list[Indices] = [sids[:0]]
    end = 0
    for unit, (start, stop) in enumerate(zip(injection.starts.tolist(), injection.stops.tolist(), strict=True)):
        id_ranges += [sids[end:start], ~np.arange(units[unit], units[unit + 1], dtype=np.int64)]
        replaced.append(sids[start:stop])
        end = stop
    return np.concatenate([*id_ranges, sids[end:]]), np.concatenate(replaced)
