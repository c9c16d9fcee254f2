"""Arrow schemas of a store's tables, a parser's output as CoNLL-U, and `lines.parquet`.

The text of each unit of raw text can be restored from `lines.parquet` and the sentences.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Protocol

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from fictdsl.schema import COPIES, TABLES, Column, Field, tables
from runner.corpus.raw_text import LINES, Quoting, Unit, join_with_gaps
from runner.corpus.surface import declared_text
from runner.readers import parse_json

WordColumns = tuple[str, str, str, str, str, str, str]  # form, lemma, upos, xpos, feats, head, deprel


@dataclass(frozen=True, slots=True)
class Token:
    start: int
    end: int
    words: tuple[WordColumns, ...]


@dataclass(frozen=True, slots=True)
class ParsedSentence:
    """The tokens of a sentence. `parsed` is False if the sentence was too long to parse."""

    tokens: tuple[Token, ...]
    parsed: bool


class Parser(Protocol):
    """The interface of a parser of raw text. There is at least one text, no text is blank, and no sentence is empty."""

    def describe(self) -> dict[str, object]:
        """Return name, versions, models with their SHA-256, and the options that affect trees, as a JSON object."""
        ...

    def parse(self, texts: Sequence[str], max_words: int) -> list[list[ParsedSentence]]:
        """Return the sentences of each text. A sentence of more than `max_words` words is not parsed."""
        ...


@dataclass(frozen=True, slots=True)
class LongSentence:
    words: int
    text: str


@dataclass(frozen=True, slots=True)
class UnitRecord:
    """A unit with its CoNLL-U blocks, the sentences that were not parsed, and the white space that restores its text.

    The text of the unit is `text`, unless that is None. Otherwise it is gaps[0] + text of block 0 + gaps[1] + …, or the
    texts of the blocks joined by spaces if `gaps` is None. `before` and `end` are `prefix` and `end` of `Unit`.
    """

    line: int
    end: str
    blocks: tuple[str, ...]
    long: tuple[LongSentence, ...]
    gaps: tuple[str, ...] | None
    text: str | None
    document: str | None = None
    before: str = ""
    quoting: Quoting | None = None

    def exact_text(self) -> str:
        if self.text is not None:
            return self.text
        return join_with_gaps([declared_text(block.split("\n")) or "" for block in self.blocks], self.gaps)

    def to_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, line: str) -> UnitRecord:
        fields = parse_json(line)
        long = tuple(LongSentence(**entry) for entry in fields["long"])
        gaps = None if fields["gaps"] is None else tuple(fields["gaps"])
        return cls(**{**fields, "blocks": tuple(fields["blocks"]), "long": long, "gaps": gaps})


def blank_record(unit: Unit) -> UnitRecord:
    return _record(unit, (), (), None, unit.text)


def record(unit: Unit, sentences: Sequence[ParsedSentence], source_name: str) -> UnitRecord:
    """Return the record of a unit, with sentence ids of the form `SOURCE-LINE-NUMBER` or `SOURCE-LINE.PART-NUMBER`."""
    text = unit.text
    line_id = f"{unit.line}.{unit.part}" if unit.part else str(unit.line)
    comments = "".join(f"# {comment}\n" for comment in (f"line = {unit.line}", *unit.comments))
    spans = [(sentence.tokens[0].start, sentence.tokens[-1].end) for sentence in sentences]
    starts = [start for start, _ in spans] + [len(text)]
    gaps = [text[: starts[0]]] + [text[end:start] for (_, end), start in zip(spans, starts[1:], strict=True)]
    blocks: list[str] = []
    long_sentences: list[LongSentence] = []
    for number, (sentence, span) in enumerate(zip(sentences, spans, strict=True), 1):
        sentence_text = one_line(text[slice(*span)])
        if not sentence.parsed:
            long_sentences.append(LongSentence(sum(len(token.words) for token in sentence.tokens), sentence_text[:200]))
            continue
        header = f"# sent_id = {source_name}-{line_id}-{number}\n{comments}# text = {sentence_text}\n"
        blocks.append(header + "\n".join(_rows(sentence.tokens, text)))
    if long_sentences or any(one_line(text[slice(*span)]) != text[slice(*span)] for span in spans):
        return _record(unit, blocks, long_sentences, None, text)
    default_gaps = gaps == ["", *[" "] * (len(spans) - 1), ""]
    return _record(unit, blocks, (), None if default_gaps else tuple(gaps), None)


def _record(
    unit: Unit,
    blocks: Sequence[str],
    long_sentences: Sequence[LongSentence],
    gaps: tuple[str, ...] | None,
    text: str | None,
) -> UnitRecord:
    json_fields = (unit.document, unit.prefix, unit.quoting)
    return UnitRecord(unit.line, unit.end, tuple(blocks), tuple(long_sentences), gaps, text, *json_fields)


def one_line(text: str) -> str:
    return text.replace("\n", " ").replace("\r", " ")


def _rows(tokens: Sequence[Token], text: str) -> list[str]:
    rows: list[str] = []
    number = 1
    for token, next_token in zip(tokens, (*tokens[1:], None), strict=True):
        if next_token is None:
            no_space_after = token.end < len(text) and not text[token.end].isspace()
        else:
            no_space_after = token.end == next_token.start
        misc = "SpaceAfter=No" if no_space_after else "_"
        if len(token.words) > 1:
            form = _cell(text[token.start : token.end])
            rows.append("\t".join([f"{number}-{number + len(token.words) - 1}", form, *["_"] * 7, misc]))
        for form, lemma, upos, xpos, feats, head, deprel in token.words:
            columns = (str(number), _cell(form), _cell(lemma), upos, _cell(xpos), feats, head, deprel, "_")
            rows.append("\t".join([*columns, "_" if len(token.words) > 1 else misc]))
            number += 1
    return rows


def _cell(value: str) -> str:
    """Return `value` as a cell of CoNLL-U: `_` if empty. If it is not printable, runs of white space become spaces."""
    return value if value.isprintable() and value else " ".join(value.split()) or "_"


def arrow_schema(columns: Iterable[Column]) -> pa.Schema:
    return pa.schema([pa.field(column.name, pa.type_for_alias(column.type)) for column in columns])


def schemas(*, text: bool) -> dict[str, pa.Schema]:
    """Return the schemas of the tables of a store with or without texts. `tokens` lacks copies and features."""
    return {name: arrow_schema(columns) for name, columns in tables(text=text).items()}


def replace_column(table: pa.Table, name: str, column: object) -> pa.Table:
    index = table.schema.get_field_index(name)
    return table.set_column(index, table.schema.field(index), column)


SCHEMAS = schemas(text=True)
COPY_TYPES = {name: pa.type_for_alias(copy.column.type) for name, copy in COPIES.items()}
INT32_COLUMNS = tuple(column.name for column in TABLES["tokens"] if column.type == "int32")
STRING_FIELDS = tuple(sorted({Field.FEATS, *(column.field for column in TABLES["tokens"] if column.field is not None)}))


SCHEMA = pa.schema(
    [
        ("source", pa.string()),
        ("line", pa.int64()),  # the number of the line at which the unit begins
        ("first", pa.int64()),  # the first and last sid of its sentences; NULL if it has none
        ("last", pa.int64()),
        ("skipped", pa.int32()),  # the number of its sentences that were not parsed
        ("gaps", pa.string()),  # JSON list of the white space around and between sentences; NULL for single spaces
        ("text", pa.string()),  # the whole unit; NULL if the sentences and gaps reproduce it
        ("end", pa.string()),  # the line end; for a line of JSON, everything after the text
        ("before", pa.string()),  # for a line of JSON, everything before the text, otherwise NULL
        ("quoting", pa.string()),  # how the text is quoted in a line of JSON
    ]
)
_ROWS = 100_000


class LinesWriter:
    def __init__(self, folder: Path) -> None:
        self._writer = pq.ParquetWriter(folder / LINES, SCHEMA, compression="snappy", write_page_checksum=True)
        self._rows: list[tuple[object, ...]] = []

    def add(self, source: str, record: UnitRecord, sids: range, skipped: int) -> None:
        """Append a unit whose parsed sentences have the ids `sids`."""
        text = record.exact_text() if skipped or record.text is not None else None
        gaps = None if text is not None or record.gaps is None else json.dumps(record.gaps, ensure_ascii=False)
        first, last = (sids[0], sids[-1]) if sids else (None, None)
        json_columns = (record.before if record.quoting else None, record.quoting)
        self._rows.append((source, record.line, first, last, skipped, gaps, text, record.end, *json_columns))
        if len(self._rows) >= _ROWS:
            self._flush()

    def __enter__(self) -> LinesWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._flush()
        self._writer.close()

    def _flush(self) -> None:
        columns = list(zip(*self._rows, strict=True)) or [()] * len(SCHEMA)
        arrays = [pa.array(list(column), field.type) for column, field in zip(columns, SCHEMA, strict=True)]
        self._writer.write_table(pa.Table.from_arrays(arrays, schema=SCHEMA))
        self._rows.clear()


def join_lines(stores: Iterable[tuple[Path, Mapping[str, str], int]], path: Path) -> None:
    """Concatenate the `lines.parquet` of several stores.

    For each store, `stores` has the path of its file, a mapping from old to new source labels, and the number of
    sentences in the stores before it.
    """
    with pq.ParquetWriter(path, SCHEMA, compression="snappy", write_page_checksum=True) as writer:
        for file, new_labels, offset in stores:
            with pq.ParquetFile(file, page_checksum_verification=True) as parquet_file:
                for batch in parquet_file.iter_batches(_ROWS):
                    columns = {name: batch[name] for name in SCHEMA.names}
                    labels = [new_labels.get(label, label) for label in batch["source"].to_pylist()]
                    columns["source"] = pa.array(labels, pa.string())
                    columns |= {name: pc.add(batch[name], offset) for name in ("first", "last")}
                    writer.write_table(pa.table(columns, schema=SCHEMA))
