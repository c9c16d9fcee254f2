"""Arrow tables of valid sentences: those of a store, and the words that `ingest.sorted_tokens` sorts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from runner.corpus.conllu import columns
from runner.corpus.conllu.comments import Comments
from runner.corpus.conllu.enhanced_edges import Edges
from runner.corpus.conllu.line_index import Lines, Rows
from runner.corpus.conllu.validate import Shape
from runner.corpus.files.byte_strings import Coded, Flags, Ints, lookup, spans, spread, stripped

TABLES: dict[str, pa.Schema] = {
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
COPIES = {
    f"{where}_{name}": TABLES["tokens"].field(name).type
    for where, names in (
        ("h", ("upos", "deprel", "form_l", "head")),
        ("hh", ("deprel",)),
        ("n", ("upos", "deprel")),
    )
    for name in names
}  # columns of a word's head (h), of its head (hh) and of the next words (n, n2, n3), in `tokens` too

ALWAYS = {"sid", "id", "n", "form", "form_l", "head", "pre", "last", "depth"}  # columns of `tokens` without NULL
TEXT = {"tokens": {"form", "form_l", "h_form_l"}, "sentences": {"text", "surface"}}  # columns that spell a text


def schemas(*, text: bool) -> dict[str, pa.Schema]:
    """The tables of a store and their columns, `tokens` without those of features; or only what spells no text."""
    if text:
        return TABLES
    return {
        table: pa.schema([column for column in schema if column.name not in TEXT.get(table, ())])
        for table, schema in TABLES.items()
        if table != "raw"
    }


@dataclass(frozen=True, slots=True)
class Tables:
    """Some sentences as rows of each table, numbered from 0.

    `tokens` has the columns of words as they were read, strings as dictionaries; `doc` in `sentences` is the document
    that begins with a sentence, null where none does; `source` is null.
    """

    tables: dict[str, pa.Table]


def tables(lines: Lines, rows: Rows, shape: Shape, comments: Comments) -> Tables:
    """Put the columns of valid blocks together."""
    words = _Words.of(rows, shape)
    spelt = _rebuilt(rows, shape)
    surface = pc.coalesce(comments.text, spelt)
    text = stripped(surface)
    sids = np.arange(len(lines.first))
    built = {
        "tokens": pa.table(_tokens(words, shape)),
        "misc": _misc(words),
        "meta": _table("meta", comments.block, comments.key, comments.value, comments.num),
        "enhanced": _enhanced(words, shape.edges),
        "sentences": _table(
            "sentences",
            sids,
            pa.nulls(len(sids), pa.string()),
            sids + 1,
            comments.sent_id,
            comments.newdoc,
            text,
            shape.lengths,
            _unless(surface, text),
        ),
        "raw": _table("raw", sids, spans(lines.data, lines.begin, lines.end), _unless(spelt, surface)),
    }
    return Tables(built)


def _unless(strings: Any, others: Any) -> Any:
    """Strings, null where they are the other ones."""
    return pc.if_else(pc.equal(strings, others), pa.scalar(None, pa.string()), strings)


def _table(name: str, *arrays: Any) -> pa.Table:
    schema = TABLES[name]
    cast = [
        pa.array(array.astype(entry.type.to_pandas_dtype()) if isinstance(array, np.ndarray) else array, entry.type)
        for array, entry in zip(arrays, schema, strict=True)
    ]
    return pa.Table.from_arrays(cast, schema=schema)


@dataclass(frozen=True, slots=True)
class _Words:
    """The rows that are words: the block of each, its number, and the ten columns."""

    block: Ints
    number: Ints
    columns: tuple[Coded, ...]

    @classmethod
    def of(cls, rows: Rows, shape: Shape) -> _Words:
        if shape.words.all():
            return cls(rows.block, shape.number, rows.columns)
        chosen = [column.at(shape.words) for column in rows.columns]
        return cls(rows.block[shape.words], shape.number[shape.words], tuple(chosen))


def _tokens(words: _Words, shape: Shape) -> dict[str, Any]:
    numbers = {
        "id": words.number,
        "n": np.repeat(shape.lengths, shape.lengths),
        "head": shape.heads,
        "pre": shape.pre,
        "last": shape.last,
        "depth": shape.depth,
    }
    texts = {"form": 1, "lemma": 2, "upos": 3, "xpos": 4, "feats": 5, "deprel": 7}
    return {
        "sid": words.block.astype(np.int64),
        **{name: values.astype(np.int16) for name, values in numbers.items()},  # sentences are shorter
        **{name: words.columns[place].packed() for name, place in texts.items()},
    }


def _misc(words: _Words) -> pa.Table:
    column = words.columns[9]
    parsed = [columns.misc(text) for text in column.values]
    rows, entries = spread(lookup([len(found) for found in parsed], np.int64), column.codes)
    flat = [entry for found in parsed for entry in found]
    return _table(
        "misc",
        words.block[rows],
        words.number[rows],
        pa.array([entry[0] for entry in flat], pa.string()).take(pa.array(entries)),
        pa.array([entry[1] for entry in flat], pa.string()).take(pa.array(entries)),
        pa.array([entry[2] for entry in flat], pa.float64()).take(pa.array(entries)),
    )


def _enhanced(words: _Words, edges: Edges) -> pa.Table:
    """The edges between two words."""
    between = edges.head > 0
    sizes = np.bincount(edges.owner[between], minlength=len(edges.malformed))
    rows, entries = spread(sizes, words.columns[8].codes)
    heads, labels = edges.head[between], edges.labels(between)
    return _table("enhanced", words.block[rows], heads[entries], words.number[rows], labels.take(pa.array(entries)))


def _rebuilt(rows: Rows, shape: Shape) -> Any:
    """The text that the tokens of each sentence spell, as `runner.corpus.text.surface.rebuild` does."""
    shown = shape.words | _flags(shape.ranges, len(rows.block))
    if len(shape.ranges):
        shown &= ~_covered(shape)
    form, misc = rows.columns[1].at(shown), rows.columns[9].at(shown)
    joined = misc.where(lambda text: "SpaceAfter=No" in text.split("|"))
    both = pa.concat_arrays([form.dictionary, pc.binary_join_element_wise(form.dictionary, " ", "")])
    tokens = both.take(pa.array(np.where(joined, form.codes, form.codes + len(form.dictionary))))
    block = rows.block[shown]
    offsets = np.frombuffer(tokens.buffers()[1], np.int32)[: len(block) + 1].astype(np.int64)
    firsts = np.flatnonzero(np.append(True, block[1:] != block[:-1]))
    starts, ends = offsets[firsts], offsets[np.append(firsts[1:], len(block))]
    data = tokens.buffers()[2]
    return spans(data, starts, ends - (np.frombuffer(data, np.uint8)[ends - 1] == ord(" ")))


def _covered(shape: Shape) -> Flags:
    """The rows that are words of a multiword token."""
    change = np.zeros(int(shape.words.sum()) + 1, np.int64)
    before = np.cumsum(shape.words)[shape.ranges]  # all words that stand before the token
    change[before] += 1
    change[before + shape.until - shape.number[shape.ranges]] -= 1
    covered = np.zeros(len(shape.words), bool)
    covered[shape.words] = np.cumsum(change)[:-1] > 0
    return covered


def _flags(rows: Ints, length: int) -> Flags:
    flags = np.zeros(length, bool)
    flags[rows] = True
    return flags
