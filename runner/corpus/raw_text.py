"""Read raw text, plain, compressed or as JSON lines, as units that are parsed independently."""

from __future__ import annotations

import json
import re
from codecs import getincrementaldecoder
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.diagnostics.suggest import did_you_mean
from runner.corpus.conllu_columns import is_plus
from runner.corpus.corpus_files import STDIN, check_sentence_size, explain_read_errors, line_excerpt, open_input
from runner.errors import InputError
from runner.readers import parse_json

Mode = Literal["lines", "sentences", "pretokenized", "text"]
Quoting = Literal["ascii", "unicode", "none"]  # whether a JSON string escapes non-ASCII characters; "none": unknown

# Limits of one shard: enough for full batches, and little lost work when a run is killed.
SHARD_UNITS = 500
SHARD_CHARACTERS = 100_000


@dataclass(frozen=True, slots=True)
class Unit:
    """A text that begins at the 1-based line `line` of a file. `end` is its line end ("" at the end of the file).

    In JSON lines, a unit is the text in a line, or the 1-based `part` of it (0: the whole). `prefix` and `end` are the
    parts of the line before and after the text, `quoting` is how its JSON string escapes it (None in other files),
    `comments` are added to every sentence, and `document` is the name of the document.
    """

    line: int
    text: str
    end: str
    part: int = 0
    comments: tuple[str, ...] = ()
    document: str | None = None
    prefix: str = ""
    quoting: Quoting | None = None

    @property
    def blank(self) -> bool:
        return not self.text.removeprefix("\ufeff").strip()


def read_units(path: Path, mode: Mode) -> Iterator[Unit]:
    """Yield the units of a file, including blank ones. The concatenation of their texts and line ends is the file.

    In mode "text", a unit is a run of lines that are not blank, or a blank line; in other modes, it is a line.
    """
    if mode != "text":
        yield from read_lines(path)
        return
    with explain_read_errors(path):
        yield from paragraphs(read_lines(path))


def count_text_units(units: Iterable[Unit]) -> int:
    return sum(not unit.blank for unit in units)


def first_units(units: Iterable[Unit], limit: int | None) -> Iterator[Unit]:
    text_unit_count = 0
    for unit in units:
        if limit is not None and text_unit_count >= limit:
            return
        text_unit_count += not unit.blank
        yield unit


def shards(units: Iterable[Unit]) -> Iterator[list[Unit]]:
    shard: list[Unit] = []
    characters = 0
    for unit in units:
        shard.append(unit)
        characters += len(unit.text)
        if len(shard) >= SHARD_UNITS or characters >= SHARD_CHARACTERS:
            yield shard
            shard, characters = [], 0
    if shard:
        yield shard


def read_lines(path: Path) -> Iterator[Unit]:
    with open_input(path) as stream:
        for number, line_bytes in enumerate(stream, 1):
            end = "\n" if line_bytes.endswith(b"\n") else ""
            try:
                text = line_bytes.decode()
            except UnicodeDecodeError as error:
                raise InputError(_decoding_error(path, number, line_bytes, error)) from error
            yield Unit(number, text.removesuffix("\n"), end)


def read_list(path: Path) -> list[str]:
    return [unit.text.removeprefix("\ufeff") for unit in read_lines(path)]


def paragraphs(lines: Iterable[Unit]) -> Iterator[Unit]:
    """Join each run of lines that are not blank into one unit. Blank lines remain units."""
    lines_of_unit: list[Unit] = []
    character_count = 0
    for line in lines:
        if not line.blank:
            lines_of_unit.append(line)
            character_count += len(line.text)  # each of at least one byte
            check_sentence_size(lines_of_unit[0].line, character_count)
            continue
        if lines_of_unit:
            yield _join(lines_of_unit)
            lines_of_unit, character_count = [], 0
        yield line
    if lines_of_unit:
        yield _join(lines_of_unit)


def _join(lines: list[Unit]) -> Unit:
    return Unit(lines[0].line, "\n".join(line.text for line in lines), lines[-1].end)


