"""A word that is not known and the words that are, into the one that was probably meant."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import islice

_LONGEST = 60  # beyond this nobody mistypes a name, and the table of distances grows
_MOST = 500  # candidates that are compared: names without end are written by machines, which do not mistype


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that is fewest slips of the pen away, or None if each is a different word.

    A slip is a letter too many, missing, wrong, or swapped with its neighbour; letter case counts for nothing.
    One slip is forgiven for every three letters, at least one from three letters on. Ties go to the first.
    """
    if not word or len(word) > _LONGEST:
        return None
    return _nearest(word, tuple(islice(dict.fromkeys(candidates), _MOST)))


@lru_cache(maxsize=1024)
def _nearest(word: str, candidates: tuple[str, ...]) -> str | None:
    best: tuple[int, str] | None = None
    folded = word.casefold()
    for candidate in candidates:
        if candidate == word or len(candidate) > _LONGEST:
            continue
        allowed = max(len(word), len(candidate)) // 3
        if best is not None:
            allowed = min(allowed, best[0] - 1)
        other = candidate.casefold()
        if _at_least(folded, other) > allowed:
            continue
        found = distance(folded, other)
        if found <= allowed:
            best = (found, candidate)
    return best[1] if best else None


def did_you_mean(word: str, candidates: Iterable[str]) -> str | None:
    """The hint that names the nearest candidate, or None."""
    found = nearest(word, candidates)
    return f"the nearest name is `{found}`" if found else None


def _at_least(a: str, b: str) -> int:
    """Return a lower bound of `distance` that is quick to compute: the letters of one that the other lacks."""
    shared = sum(min(a.count(letter), b.count(letter)) for letter in set(a) & set(b))
    return max(len(a), len(b)) - shared


def distance(a: str, b: str) -> int:
    """Insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`."""
    before: list[int] = []
    above = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        row = [i]
        for j, right in enumerate(b, 1):
            cost = min(row[j - 1] + 1, above[j] + 1, above[j - 1] + (left != right))
            if i > 1 and j > 1 and left == b[j - 2] and a[i - 2] == right:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before, above = above, row
    return above[-1]
