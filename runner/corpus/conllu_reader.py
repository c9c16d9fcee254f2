"""Read CoNLL-U block by block, and explain line by line why a block is not a valid tree.

`runner.corpus.conllu_tables` reads many blocks at once, and only explains errors here.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any
from unicodedata import normalize

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.schema import Field
from fictdsl.words import counted
from runner.corpus.conllu_columns import Notes, as_conllu, parse_feats
from runner.corpus.corpus_files import (
    BOM,
    CONLLU_MEMBERS,
    archive_members,
    check_sentence_size,
    line_excerpt,
    open_input,
)
from runner.corpus.surface import declared_text, read_surface, rebuilt_text

WORD_LIMIT = 10_000  # words of a sentence
# nine digits are more than any sentence needs
_WORD_ID = re.compile(r"[1-9][0-9]{0,8}")
_RANGE_ID = re.compile(r"([1-9][0-9]{0,8})-([1-9][0-9]{0,8})")
_EMPTY_ID = re.compile(r"(0|[1-9][0-9]{0,8})\.([1-9][0-9]{0,8})")
_POSITIVE = re.compile(r"[1-9][0-9]*")
_DEPS_HEAD = re.compile(r"(0|[1-9][0-9]*)(\.[1-9][0-9]*)?")

Row = tuple[int, list[str]]  # line number and fields


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive lines that are not empty: their bytes without the last newline, and whether an empty line follows."""

    first_line: int
    data: bytes
    ended: bool
    newline: bool  # whether the last line ends with a newline


def read_blocks(stream: IO[bytes]) -> Iterator[Block]:
    """Split a stream at blank lines. Memory holds one block at a time, of at most `SENTENCE_BYTES`."""
    lines: list[bytes] = []
    size = 0
    next_line = first_line = 1
    for line in stream:
        while not lines and line.startswith(BOM):
            line = line[3:]  # noqa: PLW2901
        next_line += 1
        if not line or line.isspace():
            if lines:
                yield Block(first_line, b"".join(lines).removesuffix(b"\n"), ended=True, newline=True)
                lines, size = [], 0
            first_line = next_line
            continue
        lines.append(line)
        size += len(line)
        check_sentence_size(first_line, size)
    if lines:
        data = b"".join(lines)
        yield Block(first_line, data.removesuffix(b"\n"), ended=False, newline=data.endswith(b"\n"))


@dataclass(frozen=True, slots=True)
class Tree:
    first_line: int
    text: str


@dataclass(frozen=True, slots=True)
class Rejection:
    first_line: int
    data: bytes
    diagnostics: tuple[Diagnostic, ...]


def read_trees(path: Path, name: str) -> Iterator[Tree | Rejection]:
    with open_input(path) as stream:
        yield from check_trees(stream, name)


def check_trees(stream: io.BufferedReader, name: str) -> Iterator[Tree | Rejection]:
    for block in read_blocks(as_conllu(stream, name, Notes())):
        errors = block_errors(block, name)
        if errors:
            yield Rejection(block.first_line, block.data, tuple(errors))
        else:
            yield Tree(block.first_line, block.data.decode())


def block_errors(block: Block, name: str) -> list[Diagnostic]:
    try:
        text = block.data.decode()
    except UnicodeDecodeError as error:
        return [_decoding_error(block, name, error)]
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    errors = _explain(list(enumerate(lines, block.first_line)), block, name)
    if not errors and not block.ended and not _is_complete(text, block):
        errors = [_line_error(name, block.first_line + len(lines) - 1, lines[-1], "FICT724")]
    return errors


def _is_complete(text: str, block: Block) -> bool:
    if not block.newline and read_surface(text, "").rows[-1][Field.MISC] != "_":
        return False
    declared = declared_text(text.split("\n"))
    return declared is not None and "".join(declared.split()) == "".join(rebuilt_text(text).split())


def _decoding_error(block: Block, name: str, error: UnicodeDecodeError) -> Diagnostic:
    valid = block.data[: error.start]
    start = valid.rfind(b"\n") + 1
    line = block.data[start:].split(b"\n", 1)[0].decode(errors="replace")
    offset = len(valid[start:].decode())
    source, span = line_excerpt(name, block.first_line + valid.count(b"\n"), line, offset, offset + 1)
    byte = f"0x{block.data[error.start]:02X}"
    return diagnostic("FICT701", source, span, byte=byte, position=error.start - start + 1)


