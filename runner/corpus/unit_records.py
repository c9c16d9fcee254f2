"""A parser's output as CoNLL-U: a record of each unit of raw text, in the shards of an annotation and in a store.

The text of each unit can be restored from `lines.parquet` and the sentences.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from runner.corpus.raw_text import Quoting, Unit, join_with_gaps
from runner.corpus.store_files import LINES
from runner.corpus.store_tables import LINES_SCHEMA
from runner.corpus.surface import declared_text
from runner.errors import InputError
from runner.readers import parse_json
from runner.workspace import atomic_write

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

    def describe(self) -> dict[str, object]: ...

    def parse(self, texts: Sequence[str], max_words: int) -> list[list[ParsedSentence]]:
        """Return the sentences of each text. A sentence of more than `max_words` words is not parsed."""
        ...


@dataclass(frozen=True, slots=True)
class LongSentence:
    words: int
    text: str


@dataclass(frozen=True, slots=True)
class UnitRecord:
    """A unit with its CoNLL-U blocks and the sentences that were not parsed. `before` is `Unit.prefix`.

    Its text is `text`, unless None: then gaps[0] + text of block 0 + gaps[1] + …, or without gaps joined by spaces.
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


def write_shard(path: Path, records: Sequence[UnitRecord]) -> None:
    body = "".join(record.to_json() + "\n" for record in records).encode()
    footer = json.dumps({"units": len(records), "sha256": hashlib.sha256(body).hexdigest()}).encode()
    with atomic_write(path) as temp:
        temp.write_bytes(gzip.compress(body + footer + b"\n", 1, mtime=0))


def read_shard(path: Path) -> Iterator[UnitRecord]:
    """Yield the records of a shard. Raises InputError (FICT742) if it is damaged, and OSError if it cannot be read."""
    data = path.read_bytes()
    try:
        body, _, footer = gzip.decompress(data).removesuffix(b"\n").rpartition(b"\n")
        body = body + b"\n" if body else body
        footer_fields = parse_json(footer)
        is_intact = footer_fields["sha256"] == hashlib.sha256(body).hexdigest()
    except (gzip.BadGzipFile, EOFError, ValueError, KeyError, TypeError, zlib.error):
        is_intact, body = False, b""
    if not is_intact:
        raise InputError.of("FICT742", path=path, reason="its content does not match its checksum")
    for line in body.decode().split("\n")[:-1]:
        yield UnitRecord.from_json(line)


_ROWS = 100_000


class LinesWriter:
    def __init__(self, folder: Path) -> None:
        self._writer = pq.ParquetWriter(folder / LINES, LINES_SCHEMA, compression="snappy", write_page_checksum=True)
        self._rows: list[dict[str, object]] = []

    def add(self, source: str, record: UnitRecord, sids: range, skipped: int) -> None:
        text = record.exact_text() if skipped or record.text is not None else None
        gaps = None if text is not None or record.gaps is None else json.dumps(record.gaps, ensure_ascii=False)
        first, last = (sids[0], sids[-1]) if sids else (None, None)
        self._rows.append(
            {
                "source": source,
                "line": record.line,
                "first": first,
                "last": last,
                "skipped": skipped,
                "gaps": gaps,
                "text": text,
                "end": record.end,
                "before": record.before if record.quoting else None,
                "quoting": record.quoting,
            }
        )
        if len(self._rows) >= _ROWS:
            self._flush()

    def close(self) -> None:
        self._flush()
        self._writer.close()

    def _flush(self) -> None:
        self._writer.write_table(pa.Table.from_pylist(self._rows, schema=LINES_SCHEMA))
        self._rows.clear()


def join_lines(stores: Iterable[tuple[Path, Mapping[str, str], int]], path: Path) -> None:
    """Concatenate `lines.parquet` of stores: their paths, new labels of sources, and the sentences before each."""
    with pq.ParquetWriter(path, LINES_SCHEMA, compression="snappy", write_page_checksum=True) as writer:
        for file, new_labels, offset in stores:
            with pq.ParquetFile(file, page_checksum_verification=True) as parquet_file:
                for batch in parquet_file.iter_batches(_ROWS):
                    columns = {name: batch[name] for name in LINES_SCHEMA.names}
                    labels = [new_labels.get(label, label) for label in batch["source"].to_pylist()]
                    columns["source"] = pa.array(labels, pa.string())
                    columns |= {name: pc.add(batch[name], offset) for name in ("first", "last")}
                    writer.write_table(pa.table(columns, schema=LINES_SCHEMA))
