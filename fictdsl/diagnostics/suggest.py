"""Suggest the known name that an unknown name probably misspells."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import islice

_MAX_LENGTH = 60  # characters of a name; distances of longer names are slow to compute
_SUGGESTION = re.compile(r"(?:the nearest (?:name|value) is|UD calls it) `([^`]+)`")
_MAX_CANDIDATES = 500  # candidates that are compared, so that a long generated list costs little


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """Return the candidate with the smallest edit distance, ignoring case; None if none is similar enough.

    The distance is at most a third of the length of the longer word. Of candidates with equal distance, the first is
    returned.
    """
    if not word or len(word) > _MAX_LENGTH:
        return None
    return _nearest(word, tuple(islice(dict.fromkeys(candidates), _MAX_CANDIDATES)))


@lru_cache(maxsize=1024)
def _nearest(word: str, candidates: tuple[str, ...]) -> str | None:
    best_candidate: tuple[int, str] | None = None
    folded = word.casefold()
    for candidate in candidates:
        if candidate == word or len(candidate) > _MAX_LENGTH:
            continue
        max_edits = max(len(word), len(candidate)) // 3
        if best_candidate is not None:
            max_edits = min(max_edits, best_candidate[0] - 1)
        folded_candidate = candidate.casefold()
        if _lower_bound(folded, folded_candidate) > max_edits:
            continue
        edits = distance(folded, folded_candidate)
        if edits <= max_edits:
            best_candidate = (edits, candidate)
    return best_candidate[1] if best_candidate else None


def did_you_mean(word: str, candidates: Iterable[str]) -> str | None:
    """Return a hint that names the nearest candidate, or None."""
    name = nearest(word, candidates)
    return f"the nearest name is `{name}`" if name else None


def is_misspelling(word: str, intended: str) -> bool:
    """Return whether two words are equal, apart from letter case and at most one edit.

    An edit is a wrong, missing or added letter, or two letters in the wrong order.
    """
    return distance(word.casefold(), intended.casefold()) <= 1


def suggested_name(hint: str) -> str | None:
    """Return the one name that a hint suggests, or None."""
    match = _SUGGESTION.fullmatch(hint)
    return match and match[1]


def _lower_bound(a: str, b: str) -> int:
    """Return a lower bound of `distance` that is fast to compute.

    It is the number of letters of the longer word that have no counterpart in the other.
    """
    shared_letters = sum(min(a.count(letter), b.count(letter)) for letter in set(a) & set(b))
    return max(len(a), len(b)) - shared_letters


def distance(a: str, b: str) -> int:
    """Return the optimal string alignment distance, which counts transpositions of adjacent letters as one edit."""
    second_previous_row: list[int] = []
    previous_row = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        row = [i]
        for j, right in enumerate(b, 1):
            cost = min(row[j - 1] + 1, previous_row[j] + 1, previous_row[j - 1] + (left != right))
            if i > 1 and j > 1 and left == b[j - 2] and a[i - 2] == right:
                cost = min(cost, second_previous_row[j - 2] + 1)
            row.append(cost)
        second_previous_row, previous_row = previous_row, row
    return previous_row[-1]
