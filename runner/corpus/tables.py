"""Trees into Arrow tables, a batch at a time: the columns of the store, with what is computed at import."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any
from unicodedata import normalize

import pyarrow as pa

from runner.corpus import columns
from runner.corpus.conllu import Tree
from runner.corpus.surface import declared_text, rebuild

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


@dataclass(slots=True)
class Vocabulary:
    """What is known of a whole corpus while it is read: physical feature columns, and how often values occur."""

    features: dict[str, str] = field(default_factory=dict)
    values: dict[str, Counter[str]] = field(default_factory=dict)

    def physical(self, feature: str) -> str:
        """The column of a feature; names that differ only by case, which engines confuse, get different ones."""
        if feature not in self.features:
            taken = {name.lower() for name in self.features.values()}
            column, number = f"feat_{feature}", 2
            while column.lower() in taken:
                column, number = f"feat_{feature}~{number}", number + 1
            self.features[feature] = column
        return self.features[feature]


class Batch:
    """Sentences gathered row by row; `tables` turns them into Arrow, computing per distinct value what it can."""

    def __init__(self) -> None:
        self.words = 0
        self._columns: dict[str, tuple[list[Any], ...]] = {
            name: tuple([] for _ in schema) for name, schema in TABLES.items()
        }
        self._feats: list[str] = []

    def add(self, sid: int, tree: Tree, source: str, number: int, doc: str | None) -> str | None:
        """Append one sentence under its global number `sid`; `number` counts in its source.

        `doc` is the document that the sentence before belongs to; returned is this sentence's own.
        """
        n = len(tree.heads)
        self.words += n
        forms, miscs = tree.words[1], tree.words[9]
        rows = self._columns["tokens"]
        rows[0].extend(repeat(sid, n))
        rows[1].extend(range(1, n + 1))
        rows[2].extend(repeat(n, n))
        for column, values in zip(rows[3:8], (*tree.words[1:5], tree.words[7]), strict=True):
            column.extend(values)
        rows[8].extend(tree.heads)
        rows[11].extend(tree.pre)
        rows[12].extend(tree.last)
        rows[13].extend(tree.depth)
        self._feats.extend(tree.words[5])
        self._add_misc(sid, miscs)
        self._add_edges(sid, tree)
        meta = self._add_meta(sid, tree)
        doc = meta.get("newdoc id", [doc])[-1]
        declared = declared_text(tree.comments)
        rebuilt = rebuild(forms, miscs, tree.ranges)
        surface = rebuilt if declared is None else declared
        text = normalize("NFC", surface).strip()
        sentence = (sid, source, number, meta.get("sent_id", [None])[0], doc, text, n)
        _append(self._columns["sentences"], sentence)
        _append(self._columns["raw"], (sid, tree.text, surface, rebuilt if rebuilt != surface else None))
        return doc

    def _add_misc(self, sid: int, miscs: tuple[str, ...]) -> None:
        if miscs.count("_") == len(miscs):
            return
        for word, text in enumerate(miscs, 1):
            for entry in columns.misc(text):
                _append(self._columns["misc"], (sid, word, *entry))

    def _add_edges(self, sid: int, tree: Tree) -> None:
        if tree.edges:
            heads, dependents, labels = zip(*tree.edges, strict=True)
            columns_ = self._columns["enhanced"]
            columns_[0].extend(repeat(sid, len(heads)))
            columns_[1].extend(heads)
            columns_[2].extend(dependents)
            columns_[3].extend(labels)

    def _add_meta(self, sid: int, tree: Tree) -> dict[str, list[str]]:
        values: dict[str, list[str]] = {}
        for comment in tree.comments:
            entry = columns.keyed(comment[1:])
            _append(self._columns["meta"], (sid, *entry))
            values.setdefault(entry[0], []).append(entry[1])
        return values

    def tables(self, vocabulary: Vocabulary) -> dict[str, pa.Table]:
        """The rows as one Arrow table each; `vocabulary` learns the features and counts the values."""
        built = {
            name: pa.Table.from_arrays(
                [pa.array(column, type=entry.type) for column, entry in zip(self._columns[name], schema, strict=True)],
                schema=schema,
            )
            for name, schema in TABLES.items()
            if name not in ("tokens", "enhanced")
        }
        heads, dependents, labels = self._columns["enhanced"][1:]
        edges = [pa.array(self._columns["enhanced"][0], pa.int64()), pa.array(heads, pa.int32())]
        edges += [pa.array(dependents, pa.int32()), _mapped(labels, _nfc)]
        built["enhanced"] = pa.Table.from_arrays(edges, schema=TABLES["enhanced"])
        built["tokens"] = self._tokens(vocabulary)
        return built

    def _tokens(self, vocabulary: Vocabulary) -> pa.Table:
        raw = dict(zip(TABLES["tokens"].names, self._columns["tokens"], strict=True))
        lemmas = [
            lemma if lemma != "_" or form == "_" else None
            for form, lemma in zip(raw["form"], raw["lemma"], strict=True)
        ]
        built = {name: pa.array(raw[name], TABLES["tokens"].field(name).type) for name in raw}
        built["form"], built["lemma"] = _mapped(raw["form"], _nfc), _mapped(lemmas, _nfc)
        built["form_l"], built["lemma_l"] = _mapped(raw["form"], _lower), _mapped(lemmas, _lower)
        built["form_len"] = _mapped(raw["form"], _length, pa.int32())
        built["lemma_len"] = _mapped(lemmas, _length, pa.int32())
        for name in ("upos", "xpos", "deprel"):
            built[name] = _mapped(raw[name], _present)
            if name != "xpos":
                _count(vocabulary, name, built[name])
        table = pa.Table.from_pydict(built, schema=TABLES["tokens"])
        feats = pa.array(self._feats).dictionary_encode()
        parsed = [dict(columns.features(text) or ()) for text in feats.dictionary.to_pylist()]
        for feature in dict.fromkeys(name for names in parsed for name in names):
            values = pa.array([names.get(feature) for names in parsed], pa.string()).take(feats.indices)
            _count(vocabulary, feature, values)
            table = table.append_column(vocabulary.physical(feature), values)
        return table


def _append(columns_: tuple[list[Any], ...], row: tuple[object, ...]) -> None:
    for column, value in zip(columns_, row, strict=True):
        column.append(value)


def _mapped(values: list[Any], change: Callable[[str], object], kind: pa.DataType | None = None) -> pa.Array:
    """Each value changed, computed once for each distinct one; None stays None."""
    encoded = pa.array(values, pa.string()).dictionary_encode()
    changed = pa.array([change(value) for value in encoded.dictionary.to_pylist()], kind or pa.string())
    return changed.take(encoded.indices)


def _nfc(value: str) -> str:
    return normalize("NFC", value)


def _present(value: str) -> str | None:
    return None if value == "_" else normalize("NFC", value)


def _lower(value: str) -> str:
    return normalize("NFC", normalize("NFC", value).lower())


def _length(value: str) -> int:
    return len(normalize("NFC", value))


def _count(vocabulary: Vocabulary, name: str, values: pa.Array) -> None:
    counts = vocabulary.values.setdefault(name, Counter())
    for entry in values.value_counts().to_pylist():
        if entry["values"] is not None:
            counts[entry["values"]] += entry["counts"]
