"""Build the Arrow tables of valid sentences, and define the schemas of a store's tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from runner.corpus.conllu import columns
from runner.corpus.conllu.comments import Comments
from runner.corpus.conllu.enhanced_edges import EnhancedEdges
from runner.corpus.conllu.line_index import LineIndex, Rows
from runner.corpus.conllu.validate import TreeStructure
from runner.corpus.files.byte_strings import (
    DictColumn,
    Flags,
    Ints,
    expand_lists,
    lookup_table,
    slice_strings,
    strip_nfc,
)

SCHEMAS: dict[str, pa.Schema] = {
    "tokens": pa.schema(
        [("sid", pa.int64()), ("id", pa.int32()), ("n", pa.int32())]
        + [(name, pa.string()) for name in ("form", "lemma", "upos", "xpos", "deprel")]
        + [("head", pa.int32()), ("form_l", pa.string()), ("lemma_l", pa.string())]
        + [(name, pa.int32()) for name in ("pre", "last", "depth")]
    ),
    "misc": pa.schema(
        [
            ("sid", pa.int64()),
            ("id", pa.int32()),
            ("key", pa.string()),
            ("value", pa.string()),
            ("num", pa.float64()),
        ]
    ),
    "meta": pa.schema([("sid", pa.int64()), ("key", pa.string()), ("value", pa.string()), ("num", pa.float64())]),
    "enhanced": pa.schema([("sid", pa.int64()), ("head", pa.int32()), ("dep", pa.int32()), ("label", pa.string())]),
    "sentences": pa.schema(
        [("sid", pa.int64()), ("source", pa.string()), ("number", pa.int64())]
        + [(name, pa.string()) for name in ("sent_id", "doc", "text")]
        + [("length", pa.int32()), ("surface", pa.string())]
    ),
    "raw": pa.schema([("sid", pa.int64()), ("conllu", pa.string()), ("rebuilt", pa.string())]),
}
NEIGHBOUR_COLUMNS = {
    f"{where}_{name}": SCHEMAS["tokens"].field(name).type
    for where, names in (
        ("h", ("upos", "deprel", "form_l", "head")),
        ("hh", ("deprel",)),
        ("n", ("upos", "deprel")),
    )
    for name in names
}  # columns of `tokens` copied from the head (h), the head's head (hh) and the next word (n)

NOT_NULL = {"sid", "id", "n", "form", "form_l", "head", "pre", "last", "depth"}  # columns of `tokens`
TEXT_COLUMNS = {"tokens": {"form", "form_l", "h_form_l"}, "sentences": {"text", "surface"}}  # absent without text


def schemas(*, text: bool) -> dict[str, pa.Schema]:
    """Return the schemas of a store's tables, with or without `text`; `tokens` lacks the columns of features."""
    if text:
        return SCHEMAS
    return {
        table: pa.schema([column for column in schema if column.name not in TEXT_COLUMNS.get(table, ())])
        for table, schema in SCHEMAS.items()
        if table != "raw"
    }


@dataclass(frozen=True, slots=True)
class Tables:
    """Some sentences as rows of each table, numbered from 0.

    `tokens` has the columns of words as read, with strings as dictionaries. In `sentences`, `doc` is the document that
    begins with a sentence, null if none does, and `source` is null.
    """

    tables: dict[str, pa.Table]


def build_tables(lines: LineIndex, rows: Rows, structure: TreeStructure, comments: Comments) -> Tables:
    """Build the tables of valid blocks."""
    words = _Words.of(rows, structure)
    rebuilt = _rebuilt_texts(rows, structure)
    surface = pc.coalesce(comments.text, rebuilt)
    text = strip_nfc(surface)
    sids = np.arange(len(lines.first))
    built_tables = {
        "tokens": pa.table(_tokens(words, structure)),
        "misc": _misc(words),
        "meta": _table("meta", comments.block, comments.key, comments.value, comments.num),
        "enhanced": _enhanced(words, structure.edges),
        "sentences": _table(
            "sentences",
            sids,
            pa.nulls(len(sids), pa.string()),
            sids + 1,
            comments.sent_id,
            comments.newdoc,
            text,
            structure.lengths,
            _null_where_equal(surface, text),
        ),
        "raw": _table(
            "raw", sids, slice_strings(lines.data, lines.begin, lines.end), _null_where_equal(rebuilt, surface)
        ),
    }
    return Tables(built_tables)


def _null_where_equal(strings: Any, others: Any) -> Any:
    """Return `strings` with null where they equal `others`."""
    return pc.if_else(pc.equal(strings, others), pa.scalar(None, pa.string()), strings)


