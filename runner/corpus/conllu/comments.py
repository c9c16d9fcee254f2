"""Parse the comment lines of many blocks: metadata, `sent_id`, `text` and `newdoc`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from runner.corpus.conllu import columns
from runner.corpus.conllu.line_index import LineIndex
from runner.corpus.files.byte_strings import (
    Flags,
    Ints,
    dictionary_encode,
    lookup_table,
    slice_strings,
    string_offsets,
    strip_nfc,
)

_TEXT = re.compile(r"[ \t]*text[ \t]*")
NEWDOC = re.compile(r"newdoc(\s.*)?")  # the id is optional
_NUMERIC = np.zeros(256, bool)  # whether a byte occurs in decimal numbers
_NUMERIC[np.frombuffer(b"+-.0123456789", np.uint8)] = True
_INT64_DIGITS = 19  # every number with fewer digits is a 64-bit integer


@dataclass(frozen=True, slots=True)
class Comments:
    """The comments of some blocks.

    `block`, `key`, `value` and `num` have an entry for each comment. `sent_id`, `text` (the exact `# text`) and
    `newdoc` (the last `newdoc id`) have an entry for each block, which is null if the comment is missing. An entry of
    `newdoc` is "" for a `newdoc` without an id. `num` is null unless the value is a decimal number.
    `empty_texts` is the number of comments `text` without a value, which are as if they were missing.
    """

    block: Ints
    key: Any
    value: Any
    num: Any
    sent_id: Any
    text: Any
    newdoc: Any
    empty_texts: int


def parse_comments(lines: LineIndex, mask: Flags) -> Comments:
    """Parse the comment lines, which `mask` selects."""
    byte_array, block_count = lines.byte_array, len(lines.first)
    starts, ends, block = lines.starts[mask], lines.ends[mask], lines.block[mask]
    equals = np.append(np.flatnonzero(byte_array == ord("=")), len(byte_array))
    equals = equals[np.searchsorted(equals, starts)]
    key_ends = np.minimum(equals, ends)
    value_starts = np.minimum(key_ends + 1, ends)
    keys = dictionary_encode(lines.data, starts + 1, key_ends)
    key = keys.map_values(lambda text: columns.parse_comment(text)[0]).dictionary_decode()
    value = strip_nfc(slice_strings(lines.data, value_starts, ends))
    is_text = keys.where(lambda text: _TEXT.fullmatch(text) is not None) & (equals < ends)
    is_empty = pc.equal(pc.binary_length(value), 0).to_numpy(zero_copy_only=False) & is_text
    is_text &= ~is_empty
    text_rows = _first_rows(block, is_text, block_count)
    text_lines = text_rows[text_rows >= 0]
    text_starts = value_starts[text_lines] + (
        (value_starts[text_lines] < ends[text_lines]) & (byte_array[value_starts[text_lines]] == ord(" "))
    )
    text = slice_strings(lines.data, text_starts, ends[text_lines])
    text_indices = np.where(text_rows >= 0, np.cumsum(text_rows >= 0) - 1, -1)
    is_sent_id = keys.where(lambda text: columns.parse_comment(text)[0] == "sent_id")
    is_newdoc_id = keys.where(lambda text: columns.parse_comment(text)[0] == "newdoc id")
    is_newdoc = keys.where(lambda text: NEWDOC.fullmatch(columns.parse_comment(text)[0]) is not None)
    last_id, first_newdoc = np.full(block_count, -1), _first_rows(block, is_newdoc, block_count)
    last_id[block[is_newdoc_id]] = np.flatnonzero(is_newdoc_id)
    newdoc = pc.if_else(pa.array((first_newdoc >= 0) & (last_id < 0)), "", _take_or_null(value, last_id))
    return Comments(
        block,
        key,
        value,
        _parse_numbers(value),
        _take_or_null(value, _first_rows(block, is_sent_id, block_count)),
        _take_or_null(text, text_indices),
        newdoc,
        int(is_empty.sum()),
    )


def _parse_numbers(values: Any) -> Any:
    """Return the decimal number in each value, or null."""
    offsets, data = string_offsets(values)
    byte_array = np.frombuffer(data, np.uint8, offsets[-1])
    candidates = np.flatnonzero(np.diff(offsets))
    first_bytes, last_bytes = byte_array[offsets[candidates]], byte_array[offsets[candidates + 1] - 1]
    candidates = candidates[_NUMERIC[first_bytes] & _NUMERIC[last_bytes]]
    candidates = candidates[_consist_of(_NUMERIC, values.take(pa.array(candidates)))]
    strings = values.take(pa.array(candidates))
    is_integer = pc.and_(pc.ascii_is_decimal(strings), pc.less(pc.binary_length(strings), _INT64_DIGITS))
    integer_mask = is_integer.to_numpy(zero_copy_only=False)
    numbers = np.full(len(values), np.nan)
    numbers[candidates[integer_mask]] = strings.filter(is_integer).cast(pa.int64()).to_numpy()
    decimals = strings.filter(pc.invert(is_integer)).dictionary_encode()
    parsed = [columns.parse_number(text) for text in decimals.dictionary.to_pylist()]
    numbers[candidates[~integer_mask]] = lookup_table(parsed, np.float64)[decimals.indices.to_numpy()]
    return pa.array(numbers, from_pandas=True)


def _consist_of(allowed: Flags, strings: Any) -> Flags:
    """Return a mask of the strings that consist only of bytes in `allowed`."""
    offsets, data = string_offsets(strings)
    other_bytes = np.flatnonzero(~allowed[np.frombuffer(data, np.uint8, offsets[-1])])
    mask = np.ones(len(strings), bool)
    mask[np.searchsorted(offsets, other_bytes, "right") - 1] = False
    return mask


def _first_rows(block: Ints, flags: Flags, block_count: int) -> Ints:
    """Return the first row of each block in which `flags` is true, or -1."""
    rows = np.flatnonzero(flags)
    first_rows = np.full(block_count, -1)
    first_rows[block[rows[::-1]]] = rows[::-1]
    return first_rows


def _take_or_null(values: Any, rows: Ints) -> Any:
    """Return the values at some rows, null for -1."""
    return values.take(pa.array(rows, mask=rows < 0))
