"""Read a Grew request: its blocks, items, comments and lexicons."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.source import Source, Span

KINDS = ("pattern", "match", "with", "without", "global")
_LEXICON = re.compile(r"^#BEGIN[ \t]*(?P<name>\w*)[^\n]*\n(?P<body>.*?)^#END[^\n]*$", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r"%[^\n]*|/\*.*?\*/", re.DOTALL)
_SPACES = re.compile(r"\s+")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|(?<=[=>|\[^])\s*/(?:[^/\\\n]|\\.)+/')
_QUOTED_OR_SPACES = re.compile(rf"(?P<quoted>{_QUOTED.pattern})|\s+", re.DOTALL)
_LINE_BREAK = re.compile(r"\s*\n\s*")


class QueryError(Exception):
    """A Grew request or a Semgrex pattern cannot be read."""

    def __init__(self, problem: Diagnostic) -> None:
        super().__init__(problem.message)
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a block, or with `comment`, the text of a comment."""

    text: str
    comment: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a request. `kind` is one of `KINDS` except `match`, which is read as `pattern`."""

    kind: str
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """A lexicon: its fields, and rows with one value per field."""

    fields: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Request:
    """A request: comments outside blocks, blocks in order, and lexicons by name."""

    comments: tuple[str, ...] = ()
    blocks: tuple[Block, ...] = ()
    lexicons: dict[str, Lexicon] = field(default_factory=dict)


def read_request(source: Source) -> Request:
    """Read a request. Raises QueryError (FICT294) if the text is not a request."""
    lexicons = {match["name"]: _read_lexicon(source, match.span("body")) for match in _LEXICON.finditer(source.text)}
    text = _LEXICON.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), source.text)
    comments: list[str] = []
    blocks: list[Block] = []
    position = 0
    while position < len(text):
        if spaces := _SPACES.match(text, position):
            position = spaces.end()
        elif comment := _COMMENT.match(text, position):
            comments.append(_comment_text(comment[0]))
            position = comment.end()
        else:
            block, position = _read_block(text, position, source)
            blocks.append(block)
    return Request(tuple(comments), tuple(blocks), lexicons)


def _read_block(text: str, start: int, source: Source) -> tuple[Block, int]:
    opening = re.compile(r"(?P<kind>\w+)\s*\{").match(text, start)
    if opening is None or opening["kind"] not in KINDS:
        found = re.compile(r"\w+|.").match(text, start)
        raise _error(source, start, found[0] if found else "", "`pattern`, `with`, `without` or `global`, and `{`")
    items: list[Item] = []
    position = item_start = opening.end()
    while position < len(text) and text[position] != "}":
        if comment := _COMMENT.match(text, position):
            items += _read_item(text[item_start:position])
            items.append(Item(_comment_text(comment[0]), comment=True))
            position = item_start = comment.end()
        elif quoted_text := _QUOTED.match(text, position):
            position = quoted_text.end()
        else:
            if text[position] == ";":
                items += _read_item(text[item_start:position])
                item_start = position + 1
            position += 1
    if position == len(text):
        raise _error(source, opening.start(), opening["kind"], "`}` that closes this block")
    items += _read_item(text[item_start:position])
    return Block("pattern" if opening["kind"] == "match" else opening["kind"], tuple(items)), position + 1


def _read_item(text: str) -> Iterator[Item]:
    """Yield the item without line breaks, and with one space where there are several outside strings."""
    if collapsed := _QUOTED_OR_SPACES.sub(_collapsed, text).strip():
        yield Item(collapsed)


def _collapsed(match: re.Match[str]) -> str:
    return " " if match["quoted"] is None else _LINE_BREAK.sub(" ", match[0])


def _comment_text(comment: str) -> str:
    return comment.removeprefix("/*").removesuffix("*/").lstrip("%").strip()


def _read_lexicon(source: Source, span: tuple[int, int]) -> Lexicon:
    rows: list[tuple[str, ...]] = []
    for line in re.compile(r"[^\n]+").finditer(source.text, *span):
        if not line[0].strip() or line[0].startswith("%"):
            continue
        row = tuple(cell.strip() for cell in line[0].split("\t"))
        if rows and len(row) != len(rows[0]):
            cells = "value" if len(rows[0]) == 1 else "values separated by tabs"
            raise _error(source, line.start(), line[0].strip(), f"{len(rows[0])} {cells}")
        rows.append(row)
    return Lexicon(rows[0] if rows else (), tuple(rows[1:]))


def _error(source: Source, position: int, found: str, expected: str) -> QueryError:
    parameters = {"input_kind": "Grew request", "found": found, "expected": expected}
    span = Span(position, position + max(1, len(found)))
    return QueryError(diagnostic("FICT294", source, span, hint=None, labels=(), fix=None, **parameters))