def _table(name: str, *arrays: Any) -> pa.Table:
    schema = SCHEMAS[name]
    columns = [
        pa.array(array.astype(field.type.to_pandas_dtype()) if isinstance(array, np.ndarray) else array, field.type)
        for array, field in zip(arrays, schema, strict=True)
    ]
    return pa.Table.from_arrays(columns, schema=schema)


@dataclass(frozen=True, slots=True)
class _Words:
    """The rows that are words: the block and number of each, and the ten columns."""

    block: Ints
    number: Ints
    columns: tuple[DictColumn, ...]

    @classmethod
    def of(cls, rows: Rows, structure: TreeStructure) -> _Words:
        if structure.words.all():
            return cls(rows.block, structure.number, rows.columns)
        word_columns = tuple(column.take(structure.words) for column in rows.columns)
        return cls(rows.block[structure.words], structure.number[structure.words], word_columns)


def _tokens(words: _Words, structure: TreeStructure) -> dict[str, Any]:
    numbers = {
        "id": words.number,
        "n": np.repeat(structure.lengths, structure.lengths),
        "head": structure.heads,
        "pre": structure.pre,
        "last": structure.last,
        "depth": structure.depth,
    }
    string_columns = {"form": 1, "lemma": 2, "upos": 3, "xpos": 4, "feats": 5, "deprel": 7}
    return {
        "sid": words.block.astype(np.int64),
        **{name: values.astype(np.int16) for name, values in numbers.items()},  # sentences are shorter
        **{name: words.columns[index].to_arrow() for name, index in string_columns.items()},
    }


def _misc(words: _Words) -> pa.Table:
    column = words.columns[9]
    parsed = [columns.parse_misc(text) for text in column.values]
    rows, entries = expand_lists(lookup_table([len(value_entries) for value_entries in parsed], np.int64), column.codes)
    flat = [entry for value_entries in parsed for entry in value_entries]
    return _table(
        "misc",
        words.block[rows],
        words.number[rows],
        pa.array([entry[0] for entry in flat], pa.string()).take(pa.array(entries)),
        pa.array([entry[1] for entry in flat], pa.string()).take(pa.array(entries)),
        pa.array([entry[2] for entry in flat], pa.float64()).take(pa.array(entries)),
    )


def _enhanced(words: _Words, edges: EnhancedEdges) -> pa.Table:
    """Return the table of enhanced edges between two words."""
    between = edges.head > 0
    sizes = np.bincount(edges.owner[between], minlength=len(edges.malformed))
    rows, entries = expand_lists(sizes, words.columns[8].codes)
    heads, labels = edges.head[between], edges.labels(between)
    return _table("enhanced", words.block[rows], heads[entries], words.number[rows], labels.take(pa.array(entries)))


def _rebuilt_texts(rows: Rows, structure: TreeStructure) -> Any:
    """Return the text that the tokens of each sentence spell, equal to `runner.corpus.text.surface.rebuild`."""
    is_token = structure.words | _mask(structure.ranges, len(rows.block))
    if len(structure.ranges):
        is_token &= ~_multiword_parts(structure)
    form, misc = rows.columns[1].take(is_token), rows.columns[9].take(is_token)
    no_space_after = misc.where(lambda text: "SpaceAfter=No" in text.split("|"))
    spellings = pa.concat_arrays([form.dictionary, pc.binary_join_element_wise(form.dictionary, " ", "")])
    tokens = spellings.take(pa.array(np.where(no_space_after, form.codes, form.codes + len(form.dictionary))))
    block = rows.block[is_token]
    offsets = np.frombuffer(tokens.buffers()[1], np.int32)[: len(block) + 1].astype(np.int64)
    firsts = np.flatnonzero(np.append(True, block[1:] != block[:-1]))
    starts, ends = offsets[firsts], offsets[np.append(firsts[1:], len(block))]
    data = tokens.buffers()[2]
    return slice_strings(data, starts, ends - (np.frombuffer(data, np.uint8)[ends - 1] == ord(" ")))


def _multiword_parts(structure: TreeStructure) -> Flags:
    """Return a mask of the rows that are words of a multiword token."""
    change = np.zeros(int(structure.words.sum()) + 1, np.int64)
    preceding_words = np.cumsum(structure.words)[structure.ranges]
    change[preceding_words] += 1
    change[preceding_words + structure.until - structure.number[structure.ranges]] -= 1
    covered = np.zeros(len(structure.words), bool)
    covered[structure.words] = np.cumsum(change)[:-1] > 0
    return covered


def _mask(rows: Ints, length: int) -> Flags:
    flags = np.zeros(length, bool)
    flags[rows] = True
    return flags