def _decoding_error(path: Path, number: int, data: bytes, error: UnicodeDecodeError) -> Diagnostic:
    offset = len(data[: error.start].decode())
    source, span = line_excerpt(str(path), number, data.decode(errors="replace").rstrip("\n"), offset, offset + 1)
    byte = f"0x{data[error.start]:02X}"
    return diagnostic("FICT701", source, span, byte=byte, position=error.start + 1)


SUFFIXES = (".jsonl", ".jsonl.gz", ".jsonl.xz")

# keys of comments that CoNLL-U or a store defines; a field of this name becomes the comment `NAME_`
_RESERVED = frozenset({"sent_id", "line", "text", "newdoc", "newdoc id", "newpar", "newpar id"})
_ENSURE_ASCII: dict[Quoting, bool] = {"ascii": True, "unicode": False}


def json_units(path: Path, lines: Iterable[Unit], mode: Mode, field: str) -> Iterator[Unit]:
    """Yield the units of the text in the `field` of each object (FICT753). Other fields become comments."""
    for line in lines:
        if line.blank:
            yield line
            continue
        fields = _parse_object(path, line)
        text = _text_of(path, line, fields, field)
        comments = tuple(_comments(fields, field))
        document_id = fields.get("id")
        document = (
            _normalize_space("" if document_id is None else str(document_id))
            or f"{'_'.join(path.name.split())}-{line.line}"
        )
        yield from _units_of_line(line, _pieces(text, mode), text, comments, document)


def join_with_gaps(texts: Sequence[str], gaps: Sequence[str] | None) -> str:
    """Join texts with the gaps before, between and after them. If `gaps` is None, there is a space between texts."""
    if gaps is None:
        return " ".join(texts)
    return gaps[0] + "".join(text + gap for text, gap in zip(texts, gaps[1:], strict=True))


def escape_json(text: str, quoting: Quoting) -> str:
    return "" if quoting == "none" else json.dumps(text, ensure_ascii=_ENSURE_ASCII[quoting])[1:-1]


