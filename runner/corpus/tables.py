"""Valid sentences in columns into Arrow tables: the columns of the store, with what is computed at import."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any
from unicodedata import normalize

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from runner.corpus import columns
from runner.corpus.check import Shape, edges
from runner.corpus.comments import Comments
from runner.corpus.layout import Lines, Rows
from runner.corpus.spans import Coded, Flags, Ints, composed, lengths, lookup, lowered, spans, spread, stripped

TABLES: dict[str, pa.Schema] = {
    "tokens": pa.schema(
        [("sid", pa.int64()), ("id", pa.int32()), ("n", pa.int32())]
        + [(name, pa.string()) for name in ("form", "lemma", "upos", "xpos", "deprel")]
        + [("head", pa.int32()), ("form_l", pa.string()), ("lemma_l", pa.string())]
        + [(name, pa.int32()) for name in ("pre", "last", "depth", "form_len", "lemma_len")]
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
        + [("length", pa.int32())]
    ),
    "raw": pa.schema(
        [("sid", pa.int64()), ("conllu", pa.string()), ("surface", pa.string()), ("rebuilt", pa.string())]
    ),
}


@dataclass(frozen=True, slots=True)
class Tables:
    """Some sentences as rows of each table, numbered from 0, strings of `tokens` as dictionaries.

    `tokens` has a column for each of the `features`, by its name, after its own; `doc` in `sentences` is the document
    that begins with a sentence, null where none does; `source` is null. `counts` are those of upos, deprel and the
    features.
    """

    tables: dict[str, pa.Table]
    features: list[str]
    counts: dict[str, Counter[str]]


def tables(lines: Lines, rows: Rows, shape: Shape, comments: Comments) -> Tables:
    """Put the columns of valid blocks together."""
    words = _Words.of(rows, shape)
    spelt = _rebuilt(rows, shape)
    surface = pc.coalesce(comments.text, spelt)
    sids = np.arange(len(lines.first))
    features, feature_counts = _features(words.columns[5])
    tokens = {**_tokens(words, shape), **features}
    counted = {name: _counted(words.columns[column]) for name, column in (("upos", 3), ("deprel", 7))}
    built = {
        "tokens": pa.table(tokens),
        "misc": _misc(words),
        "meta": _table("meta", comments.block, comments.key, comments.value, comments.num),
        "enhanced": _enhanced(words),
        "sentences": _table(
            "sentences",
            sids,
            pa.nulls(len(sids), pa.string()),
            sids + 1,
            comments.sent_id,
            comments.newdoc,
            stripped(surface),
            shape.lengths,
        ),
        "raw": _table(
            "raw",
            sids,
            spans(lines.data, lines.begin, lines.end),
            surface,
            pc.if_else(pc.equal(spelt, surface), pa.scalar(None, pa.string()), spelt),
        ),
    }
    return Tables(built, list(features), {**counted, **feature_counts})


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
    """The columns of `tokens` without the features."""
    form, lemma = words.columns[1], words.columns[2]
    given = ~lemma.where(lambda text: text == "_") | form.where(lambda text: text == "_")
    numbers = {
        "sid": words.block.astype(np.int64),
        "id": words.number,
        "n": np.repeat(shape.lengths, shape.lengths),
        "head": shape.heads,
        "pre": shape.pre,
        "last": shape.last,
        "depth": shape.depth,
        "form_len": lengths(form.dictionary)[form.codes],
    }
    lemmas = pa.array(lemma.codes, mask=~given)
    built: dict[str, Any] = {
        "form": _packed(form.codes, composed(form.dictionary)),
        "form_l": _packed(form.codes, lowered(form.dictionary)),
        "lemma": _packed(lemmas, composed(lemma.dictionary)),
        "lemma_l": _packed(lemmas, lowered(lemma.dictionary)),
        "lemma_len": pa.array(lengths(lemma.dictionary)[lemma.codes], pa.int32(), mask=~given),
        **{name: words.columns[at].mapped(_present) for name, at in (("upos", 3), ("xpos", 4), ("deprel", 7))},
        **{name: pa.array(values, TABLES["tokens"].field(name).type) for name, values in numbers.items()},
    }
    return {name: built[name] for name in TABLES["tokens"].names}


def _packed(codes: Any, dictionary: Any) -> Any:
    return pa.DictionaryArray.from_arrays(codes, dictionary)


def _features(feats: Coded) -> tuple[dict[str, Any], dict[str, Counter[str]]]:
    """A column of small codes for each feature, in order of appearance; and how often its values occur."""
    parsed = [dict(columns.features(text) or ()) for text in feats.values]
    counts = feats.counts()
    built, found = {}, {}
    for feature in dict.fromkeys(name for code in feats.order() for name in parsed[code]):
        values = list(dict.fromkeys(names[feature] for names in parsed if feature in names))
        places = {value: code for code, value in enumerate(values)}
        table = lookup([places[names[feature]] if feature in names else -1 for names in parsed], np.int16)
        codes = table[feats.codes]
        built[feature] = pa.DictionaryArray.from_arrays(pa.array(codes, mask=codes < 0), pa.array(values))
        found[feature] = Counter[str]()
        for code, count in zip(table, counts, strict=True):
            if code >= 0:
                found[feature][values[code]] += int(count)
    return built, found


def _counted(column: Coded) -> Counter[str]:
    counts = Counter[str]()
    for value, count in zip(column.values, column.counts(), strict=True):
        present = _present(value)
        if present is not None and count:
            counts[present] += int(count)
    return counts


def _misc(words: _Words) -> pa.Table:
    column = words.columns[9]
    parsed = [columns.misc(text) for text in column.values]
    rows, entries = spread(parsed, column.codes)
    flat = [entry for found in parsed for entry in found]
    return _table(
        "misc",
        words.block[rows],
        words.number[rows],
        pa.array([entry[0] for entry in flat], pa.string()).take(pa.array(entries)),
        pa.array([entry[1] for entry in flat], pa.string()).take(pa.array(entries)),
        pa.array([entry[2] for entry in flat], pa.float64()).take(pa.array(entries)),
    )


def _enhanced(words: _Words) -> pa.Table:
    """The edges between two words."""
    column = words.columns[8]
    parsed = [[edge for edge in edges(text) or () if edge[0] > 0] for text in column.values]
    rows, entries = spread(parsed, column.codes)
    heads = lookup([edge[0] for found in parsed for edge in found], np.int64)
    labels = pa.array([_nfc(edge[1]) for found in parsed for edge in found], pa.string())
    return _table("enhanced", words.block[rows], heads[entries], words.number[rows], labels.take(pa.array(entries)))


def _rebuilt(rows: Rows, shape: Shape) -> Any:
    """The text that the tokens of each sentence spell, as `runner.corpus.surface.rebuild` does."""
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


def _nfc(value: str) -> str:
    return normalize("NFC", value)


def _present(value: str) -> str | None:
    return None if value == "_" else normalize("NFC", value)
