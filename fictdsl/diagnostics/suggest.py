"""A word that is not known and the words that are, into the one that was probably meant."""

from __future__ import annotations

from collections.abc import Iterable

_LONGEST = 60  # beyond this nobody mistypes a name, and the table of distances grows


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that is fewest slips of the pen away, or None if each is a different word.

    A slip is a letter too many, missing, wrong, or swapped with its neighbour; letter case counts for nothing.
    One slip is forgiven for every three letters, at least one from three letters on. Ties go to the first.
    """
    if not word or len(word) > _LONGEST:
        return None
    best: tuple[int, str] | None = None
    folded = word.casefold()
    for candidate in dict.fromkeys(candidates):
        if candidate == word or len(candidate) > _LONGEST:
            continue
        allowed = max(len(word), len(candidate)) // 3
        if abs(len(word) - len(candidate)) > max(allowed, 0):
            continue
        found = distance(folded, candidate.casefold())
        if found <= allowed and (best is None or found < best[0]):
            best = (found, candidate)
    return best[1] if best else None


def did_you_mean(word: str, candidates: Iterable[str]) -> str | None:
    """The hint that names the nearest candidate, or None."""
    found = nearest(word, candidates)
    return f"the nearest name is `{found}`" if found else None


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
