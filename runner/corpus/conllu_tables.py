"""Build the Arrow tables of valid sentences from pieces of a file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, cast
from unicodedata import normalize

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fictdsl.glossary import UPOS
from fictdsl.schema import Field
from runner.corpus.byte_columns import (
    DictColumn,
    Flags,
    Ints,
    LineIndex,
    Piece,
    Rows,
    dictionary_encode,
    expand_lists,
    index_lines,
    mask_of,
    parse_rows,
    slice_strings,
    string_offsets,
    strip_nfc,
)
from runner.corpus.conllu_columns import Notes, parse_comment, parse_misc, parse_number
from runner.corpus.conllu_reader import Block, Rejection, block_errors
from runner.corpus.conllu_validation import EnhancedEdges, TreeStructure, validate
from runner.corpus.store_tables import INT32_COLUMNS, SCHEMAS, STRING_FIELDS, replace_column

_TEXT = re.compile(r"[ \t]*text[ \t]*")
NEWDOC = re.compile(r"newdoc(\s.*)?")  # the id is optional
_NUMERIC = np.zeros(256, bool)  # whether a byte occurs in decimal numbers
_NUMERIC[np.frombuffer(b"+-.0123456789", np.uint8)] = True
_INT64_DIGITS = 19  # every number with fewer digits is a 64-bit integer


@dataclass(frozen=True, slots=True)
class Comments:
    """The comments of some blocks.

    `block`, `key`, `value` and `num` (null unless decimal) have an entry for each comment. `sent_id`, `text` (the exact
    `# text`) and `newdoc` (the last `newdoc id`, or "" without an id) have an entry for each block, or null.
    `empty_texts` counts comments `text` without a value, which are as if they were missing.
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
    byte_array, block_count = lines.byte_array, len(lines.first)
    starts, ends, block = lines.starts[mask], lines.ends[mask], lines.block[mask]
    equals = np.append(np.flatnonzero(byte_array == ord("=")), len(byte_array))
    equals = equals[np.searchsorted(equals, starts)]
    key_ends = np.minimum(equals, ends)
    value_starts = np.minimum(key_ends + 1, ends)
    keys = dictionary_encode(lines.data, starts + 1, key_ends)
    names = DictColumn(pa.array([parse_comment(text)[0] for text in keys.values], pa.string()), keys.codes)
    key = names.dictionary.take(pa.array(names.codes))
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
    is_sent_id = names.where(lambda name: name == "sent_id")
    is_newdoc_id = names.where(lambda name: name == "newdoc id")
    is_newdoc = names.where(lambda name: NEWDOC.fullmatch(name) is not None)
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
    parsed = [parse_number(text) for text in decimals.dictionary.to_pylist()]
    numbers[candidates[~integer_mask]] = np.array(parsed, np.float64)[decimals.indices.to_numpy()]
    return pa.array(numbers, from_pandas=True)


def _consist_of(allowed: Flags, strings: Any) -> Flags:
    offsets, data = string_offsets(strings)
    other_bytes = np.flatnonzero(~allowed[np.frombuffer(data, np.uint8, offsets[-1])])
    mask = np.ones(len(strings), bool)
    mask[np.searchsorted(offsets, other_bytes, "right") - 1] = False
    return mask


def _first_rows(block: Ints, flags: Flags, block_count: int) -> Ints:
    rows = np.flatnonzero(flags)
    first_rows = np.full(block_count, -1)
    first_rows[block[rows[::-1]]] = rows[::-1]
    return first_rows


def _take_or_null(values: Any, rows: Ints) -> Any:
    return values.take(pa.array(rows, mask=rows < 0))


Tables = dict[str, pa.Table]
"""The rows of some sentences in each table of a store. Sentence ids start at 0.

`tokens` has the numeric columns, and the fields of CoNLL-U as dictionary columns, before normalisation. In `sentences`,
`doc` is the document that begins with the sentence, or null, and `source` is null.
"""


