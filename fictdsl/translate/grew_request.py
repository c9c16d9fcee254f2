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
_SKIPPED = re.compile(r"\s+")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|(?<==)\s*/(?:[^/\\\n]|\\.)+/')


class RequestError(Exception):
    """A request that cannot be read."""

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
    """A block of a request; `kind` is one of `KINDS`."""

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
    """Read a request. Raises RequestError (FICT294) if the text is not a request."""
    lexicons = {match["name"]: _lexicon(match["body"]) for match in _LEXICON.finditer(source.text)}
    text = _LEXICON.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), source.text)
    comments: list[str] = []
    blocks: list[Block] = []
    at = 0
    while at < len(text):
        if skipped := _SKIPPED.match(text, at):
            at = skipped.end()
        elif comment := _COMMENT.match(text, at):
            comments.append(_comment_text(comment[0]))
            at = comment.end()
        else:
            block, at = _block(text, at, source)
            blocks.append(block)
    return Request(tuple(comments), tuple(blocks), lexicons)


def _block(text: str, start: int, source: Source) -> tuple[Block, int]:
    opening = re.compile(r"(?P<kind>\w+)\s*\{").match(text, start)
    if opening is None or opening["kind"] not in KINDS:
        word = re.compile(r"\w+|.").match(text, start)
        raise _error(source, start, word[0] if word else "", "`pattern`, `with`, `without` or `global`, and `{`")
    items: list[Item] = []
    at = begun = opening.end()
    while at < len(text) and text[at] != "}":
        if comment := _COMMENT.match(text, at):
            items += _item(text[begun:at])
            items.append(Item(_comment_text(comment[0]), comment=True))
            at = begun = comment.end()
        elif quoted := _QUOTED.match(text, at):
            at = quoted.end()
        else:
            if text[at] == ";":
                items += _item(text[begun:at])
                begun = at + 1
            at += 1
    if at == len(text):
        raise _error(source, opening.start(), opening["kind"], "`}` that closes this block")
    items += _item(text[begun:at])
    return Block("pattern" if opening["kind"] == "match" else opening["kind"], tuple(items)), at + 1


def _item(text: str) -> Iterator[Item]:
    if collapsed := " ".join(text.split()):
        yield Item(collapsed)


def _comment_text(comment: str) -> str:
    return comment.removeprefix("/*").removesuffix("*/").lstrip("%").strip()


def _lexicon(body: str) -> Lexicon:
    lines = [line for line in body.splitlines() if line.strip() and not line.startswith("%")]
    rows = [tuple(cell.strip() for cell in line.split("\t")) for line in lines] or [()]
    return Lexicon(rows[0], tuple(row for row in rows[1:] if len(row) == len(rows[0])))


def _error(source: Source, at: int, found: str, expected: str) -> RequestError:
    parameters = {"language": "Grew request", "found": found, "expected": expected}
    span = Span(at, at + max(1, len(found)))
    return RequestError(diagnostic("FICT294", source, span, hint=None, labels=(), fix=None, **parameters))
