"""The distinct values of DEPS into their edges, all at once: the value of each, its head, the place of its label."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from runner.corpus.conllu.conllu_errors import WORD_LIMIT
from runner.corpus.files.byte_strings import Flags, Ints, composed, located, spans

_DIGITS = len(str(WORD_LIMIT))


@dataclass(frozen=True, slots=True)
class Edges:
    """The edges of some values, in order.

    `owner` is the number of the value of each, `head` its head: 0 for the root, -1 for what can only be an empty node.
    `malformed` are the values with an entry that lacks its label.
    """

    owner: Ints
    head: Ints
    malformed: Flags
    _data: Any
    _begin: Ints
    _end: Ints

    @classmethod
    def of(cls, values: Any) -> Edges:
        """The edges of strings, none of them empty; `_` has none."""
        offsets, data = located(values)
        text = np.frombuffer(data, np.uint8, offsets[-1])
        pipes = np.flatnonzero(text == ord("|"))
        begin = np.sort(np.concatenate((offsets[:-1], pipes + 1)))
        end = np.sort(np.concatenate((offsets[1:], pipes)))
        entries = 1 + np.bincount(np.searchsorted(offsets, pipes, "right") - 1, minlength=len(values))
        owner = np.repeat(np.arange(len(values)), entries)
        there = ((np.diff(offsets) > 1) | (text[offsets[:-1]] != ord("_")))[owner]
        owner, begin, end = owner[there], begin[there], end[there]
        colons = np.append(np.flatnonzero(text == ord(":")), len(text))
        colon = colons[np.searchsorted(colons, begin)]
        malformed = np.zeros(len(values), bool)
        malformed[owner[colon + 1 >= end]] = True
        return cls(owner, _numbers(text, begin, np.minimum(colon, end)), malformed, data, colon + 1, end)

    def labels(self, which: Flags) -> Any:
        """The labels of some edges of well-formed values, in NFC."""
        return composed(spans(self._data, self._begin[which], self._end[which]))


def _numbers(text: Any, begin: Ints, end: Ints) -> Ints:
    """What decimals of up to the longest sentence's number spell, or -1 for all other strings."""
    size = end - begin
    good = (size > 0) & (size <= _DIGITS)
    number = np.zeros(len(size), np.int64)
    for place in range(_DIGITS):
        digit = text[np.minimum(begin + place, len(text) - 1)] - np.uint8(ord("0"))  # above 9 for all but digits
        inside = place < size
        good &= ~inside | (digit <= 9)
        if place == 0:
            good &= (digit > 0) | (size == 1)
        number = np.where(inside, number * 10 + digit, number)
    return np.where(good & (number <= WORD_LIMIT), number, -1)
