"""The comment lines of many blocks into entries, and into what they say about their sentences."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from runner.corpus.conllu import columns
from runner.corpus.conllu.line_index import Lines
from runner.corpus.files.byte_strings import Flags, Ints, coded, located, lookup, spans, stripped

_TEXT = re.compile(r"[ \t]*text[ \t]*")
_NEWDOC = re.compile(r"newdoc(\s.*)?")  # with an id or without
_SPELLED = np.zeros(256, bool)
_SPELLED[np.frombuffer(b"+-.0123456789", np.uint8)] = True
_EXACT = 19  # an integer of 64 bits holds all numbers with fewer digits


@dataclass(frozen=True, slots=True)
class Comments:
    """The block, key, value and number of each comment; of each block its sent_id, its `# text` to the byte, and the
    last `newdoc id`, each null where there is none; the empty string for a `newdoc` without an id."""

    block: Ints
    key: Any
    value: Any
    num: Any
    sent_id: Any
    text: Any
    newdoc: Any


def comments(lines: Lines, which: Flags) -> Comments:
    """Read the lines that are comments."""
    numbers, blocks = lines.numbers, len(lines.first)
    starts, ends, block = lines.starts[which], lines.ends[which], lines.block[which]
    signs = np.append(np.flatnonzero(numbers == ord("=")), len(numbers))
    signs = signs[np.searchsorted(signs, starts)]
    stops = np.minimum(signs, ends)
    begins = np.minimum(stops + 1, ends)
    raw = coded(lines.data, starts + 1, stops)
    key = raw.mapped(lambda text: columns.keyed(text)[0]).dictionary_decode()
    value = stripped(spans(lines.data, begins, ends))
    declares = raw.where(lambda text: _TEXT.fullmatch(text) is not None) & (signs < ends)
    texts = _first(block, declares, blocks)
    chosen = texts[texts >= 0]
    skip = begins[chosen] + ((begins[chosen] < ends[chosen]) & (numbers[begins[chosen]] == ord(" ")))
    text = spans(lines.data, skip, ends[chosen])
    places = np.where(texts >= 0, np.cumsum(texts >= 0) - 1, -1)
    ids = raw.where(lambda text: columns.keyed(text)[0] == "sent_id")
    named = raw.where(lambda text: columns.keyed(text)[0] == "newdoc id")
    begun = raw.where(lambda text: _NEWDOC.fullmatch(columns.keyed(text)[0]) is not None)
    last, first = np.full(blocks, -1), _first(block, begun, blocks)
    last[block[named]] = np.flatnonzero(named)
    newdoc = pc.if_else(pa.array((first >= 0) & (last < 0)), "", _taken(value, last))
    return Comments(
        block,
        key,
        value,
        _numbers(value),
        _taken(value, _first(block, ids, blocks)),
        _taken(text, places),
        newdoc,
    )


def _numbers(values: Any) -> Any:
    """The number that each value spells, or null."""
    offsets, data = located(values)
    text = np.frombuffer(data, np.uint8, offsets[-1])
    likely = np.flatnonzero(np.diff(offsets))
    ends = text[offsets[likely]], text[offsets[likely + 1] - 1]
    likely = likely[_SPELLED[ends[0]] & _SPELLED[ends[1]]]
    likely = likely[_all(_SPELLED, values.take(pa.array(likely)))]
    strings = values.take(pa.array(likely))
    short = pc.and_(pc.ascii_is_decimal(strings), pc.less(pc.binary_length(strings), _EXACT))
    integers = short.to_numpy(zero_copy_only=False)
    found = np.full(len(values), np.nan)
    found[likely[integers]] = strings.filter(short).cast(pa.int64()).to_numpy()
    others = strings.filter(pc.invert(short)).dictionary_encode()
    numbers = [columns.number(text) for text in others.dictionary.to_pylist()]
    found[likely[~integers]] = lookup(numbers, np.float64)[others.indices.to_numpy()]
    return pa.array(found, from_pandas=True)


def _all(kind: Flags, strings: Any) -> Flags:
    """The strings that have only bytes of a kind."""
    offsets, data = located(strings)
    others = np.flatnonzero(~kind[np.frombuffer(data, np.uint8, offsets[-1])])
    alike = np.ones(len(strings), bool)
    alike[np.searchsorted(offsets, others, "right") - 1] = False
    return alike


def _first(block: Ints, flags: Flags, blocks: int) -> Ints:
    """The first row of each block whose flag is up, or -1."""
    rows = np.flatnonzero(flags)
    first = np.full(blocks, -1)
    first[block[rows[::-1]]] = rows[::-1]
    return first


def _taken(values: Any, places: Ints) -> Any:
    """The values at some places, null for -1."""
    return values.take(pa.array(places, mask=places < 0))