def _explain(numbered_lines: Sequence[tuple[int, str]], block: Block, name: str) -> list[Diagnostic]:
    errors = list(_character_errors(numbered_lines, name))
    if errors:
        return errors
    rows = [(number, line.split("\t")) for number, line in numbered_lines if not line.startswith("#")]
    if not rows:
        if block.ended:
            return [_line_error(name, *numbered_lines[0], "FICT723")]
        return [_line_error(name, *numbered_lines[-1], "FICT724")]
    late_comments = [entry for entry in numbered_lines if entry[0] > rows[0][0] and entry[1].startswith("#")]
    errors = [_line_error(name, number, line, "FICT731") for number, line in late_comments]
    wrong_width = [(number, fields) for number, fields in rows if len(fields) != len(Field)]
    if not block.ended and wrong_width and wrong_width[0][0] == numbered_lines[-1][0]:
        return [*errors, _line_error(name, *numbered_lines[-1], "FICT724")]
    errors += [_column_count_error(number, fields, name) for number, fields in wrong_width]
    if wrong_width:
        return errors
    words = [row for row in rows if _WORD_ID.fullmatch(row[1][Field.ID])]
    empty_fields = [(row, column) for row in rows for column, value in enumerate(row[1]) if not value]
    errors += [_field_error(name, row, column, "FICT709", column=Field(column).name) for row, column in empty_fields]
    errors += _id_errors(rows, len(words), name)
    if not any(d.code in ("FICT703", "FICT704") for d in errors):
        errors += _head_errors(words, name)
        errors += _deps_errors(rows, name)
    errors += _feats_errors(rows, name)
    if not words and not errors:
        errors.append(_line_error(name, *numbered_lines[0], "FICT723"))
    if len(words) > WORD_LIMIT and not errors:
        errors.append(_line_error(name, *numbered_lines[0], "FICT736", found=len(words), limit=WORD_LIMIT))
    return errors


def _line_error(name: str, number: int, line: str, code: str, /, **parameters: Any) -> Diagnostic:
    source, span = line_excerpt(name, number, line)
    return diagnostic(code, source, span, **parameters)


def _field_error(
    name: str, row: Row, index: int, code: str, /, *, hint: str | None = None, **parameters: Any
) -> Diagnostic:
    number, fields = row
    start = sum(len(field) + 1 for field in fields[:index])
    source, span = line_excerpt(name, number, "\t".join(fields), start, start + len(fields[index]))
    return diagnostic(code, source, span, hint=hint, **parameters)


def _character_errors(numbered_lines: Sequence[tuple[int, str]], name: str) -> Iterator[Diagnostic]:
    for number, line in numbered_lines:
        for char, description in (("\0", "NUL (U+0000)"), ("\r", "carriage return (U+000D)")):
            if (offset := line.find(char)) >= 0:
                source, span = line_excerpt(name, number, line, offset, offset + 1)
                yield diagnostic("FICT711", source, span, found=description)


def _column_count_error(number: int, fields: list[str], name: str) -> Diagnostic:
    line = "\t".join(fields)
    hint = None
    if len(fields) == 1 and len(line.split()) == len(Field):
        hint = "columns are separated by tabs; this line has spaces"
    elif len(fields) > len(Field) and not any(fields[len(Field) :]):
        hint = "there is a tab at the end of the line"
    source, span = line_excerpt(name, number, line)
    return diagnostic("FICT702", source, span, hint=hint, found=counted(len(fields), "column"))


def _id_errors(rows: Sequence[Row], word_count: int, name: str) -> Iterator[Diagnostic]:
    """Yield errors of the ID column. After a gap, numbering continues from the id found."""
    line_by_id: dict[str, int] = {}
    last_word = last_covered = empty_nodes = 0
    for row in rows:
        word_id = row[1][Field.ID]
        if word_id in line_by_id:
            yield _field_error(name, row, Field.ID, "FICT704", found=word_id, first=line_by_id[word_id])
            continue
        line_by_id[word_id] = row[0]
        if _WORD_ID.fullmatch(word_id):
            if int(word_id) != last_word + 1:
                yield _field_error(name, row, Field.ID, "FICT703", found=word_id, expected=last_word + 1)
            last_word, empty_nodes = int(word_id), 0
        elif match := _RANGE_ID.fullmatch(word_id):
            if reason := _range_error(int(match[1]), int(match[2]), last_word, last_covered, word_count):
                yield _field_error(name, row, Field.ID, "FICT705", found=word_id, reason=reason)
            last_covered = max(last_covered, int(match[2]))
        elif match := _EMPTY_ID.fullmatch(word_id):
            if (int(match[1]), int(match[2])) != (last_word, empty_nodes + 1):
                reason = f"is found where {last_word}.{empty_nodes + 1} was expected"
                yield _field_error(name, row, Field.ID, "FICT706", found=word_id, reason=reason)
            empty_nodes += 1
        else:
            yield _field_error(name, row, Field.ID, "FICT703", found=word_id, expected=last_word + 1)


def _range_error(start: int, end: int, last_word: int, last_covered: int, word_count: int) -> str | None:
    if end <= start:
        return "covers fewer than two words"
    if start <= last_covered:
        return f"overlaps the one that ends at word {last_covered}"
    if start != last_word + 1:
        return f"is not immediately before word {start}"
    if end > word_count:
        return f"ends after the last word, which is {word_count}"
    return None