def build_tables(lines: LineIndex, rows: Rows, structure: TreeStructure, comments: Comments) -> Tables:
    words = _Words.of(rows, structure)
    rebuilt = _rebuilt_texts(rows, structure)
    surface = pc.coalesce(comments.text, rebuilt)
    text = strip_nfc(surface)
    sids = np.arange(len(lines.first))
    return {
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


def _null_where_equal(strings: Any, others: Any) -> Any:
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
    numbers = {"id": words.word_id, "n": np.repeat(structure.lengths, structure.lengths), "head": structure.heads}
    numbers |= {name: getattr(structure, name) for name in INT32_COLUMNS if name not in numbers}
    return {
        "sid": words.block.astype(np.int64),
        **{name: values.astype(np.int16) for name, values in numbers.items()},  # none exceeds the word limit of 10,000
        **{field.name: words.columns[field].to_arrow() for field in STRING_FIELDS},
    }


def _misc(words: _Words) -> pa.Table:
    column = words.columns[Field.MISC]
    parsed = [parse_misc(text) for text in column.values]
    rows, entries = expand_lists(np.array([len(value_entries) for value_entries in parsed], np.int64), column.codes)
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
    between_words = edges.head > 0
    sizes = np.bincount(edges.owner[between_words], minlength=len(edges.malformed))
    rows, entries = expand_lists(sizes, words.columns[Field.DEPS].codes)
    heads, labels = edges.head[between_words], edges.labels(between_words)
    return _table("enhanced", words.block[rows], heads[entries], words.word_id[rows], labels.take(pa.array(entries)))


def _rebuilt_texts(rows: Rows, structure: TreeStructure) -> Any:
    is_token = structure.words | mask_of(structure.multiword_rows, len(rows.block))
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
    change = np.zeros(int(structure.words.sum()) + 1, np.int64)
    preceding_words = np.cumsum(structure.words)[structure.multiword_rows]
    change[preceding_words] += 1
    change[preceding_words + structure.last_ids - structure.word_id[structure.multiword_rows]] -= 1
    covered = np.zeros(len(structure.words), bool)
    covered[structure.words] = np.cumsum(change)[:-1] > 0
    return covered


@dataclass(frozen=True, slots=True)
class ParsedPiece:
    """The sentences of a piece, if it has any; `newdoc` is the document that begins in a rejection after the last."""

    tables: Tables | None
    rejections: list[Rejection]
    notes: Notes
    newdoc: str | None = None


def parse_piece(piece: Piece, name: str) -> ParsedPiece:
    notes = Notes()
    lines = index_lines(piece, notes)
    rejections: list[Rejection] = []
    invalid = np.zeros(len(lines.first), bool)
    if lines.open:
        rejections += _rejections(lines, [len(invalid) - 1], name)
        invalid[-1] = bool(rejections)
        notes.open_end = not rejections
    while True:
        lines = lines.without(invalid) if invalid.any() else lines
        if not len(lines.first):
            rejections = sorted(rejections, key=attrgetter("first_line"))
            return ParsedPiece(None, rejections, notes, _rejected_documents(lines, rejections).get(0))
        rows = parse_rows(lines)
        result = validate(rows, len(lines.first)) if isinstance(rows, Rows) else rows
        if isinstance(rows, Rows) and isinstance(result, TreeStructure):
            _note_labels(rows, result, lines, notes)
            comments = parse_comments(lines, rows.comments)
            tables = build_tables(lines, rows, result, comments)
            _note_texts(rows, result, comments, tables, notes)
            rejections = sorted(rejections, key=attrgetter("first_line"))
            documents = _rejected_documents(lines, rejections)
            newdoc = documents.pop(len(lines.first), None)
            if documents:
                tables["sentences"] = _with_documents(tables["sentences"], documents)
            return ParsedPiece(tables, rejections, notes, newdoc)
        invalid = cast("Flags", result)
        found = _rejections(lines, np.flatnonzero(invalid).tolist(), name)
        assert len(found) == invalid.sum(), f"{name}: rejected without an error after line {lines.first[0]}"
        rejections += found


def _rejections(lines: LineIndex, blocks: Iterable[int], name: str) -> list[Rejection]:
    rejections = []
    for index in blocks:
        is_open = lines.open and index == len(lines.first) - 1
        data, first_line = lines.block_bytes(index), int(lines.first[index])
        if errors := block_errors(Block(first_line, data, not is_open, lines.newline or not is_open), name):
            rejections.append(Rejection(first_line, data, tuple(errors)))
    return rejections


def _rejected_documents(lines: LineIndex, rejections: list[Rejection]) -> dict[int, str]:
    documents = {}
    for rejection in rejections:
        if (newdoc := _newdoc(rejection.data)) is not None:
            documents[int(np.searchsorted(lines.first, rejection.first_line))] = newdoc
    return documents


def _with_documents(sentences: pa.Table, documents: Mapping[int, str]) -> pa.Table:
    docs = sentences["doc"].to_pylist()
    for sid, document in documents.items():
        docs[sid] = document if docs[sid] is None else docs[sid]
    return replace_column(sentences, "doc", pa.array(docs, pa.string()))


def _newdoc(data: bytes) -> str | None:
    if b"newdoc" not in data:
        return None
    comments = [line[1:] for line in data.decode(errors="replace").split("\n") if line.startswith("#")]
    entries = [parse_comment(comment)[:2] for comment in comments]
    ids = [value for key, value in entries if key == "newdoc id"]
    return ids[-1] if ids else "" if any(NEWDOC.fullmatch(key) for key, _ in entries) else None


def _note_labels(rows: Rows, structure: TreeStructure, lines: LineIndex, notes: Notes) -> None:
    upos, labels = rows.columns[Field.UPOS].take(structure.words), rows.columns[Field.DEPREL].take(structure.words)
    for tag, count in zip(upos.values, upos.counts(), strict=True):
        if count and tag not in UPOS and tag != "_":
            notes.upos[tag] = int(count)
    is_root = labels.where(lambda label: label == "root")
    block = rows.block[structure.words]
    has_unusual_root = np.bincount(block[is_root], minlength=len(lines.first)) != 1
    has_unusual_root[block[(structure.heads == 0) & ~is_root]] = True
    notes.root_labels = int(has_unusual_root.sum())
    if notes.root_labels:
        notes.root_label_line = int(lines.first[has_unusual_root][0])


def _note_texts(rows: Rows, structure: TreeStructure, comments: Comments, tables: Tables, notes: Notes) -> None:
    notes.empty_texts = comments.empty_texts
    rebuilt = tables["raw"]["rebuilt"].combine_chunks()  # null where it equals the text
    differing = pc.and_(pc.is_valid(rebuilt), pc.is_valid(comments.text))
    texts, others = (strings.filter(differing).to_pylist() for strings in (comments.text, rebuilt))
    notes.other_texts = sum(map(_have_other_words, texts, others))
    is_form = ~rows.columns[Field.FORM].take(structure.words).where(lambda form: form == "_")
    block = rows.block[structure.words]
    notes.withheld = int((np.bincount(block[is_form], minlength=len(structure.lengths)) == 0).sum())


def _have_other_words(text: str, other: str) -> bool:
    return "".join(normalize("NFC", text).split()) != "".join(normalize("NFC", other).split())
