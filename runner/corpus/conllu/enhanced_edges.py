"""Parse all distinct values of DEPS at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from runner.corpus.conllu.conllu_errors import WORD_LIMIT
from runner.corpus.files.byte_strings import Flags, Ints, slice_strings, string_offsets, to_nfc

_DIGITS = len(str(WORD_LIMIT))


@dataclass(frozen=True, slots=True)
class EnhancedEdges:
    """The edges of distinct DEPS values, in order.

    `owner` is, for each edge, the index of the DEPS value that contains it. `head` is the id of its head: 0 for the
    root, and -1 if it cannot be the id of a word, as for an empty node. `malformed` is a mask of the values with an
    entry that has no label.
    """

    owner: Ints
    head: Ints
    malformed: Flags
    _data: Any
    _label_begin: Ints
    _label_end: Ints

    @classmethod
    def parse(cls, values: Any) -> EnhancedEdges:
        """Parse strings that are not empty. The string `_` has no edges."""
        offsets, data = string_offsets(values)
        byte_array = np.frombuffer(data, np.uint8, offsets[-1])
        pipes = np.flatnonzero(byte_array == ord("|"))
        begin = np.sort(np.concatenate((offsets[:-1], pipes + 1)))
        end = np.sort(np.concatenate((offsets[1:], pipes)))
        entry_counts = 1 + np.bincount(np.searchsorted(offsets, pipes, "right") - 1, minlength=len(values))
        owner = np.repeat(np.arange(len(values)), entry_counts)
        has_edges = ((np.diff(offsets) > 1) | (byte_array[offsets[:-1]] != ord("_")))[owner]
        owner, begin, end = owner[has_edges], begin[has_edges], end[has_edges]
        colons = np.append(np.flatnonzero(byte_array == ord(":")), len(byte_array))
        colon = colons[np.searchsorted(colons, begin)]
        malformed = np.zeros(len(values), bool)
        malformed[owner[colon + 1 >= end]] = True
        return cls(owner, _parse_heads(byte_array, begin, np.minimum(colon, end)), malformed, data, colon + 1, end)

    def labels(self, mask: Flags) -> Any:
        """Return the labels, in NFC, of the edges that `mask` selects. Their values must be well-formed."""
        return to_nfc(slice_strings(self._data, self._label_begin[mask], self._label_end[mask]))


def _parse_heads(byte_array: Any, begin: Ints, end: Ints) -> Ints:
    """Return the value of each decimal number up to `WORD_LIMIT`, and -1 for every other string."""
    length = end - begin
    valid = (length > 0) & (length <= _DIGITS)
    number = np.zeros(len(length), np.int64)
    for position in range(_DIGITS):
        # unsigned, so a byte that is not a digit gives more than 9
        digit = byte_array[np.minimum(begin + position, len(byte_array) - 1)] - np.uint8(ord("0"))
        in_string = position < length
        valid &= ~in_string | (digit <= 9)
        if position == 0:
            valid &= (digit > 0) | (length == 1)
        number = np.where(in_string, number * 10 + digit, number)
    return np.where(valid & (number <= WORD_LIMIT), number, -1)