def _head_errors(words: Sequence[Row], name: str) -> Iterator[Diagnostic]:
    heads: list[int] = []
    all_heads_valid = True
    for row in words:
        word, head = row[1][Field.ID], row[1][Field.HEAD]
        if head == "_":
            yield _field_error(name, row, Field.HEAD, "FICT707", word=word)
        elif head != "0" and not _POSITIVE.fullmatch(head):
            yield _field_error(name, row, Field.HEAD, "FICT708", word=word, found=head)
        elif len(head) > 9 or int(head) > len(words):
            yield _field_error(name, row, Field.HEAD, "FICT712", found=head, words=counted(len(words), "word"))
        elif head == word:
            yield _field_error(name, row, Field.HEAD, "FICT713", word=word)
        else:
            heads.append(int(head))
            continue
        all_heads_valid = False
    if not all_heads_valid or not words:
        return
    roots = [i for i, head in enumerate(heads, 1) if head == 0]
    if len(roots) > 1:
        listed_words = ", ".join(map(str, roots[:5])) + (" …" if len(roots) > 5 else "")
        yield _field_error(name, words[roots[1] - 1], Field.HEAD, "FICT716", found=len(roots), words=listed_words)
    cycle = _find_cycle(heads)
    if cycle:
        listed_words = " → ".join(map(str, (*cycle[:8], *(["…"] if len(cycle) > 8 else []), cycle[0])))
        yield _field_error(name, words[cycle[0] - 1], Field.HEAD, "FICT714", cycle=listed_words)


def _find_cycle(heads: Sequence[int]) -> list[int]:
    visited_from = [0] * (len(heads) + 1)  # start of the walk that visited the word, or 0
    for start in range(1, len(heads) + 1):
        word = start
        while word and not visited_from[word]:
            visited_from[word] = start
            word = heads[word - 1]
        if word and visited_from[word] == start:
            cycle = [word]
            while heads[cycle[-1] - 1] != word:
                cycle.append(heads[cycle[-1] - 1])
            return cycle
    return []


def _feats_errors(rows: Sequence[Row], name: str) -> Iterator[Diagnostic]:
    for row in rows:
        text = row[1][Field.FEATS]
        if not text or parse_feats(text) is not None:
            continue
        names = []
        for entry in text.split("|"):
            feature, equals, value = entry.partition("=")
            if not (feature and equals and value):
                hint = f"`{entry.replace(':', '=', 1)}`?" if re.fullmatch(r"[^:=]+:[^:=]+", entry) else None
                yield _field_error(name, row, Field.FEATS, "FICT718", hint=hint, found=entry)
            elif normalize("NFC", feature) in names:
                yield _field_error(name, row, Field.FEATS, "FICT719", feature=feature)
            names.append(normalize("NFC", feature))


def _deps_errors(rows: Sequence[Row], name: str) -> Iterator[Diagnostic]:
    nodes = {fields[Field.ID] for _, fields in rows if "-" not in fields[Field.ID]} | {"0"}
    for row in rows:
        text = row[1][Field.DEPS]
        if not text or text == "_":
            continue
        for entry in text.split("|"):
            head, _, label = entry.partition(":")
            if not label or not _DEPS_HEAD.fullmatch(head):
                yield _field_error(name, row, Field.DEPS, "FICT720", found=entry)
            elif head not in nodes:
                yield _field_error(name, row, Field.DEPS, "FICT721", found=head)


def features_missing_in(contents: Iterable[bytes], features: Iterable[str]) -> set[str]:
    """Return the `features` that no word of any content has. Reading stops when all features have been found."""
    missing = set(features)
    for content in contents:
        missing -= {
            name for name in missing if _occurs(content, rb"[\t|]" + re.escape(name.encode()) + b"=", Field.FEATS)
        }
        if not missing:
            break
    return missing


def label_occurs(paths: Iterable[Path], label: str, field: Field) -> bool:
    """Return whether a word of any file has a label, or a subtype of it, in a field."""
    pattern = rb"\t" + re.escape(label.encode()) + rb"(?=[\t:])"
    return any(_occurs(content, pattern, field) for content in file_contents(paths))


def file_contents(paths: Iterable[Path]) -> Iterator[bytes]:
    """Yield the content of each file in CoNLL-U, decompressed, and of the members of archives that an import reads."""
    for path in paths:
        members: Sequence[str | None] = archive_members(path, CONLLU_MEMBERS) or [None]
        for member in members:
            with open_input(path, member=member) as stream:
                yield as_conllu(stream, str(path), Notes()).read()


def _occurs(content: bytes, pattern: bytes, field: Field) -> bool:
    for match in re.finditer(pattern, content):
        line_start = content.rfind(b"\n", 0, match.start()) + 1
        word_id = content[line_start : content.find(b"\t", line_start)]  # multiword tokens and empty nodes are no words
        if word_id.isdigit() and content.count(b"\t", line_start, match.start() + 1) == field:
            return True
    return False