def _parse_object(path: Path, line: Unit) -> dict[str, Any]:
    try:
        value = parse_json(line.text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        offset = error.pos if isinstance(error, json.JSONDecodeError) else 0
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "it cannot be read"
        raise _line_error(path, line, f"it is not JSON ({reason[:1].lower()}{reason[1:]})", offset) from error
    if not isinstance(value, dict):
        raise _line_error(path, line, f"it is not an object with a text, but {json.dumps(value)[:20]}")
    return value


def _text_of(path: Path, line: Unit, fields: dict[str, Any], field: str) -> str:
    text = fields.get(field)
    if isinstance(text, str):
        return text
    if field in fields:
        raise _line_error(path, line, f"its `{field}` is not a string")
    text_fields = [name for name, value in fields.items() if isinstance(value, str)]
    hint = did_you_mean(field, text_fields) or (
        f"there is {', '.join(f'`{name}`' for name in text_fields[:8])}" if text_fields else None
    )
    raise _line_error(path, line, f"it has no `{field}`", hint=hint)


def _line_error(path: Path, line: Unit, reason: str, offset: int = 0, hint: str | None = None) -> InputError:
    source, span = line_excerpt(
        str(path), line.line, line.text[:200], min(offset, 200), None if offset == 0 else offset + 1
    )
    return InputError.of("FICT753", source, span, reason=reason, hint=hint)


def _pieces(text: str, mode: Mode) -> list[Unit]:
    texts = text.split("\n")
    lines = [Unit(1, text_line, "\n") for text_line in texts[:-1]] + [Unit(1, texts[-1], "")]
    return list(paragraphs(lines)) if mode == "text" else lines


def _units_of_line(
    line: Unit, pieces: list[Unit], text: str, comments: tuple[str, ...], document: str
) -> Iterator[Unit]:
    quoting, prefix, suffix = _surrounding_text(line.text, text)
    last_index = len(pieces) - 1
    for index, piece in enumerate(pieces):
        yield replace(
            piece,
            line=line.line,
            end=escape_json(piece.end, quoting) + (suffix + line.end if index == last_index else ""),
            part=index + 1 if last_index else 0,
            comments=comments,
            document=document,
            prefix=prefix if index == 0 else "",
            quoting=quoting,
        )


def _surrounding_text(line: str, text: str) -> tuple[Quoting, str, str]:
    for quoting in _ENSURE_ASCII:
        prefix, quoted_text, suffix = line.partition(f'"{escape_json(text, quoting)}"')
        if quoted_text:
            return quoting, prefix + '"', '"' + suffix
    return "none", line, ""


def _comments(fields: dict[str, Any], field: str) -> Iterator[str]:
    """Yield the fields other than the text as comments. The key of a field of a nested object is `key.inner`."""
    for name, value in fields.items():
        if name != field:
            yield from _comment(name, value)


def _comment(name: str, value: Any) -> Iterator[str]:
    match value:
        case None:
            return
        case dict():
            for inner_name, inner_value in value.items():
                yield from _comment(f"{name}.{inner_name}", inner_value)
        case list():
            for item in value:
                yield from _comment(name, item)
        case _:
            key = _normalize_space(name.replace("=", " "))
            text = value if isinstance(value, str) else json.dumps(value)
            yield f"{key}_ = {_normalize_space(text)}" if key in _RESERVED else f"{key} = {_normalize_space(text)}"


def _normalize_space(text: str) -> str:
    return " ".join(text.replace("\0", " ").split())


_BYTES = 65_536
_KIND_BY_MAGIC = {
    b"%PDF": "a PDF file",
    b"PK\x03\x04": "a ZIP archive or an office document",
    b"PAR1": "a Parquet file",
    b"\xff\xfe": "UTF-16 text",
    b"\xfe\xff": "UTF-16 text",
}
_CONLLU_LINE = re.compile(rb"^[0-9]+(?:[-.][0-9]+)?(?:\t[^\t\n]+){5}\t(?:[0-9]+|_)(?:\t[^\t\n]*){3}$", re.MULTILINE)
_HTML = re.compile(rb"\s*(?:<!--.*?-->\s*)*<(?:!doctype html|html|head|body)\b", re.IGNORECASE | re.DOTALL)
_XML = re.compile(rb"\s*<\?xml\b")
_JSON = re.compile(rb'\s*(?:\[\s*)*\{\s*"[^"\n]*"\s*:|\s*\[\s*"[^"\n]*"\s*[,\]]')
_CONVERSION_HINTS = {
    "a PDF file": "`pdftotext FILE.pdf FILE.txt` extracts the text",
    "UTF-16 text": "`iconv -f UTF-16 -t UTF-8 FILE > FILE.txt` converts it",
}


def find_non_text(paths: Iterable[Path]) -> Iterator[Diagnostic]:
    """Yield FICT710 for each file that is CoNLL-U, markup, JSON outside of JSON lines, or binary."""
    for path in paths:
        if path != STDIN and (kind_and_hint := _recognize(path)) is not None:
            kind, hint = kind_and_hint
            yield diagnostic("FICT710", hint=hint, path=path, kind=kind)


def _recognize(path: Path) -> tuple[str, str] | None:
    with open_input(path) as file:
        start = file.read(_BYTES)
    first_bytes = start.removeprefix(b"\xef\xbb\xbf")
    kind = next((kind for magic, kind in _KIND_BY_MAGIC.items() if first_bytes.startswith(magic)), None)
    if kind is not None or (b"\0" in first_bytes and not _is_utf8(first_bytes)):
        return kind or "a binary file", _CONVERSION_HINTS.get(kind or "", "raw text is UTF-8")
    if is_plus(first_bytes):
        return "CoNLL-U Plus", f"`fictc import {path} --output STORE` reads parsed corpora"
    if _CONLLU_LINE.search(first_bytes):
        return "CoNLL-U", f"`fictc import {path} --output STORE` reads parsed corpora"
    if path.name.endswith(SUFFIXES):
        return None
    if _HTML.match(first_bytes) or _XML.match(first_bytes):
        return "HTML" if _HTML.match(first_bytes) else "XML", "its text must be extracted first"
    if _JSON.match(first_bytes):
        return "JSON", "documents in JSON are read from .jsonl files, one object with a field `text` per line"
    return None


def _is_utf8(start: bytes) -> bool:
    try:
        getincrementaldecoder("utf-8")().decode(start)
    except UnicodeDecodeError:
        return False
    return True
