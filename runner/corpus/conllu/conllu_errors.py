"""A block that is no tree into the diagnostics that say why: line by line, every fault, in plain words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from runner.corpus.conllu import columns
from runner.corpus.conllu.tree import cycle
from runner.corpus.files.blocks import Block
from runner.corpus.files.excerpt import line_excerpt
from runner.corpus.text.surface import Range

WORD_LIMIT = 10_000
# no id has ten digits: no sentence is so long
_WORD_ID = re.compile(r"[1-9][0-9]{0,8}")
_RANGE_ID = re.compile(r"([1-9][0-9]{0,8})-([1-9][0-9]{0,8})")
_EMPTY_ID = re.compile(r"(0|[1-9][0-9]{0,8})\.([1-9][0-9]{0,8})")
_POSITIVE = re.compile(r"[1-9][0-9]*")

Row = tuple[int, list[str]]  # line number and fields


def undecodable(block: Block, name: str, error: UnicodeDecodeError) -> Diagnostic:
    """A block that is not UTF-8, with the line of its first wrong byte."""
    before = block.data[: error.start]
    start = before.rfind(b"\n") + 1
    line = block.data[start:].split(b"\n", 1)[0].decode(errors="replace")
    offset = len(before[start:].decode())
    source, span = line_excerpt(name, block.first_line + before.count(b"\n"), line, offset, offset + 1)
    byte = f"0x{block.data[error.start]:02X}"
    return diagnostic("FICT701", source, span, byte=byte, position=error.start - start + 1)


def layout(
    ids: Sequence[str], forms: Sequence[str], miscs: Sequence[str]
) -> tuple[list[int], tuple[Range, ...]] | None:
    """Which rows are words, and the multiword tokens; None where ids are not as they must be."""
    rows: list[int] = []
    ranges: list[Range] = []
    covered = empty = 0
    for row, word_id in enumerate(ids):
        if word_id == str(len(rows) + 1):
            rows.append(row)
            empty = 0
        elif found := _RANGE_ID.fullmatch(word_id):
            start, end = int(found[1]), int(found[2])
            if start != len(rows) + 1 or end <= start or start <= covered:
                return None
            covered = end
            ranges.append(Range(start, end, forms[row], miscs[row]))
        elif (found := _EMPTY_ID.fullmatch(word_id)) and (int(found[1]), int(found[2])) == (len(rows), empty + 1):
            empty += 1
        else:
            return None
    return (rows, tuple(ranges)) if covered <= len(rows) else None


def explain(block: Block, lines: Sequence[str], name: str) -> list[Diagnostic]:
    """Everything that is wrong with a block of `lines`; empty only for a valid tree."""
    numbered = list(enumerate(lines, block.first_line))
    found = list(_characters(numbered, name))
    if found:
        return found
    rows = [(number, line.split("\t")) for number, line in numbered if not line.startswith("#")]
    if not rows:
        return [truncated(*numbered[-1], name) if not block.ended else _at(name, *numbered[0], "FICT723")]
    found = list(_late_comments(numbered, rows[0][0], name))
    wide = [(number, fields) for number, fields in rows if len(fields) != 10]
    if not block.ended and wide and wide[0][0] == numbered[-1][0]:
        return [*found, truncated(*numbered[-1], name)]
    found += [_width(number, fields, name) for number, fields in wide]
    if wide:
        return found
    found += _empty_columns(rows, name)
    found += _ids(rows, name)
    if not any(d.code in ("FICT703", "FICT704") for d in found):
        words = [row for row in rows if _WORD_ID.fullmatch(row[1][0])]
        found += _heads(words, name)
        found += _deps(rows, name)
    found += _feats(rows, name)
    if not any(_WORD_ID.fullmatch(fields[0]) for _, fields in rows) and not found:
        found.append(_at(name, *numbered[0], "FICT723"))
    if len(rows) > WORD_LIMIT and not found:
        found.append(_at(name, *numbered[0], "FICT736", found=len(rows), limit=WORD_LIMIT))
    return found


def truncated(number: int, line: str, name: str) -> Diagnostic:
    """The file ends in the middle of a sentence, whose last line this is."""
    return _at(name, number, line, "FICT724")


def forbidden(text: str, lines: Sequence[str]) -> bool:
    """Whether a character stands in the block that no value may hold (`text` as read, `lines` without CR)."""
    return "\0" in text or ("\r" in text and any("\r" in line for line in lines))


def _at(name: str, number: int, line: str, code: str, /, **parameters: Any) -> Diagnostic:
    source, span = line_excerpt(name, number, line)
    return diagnostic(code, source, span, **parameters)


def _field(name: str, row: Row, index: int, code: str, /, *, hint: str | None = None, **parameters: Any) -> Diagnostic:
    """A diagnostic whose place is one field of a line."""
    number, fields = row
    start = sum(len(field) + 1 for field in fields[:index])
    source, span = line_excerpt(name, number, "\t".join(fields), start, start + len(fields[index]))
    return diagnostic(code, source, span, hint=hint, **parameters)


def _characters(numbered: Sequence[tuple[int, str]], name: str) -> Iterator[Diagnostic]:
    for number, line in numbered:
        for char, shown in (("\0", "NUL (U+0000)"), ("\r", "carriage return (U+000D)")):
            if (offset := line.find(char)) >= 0:
                source, span = line_excerpt(name, number, line, offset, offset + 1)
                yield diagnostic("FICT711", source, span, found=shown)


def _late_comments(numbered: Sequence[tuple[int, str]], first_word: int, name: str) -> Iterator[Diagnostic]:
    for number, line in numbered:
        if number > first_word and line.startswith("#"):
            yield _at(name, number, line, "FICT731")


def _width(number: int, fields: list[str], name: str) -> Diagnostic:
    line = "\t".join(fields)
    hint = None
    if len(fields) == 1 and len(line.split()) == 10:
        hint = "columns are separated by tabs; this line has spaces"
    elif len(fields) > 10 and not any(fields[10:]):
        hint = "there is a tab at the end of the line"
    count = f"{len(fields)} column{'s' * (len(fields) != 1)}"
    source, span = line_excerpt(name, number, line)
    return diagnostic("FICT702", source, span, hint=hint, found=count)


def _empty_columns(rows: Sequence[Row], name: str) -> Iterator[Diagnostic]:
    for row in rows:
        for column, value in enumerate(row[1]):
            if not value:
                yield _field(name, row, column, "FICT709", column=columns.COLUMNS[column])


def _ids(rows: Sequence[Row], name: str) -> Iterator[Diagnostic]:
    """Faults of the ID column: numbering, repeated ids, ranges, empty nodes; after a gap, counts go on from it."""
    seen: dict[str, int] = {}
    words = covered = empty = 0
    total = sum(1 for _, fields in rows if _WORD_ID.fullmatch(fields[0]))
    for row in rows:
        word_id = row[1][0]
        if word_id in seen:
            yield _field(name, row, 0, "FICT704", found=word_id, first=seen[word_id])
            continue
        seen[word_id] = row[0]
        if _WORD_ID.fullmatch(word_id):
            if int(word_id) != words + 1:
                yield _field(name, row, 0, "FICT703", found=word_id, expected=words + 1)
            words, empty = int(word_id), 0
        elif found := _RANGE_ID.fullmatch(word_id):
            if reason := _range_fault(int(found[1]), int(found[2]), words, covered, total):
                yield _field(name, row, 0, "FICT705", found=word_id, reason=reason)
            covered = max(covered, int(found[2]))
        elif found := _EMPTY_ID.fullmatch(word_id):
            if (int(found[1]), int(found[2])) != (words, empty + 1):
                reason = f"stands where {words}.{empty + 1} was expected"
                yield _field(name, row, 0, "FICT706", found=word_id, reason=reason)
            empty += 1
        else:
            yield _field(name, row, 0, "FICT703", found=word_id, expected=words + 1)


def _range_fault(start: int, end: int, words: int, covered: int, total: int) -> str | None:
    if end <= start:
        return "covers fewer than two words"
    if start <= covered:
        return f"overlaps the one that ends at word {covered}"
    if start != words + 1:
        return f"does not stand right before word {start}"
    if end > total:
        return f"ends after the last word, which is {total}"
    return None


def _heads(words: Sequence[Row], name: str) -> Iterator[Diagnostic]:
    """Faults of the HEAD column; cycles and roots only where each head is a word of the sentence."""
    heads: list[int] = []
    clean = True
    for row in words:
        word, head = row[1][0], row[1][6]
        if head == "_":
            yield _field(name, row, 6, "FICT707", word=word)
        elif head != "0" and not _POSITIVE.fullmatch(head):
            yield _field(name, row, 6, "FICT708", word=word, found=head)
        elif len(head) > 9 or int(head) > len(words):
            count = f"{len(words)} word{'s' * (len(words) != 1)}"
            yield _field(name, row, 6, "FICT712", found=head, words=count)
        elif head == word:
            yield _field(name, row, 6, "FICT713", word=word)
        else:
            heads.append(int(head))
            continue
        clean = False
    if not clean or not words:
        return
    roots = [i for i, head in enumerate(heads, 1) if head == 0]
    if len(roots) > 1:
        shown = ", ".join(map(str, roots[:5])) + (" …" if len(roots) > 5 else "")
        yield _field(name, words[roots[1] - 1], 6, "FICT716", found=len(roots), words=shown)
    loop = cycle(heads)
    if loop:
        shown = " → ".join(map(str, (*loop[:8], *(["…"] if len(loop) > 8 else []), loop[0])))
        yield _field(name, words[loop[0] - 1], 6, "FICT714", cycle=shown)


def _feats(rows: Sequence[Row], name: str) -> Iterator[Diagnostic]:
    for row in rows:
        text = row[1][5]
        if not text or columns.features(text) is not None:
            continue
        names = []
        for entry in text.split("|"):
            feature, equals, value = entry.partition("=")
            if not (feature and equals and value):
                hint = f"`{entry.replace(':', '=', 1)}`?" if re.fullmatch(r"[^:=]+:[^:=]+", entry) else None
                yield _field(name, row, 5, "FICT718", hint=hint, found=entry)
            elif feature in names:
                yield _field(name, row, 5, "FICT719", feature=feature)
            names.append(feature)


def _deps(rows: Sequence[Row], name: str) -> Iterator[Diagnostic]:
    nodes = {fields[0] for _, fields in rows if "-" not in fields[0]} | {"0"}
    for row in rows:
        text = row[1][8]
        if not text or text == "_":
            continue
        for entry in text.split("|"):
            pairs = columns.edges(entry) if entry != "_" else None
            if not pairs:
                yield _field(name, row, 8, "FICT720", found=entry)
            elif pairs[0][0] not in nodes:
                yield _field(name, row, 8, "FICT721", found=pairs[0][0])
