"""Explain line by line why a block is not a valid tree."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any
from unicodedata import normalize

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.schema import Field
from runner.corpus import conllu_columns
from runner.corpus.conllu_columns import find_cycle
from runner.corpus.corpus_files import Block, line_excerpt
from runner.corpus.surface import MultiwordToken

WORD_LIMIT = 10_000  # words of a sentence
# nine digits are more than any sentence needs
_WORD_ID = re.compile(r"[1-9][0-9]{0,8}")
_RANGE_ID = re.compile(r"([1-9][0-9]{0,8})-([1-9][0-9]{0,8})")
_EMPTY_ID = re.compile(r"(0|[1-9][0-9]{0,8})\.([1-9][0-9]{0,8})")
_POSITIVE = re.compile(r"[1-9][0-9]*")

Row = tuple[int, list[str]]  # line number and fields


def decoding_error(block: Block, name: str, error: UnicodeDecodeError) -> Diagnostic:
    valid = block.data[: error.start]
    start = valid.rfind(b"\n") + 1
    line = block.data[start:].split(b"\n", 1)[0].decode(errors="replace")
    offset = len(valid[start:].decode())
    source, span = line_excerpt(name, block.first_line + valid.count(b"\n"), line, offset, offset + 1)
    byte = f"0x{block.data[error.start]:02X}"
    return diagnostic("FICT701", source, span, byte=byte, position=error.start - start + 1)


def number_words(
    ids: Sequence[str], forms: Sequence[str], miscs: Sequence[str]
) -> tuple[list[int], tuple[MultiwordToken, ...]] | None:
    """Return the indices of the rows that are words, and the multiword tokens, or None if the ids are not valid."""
    rows: list[int] = []
    multiword_tokens: list[MultiwordToken] = []
    last_covered = empty_nodes = 0
    for row, word_id in enumerate(ids):
        if word_id == str(len(rows) + 1):
            rows.append(row)
            empty_nodes = 0
        elif match := _RANGE_ID.fullmatch(word_id):
            start, end = int(match[1]), int(match[2])
            if start != len(rows) + 1 or end <= start or start <= last_covered:
                return None
            last_covered = end
            multiword_tokens.append(MultiwordToken(start, end, forms[row], miscs[row]))
        elif (match := _EMPTY_ID.fullmatch(word_id)) and (int(match[1]), int(match[2])) == (len(rows), empty_nodes + 1):
            empty_nodes += 1
        else:
            return None
    return (rows, tuple(multiword_tokens)) if last_covered <= len(rows) else None


def explain_block(block: Block, lines: Sequence[str], name: str) -> list[Diagnostic]:
    """Return the errors of a block, or an empty list if it is a valid tree.

    `lines` are the lines of the block without line ends. `name` is the name of the file in messages.
    """
    numbered_lines = list(enumerate(lines, block.first_line))
    errors = list(_character_errors(numbered_lines, name))
    if errors:
        return errors
    rows = [(number, line.split("\t")) for number, line in numbered_lines if not line.startswith("#")]
    if not rows:
        return [
            truncation_error(*numbered_lines[-1], name)
            if not block.ended
            else _line_error(name, *numbered_lines[0], "FICT723")
        ]
    errors = list(_late_comment_errors(numbered_lines, rows[0][0], name))
    wrong_width = [(number, fields) for number, fields in rows if len(fields) != len(Field)]
    if not block.ended and wrong_width and wrong_width[0][0] == numbered_lines[-1][0]:
        return [*errors, truncation_error(*numbered_lines[-1], name)]
    errors += [_column_count_error(number, fields, name) for number, fields in wrong_width]
    if wrong_width:
        return errors
    errors += _empty_field_errors(rows, name)
    errors += _id_errors(rows, name)
    if not any(d.code in ("FICT703", "FICT704") for d in errors):
        words = [row for row in rows if _WORD_ID.fullmatch(row[1][Field.ID])]
        errors += _head_errors(words, name)
        errors += _deps_errors(rows, name)
    errors += _feats_errors(rows, name)
    if not any(_WORD_ID.fullmatch(fields[Field.ID]) for _, fields in rows) and not errors:
        errors.append(_line_error(name, *numbered_lines[0], "FICT723"))
    word_count = sum(1 for _, fields in rows if _WORD_ID.fullmatch(fields[Field.ID]))
    if word_count > WORD_LIMIT and not errors:
        errors.append(_line_error(name, *numbered_lines[0], "FICT736", found=word_count, limit=WORD_LIMIT))
    return errors


def truncation_error(number: int, line: str, name: str) -> Diagnostic:
    return _line_error(name, number, line, "FICT724")


def has_forbidden_character(text: str, lines: Sequence[str]) -> bool:
    """Return whether a block contains NUL, or a carriage return inside a line.

    `text` is the block as read, and `lines` its lines without the CR of CRLF.
    """
    return "\0" in text or ("\r" in text and any("\r" in line for line in lines))


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


def _late_comment_errors(numbered_lines: Sequence[tuple[int, str]], first_row: int, name: str) -> Iterator[Diagnostic]:
    for number, line in numbered_lines:
        if number > first_row and line.startswith("#"):
            yield _line_error(name, number, line, "FICT731")


def _column_count_error(number: int, fields: list[str], name: str) -> Diagnostic:
    line = "\t".join(fields)
    hint = None
    if len(fields) == 1 and len(line.split()) == len(Field):
        hint = "columns are separated by tabs; this line has spaces"
    elif len(fields) > len(Field) and not any(fields[len(Field) :]):
        hint = "there is a tab at the end of the line"
    count = f"{len(fields)} column{'s' * (len(fields) != 1)}"
    source, span = line_excerpt(name, number, line)
    return diagnostic("FICT702", source, span, hint=hint, found=count)


def _empty_field_errors(rows: Sequence[Row], name: str) -> Iterator[Diagnostic]:
    for row in rows:
        for column, value in enumerate(row[1]):
            if not value:
                yield _field_error(name, row, column, "FICT709", column=Field(column).name)


def _id_errors(rows: Sequence[Row], name: str) -> Iterator[Diagnostic]:
    """Yield errors of the ID column: numbering, repeated ids, ranges, empty nodes.

    After a gap, numbering continues from the id found.
    """
    line_by_id: dict[str, int] = {}
    last_word = last_covered = empty_nodes = 0
    word_count = sum(1 for _, fields in rows if _WORD_ID.fullmatch(fields[Field.ID]))
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
    """Yield errors of the HEAD column. Cycles and roots are checked only if each head is 0 or another word."""
    heads: list[int] = []
    all_heads_valid = True
    for row in words:
        word, head = row[1][Field.ID], row[1][Field.HEAD]
        if head == "_":
            yield _field_error(name, row, Field.HEAD, "FICT707", word=word)
        elif head != "0" and not _POSITIVE.fullmatch(head):
            yield _field_error(name, row, Field.HEAD, "FICT708", word=word, found=head)
        elif len(head) > 9 or int(head) > len(words):
            count = f"{len(words)} word{'s' * (len(words) != 1)}"
            yield _field_error(name, row, Field.HEAD, "FICT712", found=head, words=count)
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
    cycle = find_cycle(heads)
    if cycle:
        listed_words = " → ".join(map(str, (*cycle[:8], *(["…"] if len(cycle) > 8 else []), cycle[0])))
        yield _field_error(name, words[cycle[0] - 1], Field.HEAD, "FICT714", cycle=listed_words)


def _feats_errors(rows: Sequence[Row], name: str) -> Iterator[Diagnostic]:
    for row in rows:
        text = row[1][Field.FEATS]
        if not text or conllu_columns.parse_feats(text) is not None:
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
            pairs = conllu_columns.parse_deps(entry) if entry != "_" else None
            if not pairs:
                yield _field_error(name, row, Field.DEPS, "FICT720", found=entry)
            elif pairs[0][0] not in nodes:
                yield _field_error(name, row, Field.DEPS, "FICT721", found=pairs[0][0])
