"""Build the Arrow tables of valid sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fictdsl.schema import Field
from runner.corpus.conllu import columns
from runner.corpus.conllu.comments import Comments
from runner.corpus.conllu.enhanced_edges import EnhancedEdges
from runner.corpus.conllu.line_index import LineIndex, Rows
from runner.corpus.conllu.schemas import INT32_COLUMNS, SCHEMAS, STRING_FIELDS
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


@dataclass(frozen=True, slots=True)
class Tables:
    """The rows of some sentences in each table of a store. Sentence ids start at 0.

    `tokens` has the numeric columns, and the fields of CoNLL-U as dictionary columns, before normalisation. In
    `sentences`, `doc` is the document that begins with the sentence, or null, and `source` is null.
    """

    tables: dict[str, pa.Table]

    def with_documents(self, documents: Mapping[int, str]) -> Tables:
        """Return the tables with a document for each of these sentences that begins none itself."""
        if not documents:
            return self
        sentences = self.tables["sentences"]
        docs = sentences["doc"].to_pylist()
        for sid, document in documents.items():
            docs[sid] = document if docs[sid] is None else docs[sid]
        index = sentences.schema.get_field_index("doc")
        column = pa.array(docs, pa.string())
        return Tables({**self.tables, "sentences": sentences.set_column(index, sentences.schema.field(index), column)})


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
    """Return `strings`, with null for each string that equals the one in `others`."""
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
    """The rows that are words: the block and the id of each, and the ten columns."""

    block: Ints
    word_id: Ints
    columns: tuple[DictColumn, ...]

    @classmethod
    def of(cls, rows: Rows, structure: TreeStructure) -> _Words:
        if structure.words.all():
            return cls(rows.block, structure.word_id, rows.columns)
        word_columns = tuple(column.take(structure.words) for column in rows.columns)
        return cls(rows.block[structure.words], structure.word_id[structure.words], word_columns)


def _tokens(words: _Words, structure: TreeStructure) -> dict[str, Any]:
    """Return the numeric columns of words, and the fields of CoNLL-U as dictionary columns."""
    numbers = {"id": words.word_id, "n": np.repeat(structure.lengths, structure.lengths), "head": structure.heads}
    numbers |= {name: getattr(structure, name) for name in INT32_COLUMNS if name not in numbers}
    return {
        "sid": words.block.astype(np.int64),
        **{name: values.astype(np.int16) for name, values in numbers.items()},  # none exceeds the word limit of 10,000
        **{field.name: words.columns[field].to_arrow() for field in STRING_FIELDS},
    }


def _misc(words: _Words) -> pa.Table:
    column = words.columns[Field.MISC]
    parsed = [columns.parse_misc(text) for text in column.values]
    rows, entries = expand_lists(lookup_table([len(value_entries) for value_entries in parsed], np.int64), column.codes)
    all_entries = [entry for value_entries in parsed for entry in value_entries]
    return _table(
        "misc",
        words.block[rows],
        words.word_id[rows],
        pa.array([entry[0] for entry in all_entries], pa.string()).take(pa.array(entries)),
        pa.array([entry[1] for entry in all_entries], pa.string()).take(pa.array(entries)),
        pa.array([entry[2] for entry in all_entries], pa.float64()).take(pa.array(entries)),
    )


def _enhanced(words: _Words, edges: EnhancedEdges) -> pa.Table:
    """Return the table of enhanced edges between two words."""
    between_words = edges.head > 0
    sizes = np.bincount(edges.owner[between_words], minlength=len(edges.malformed))
    rows, entries = expand_lists(sizes, words.columns[Field.DEPS].codes)
    heads, labels = edges.head[between_words], edges.labels(between_words)
    return _table("enhanced", words.block[rows], heads[entries], words.word_id[rows], labels.take(pa.array(entries)))


def _rebuilt_texts(rows: Rows, structure: TreeStructure) -> Any:
    """Return the text of the tokens of each sentence, as `runner.corpus.text.surface.rebuild` does."""
    is_token = structure.words | _mask(structure.multiword_rows, len(rows.block))
    if len(structure.multiword_rows):
        is_token &= ~_multiword_parts(structure)
    form, misc = rows.columns[Field.FORM].take(is_token), rows.columns[Field.MISC].take(is_token)
    no_space_after = misc.where(lambda text: "SpaceAfter=No" in text.split("|"))
    form_variants = [form.dictionary, pc.binary_join_element_wise(form.dictionary, " ", "")]
    codes = np.where(no_space_after, form.codes, form.codes + len(form.dictionary))
    tokens = pa.concat_arrays(form_variants).take(pa.array(codes))
    block = rows.block[is_token]
    offsets = np.frombuffer(tokens.buffers()[1], np.int32)[: len(block) + 1].astype(np.int64)
    firsts = np.flatnonzero(np.append(True, block[1:] != block[:-1]))
    starts, ends = offsets[firsts], offsets[np.append(firsts[1:], len(block))]
    data = tokens.buffers()[2]
    return slice_strings(data, starts, ends - (np.frombuffer(data, np.uint8)[ends - 1] == ord(" ")))


def _multiword_parts(structure: TreeStructure) -> Flags:
    """Return a mask of the rows that are words of a multiword token."""
    change = np.zeros(int(structure.words.sum()) + 1, np.int64)
    preceding_words = np.cumsum(structure.words)[structure.multiword_rows]
    change[preceding_words] += 1
    change[preceding_words + structure.last_ids - structure.word_id[structure.multiword_rows]] -= 1
    covered = np.zeros(len(structure.words), bool)
    covered[structure.words] = np.cumsum(change)[:-1] > 0
    return covered


def _mask(rows: Ints, length: int) -> Flags:
    flags = np.zeros(length, bool)
    flags[rows] = True
    return flags
