"""Text that may be broken into its words, strings and brackets: where items begin, and what is open where.

The parser says what is right; this tolerant scan only finds one's way around what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from fictdsl.source import Span
from fictdsl.syntax.vocabulary import ITEM_WORDS

PARTNER = {"{": "}", "[": "]", "(": ")"}
_OPENING = {closing: opening for opening, closing in PARTNER.items()}

_BIT = re.compile(
    r"""(?P<comment>\#[^\n]*)
      | (?P<string>"(?:[^"\\\r\n]|\\[^\r\n])*"?)
      | (?P<word>\w+)
      | (?P<sign>-\[|->>|->|<-|<<|==>|=>|<=|>=|!=|==|=~|<>|>>|&&|\|\||\.\.|[^\s])""",
    re.VERBOSE,
)
_REGEX = re.compile(r"/(?:[^/\\\r\n]|\\[^\r\n])*/\w*")
_BEFORE_REGEX = ("=", "|", "<", ">")
_ITEM = re.compile(
    r'use\s*"|list\s+[\w-]+\s*=|pattern\s+[\w-]+\s*\(|filter\s+[\w-]+\s*(?:\{|for(?!\w))',
)


_ITEM_LINE = re.compile(f"^(?:{_ITEM.pattern})", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Bit:
    """A piece of text: `kind` is string, regex, word or sign."""

    kind: str
    text: str
    span: Span


def bits(text: str, start: int = 0, end: int | None = None) -> Iterator[Bit]:
    """The pieces between two offsets, without comments and spaces. A slash after a comparison or `|` opens a regex."""
    at, end = start, len(text) if end is None else end
    before = ""
    while match := _BIT.search(text, at, end):
        kind = match.lastgroup or "sign"
        if match[0] == "/" and before.endswith(_BEFORE_REGEX) and (regex := _REGEX.match(text, match.start(), end)):
            match, kind = regex, "regex"
        at = match.end()
        if kind != "comment":
            before = match[0]
            yield Bit(kind, match[0], Span(match.start(), match.end()))


def open_brackets(text: str, start: int, at: int) -> list[Bit]:
    """The brackets opened between two offsets and not closed, outermost first."""
    stack: list[Bit] = []
    for bit in bits(text, start, at):
        _step(stack, bit)
    return stack


def _step(stack: list[Bit], bit: Bit) -> None:
    if bit.kind != "sign":
        return
    last = bit.text[-1]
    if last in PARTNER:
        stack.append(Bit("sign", last, Span(bit.span.end - 1, bit.span.end)))
    elif last in _OPENING:
        # A closing bracket closes its partner and whatever was left open inside it; without one, nothing.
        for index in range(len(stack) - 1, -1, -1):
            if stack[index].text == _OPENING[last]:
                del stack[index:]
                break


def items(text: str, start: int) -> list[Span]:
    """Where the items lie: each ends before the next begins. A plausible beginning counts even in open brackets."""
    found: list[Span] = []
    stack: list[Bit] = []
    between = True  # outside all brackets, after a piece that may end an item
    last = start
    for bit in bits(text, start):
        keyword = bit.kind == "word" and bit.text in ITEM_WORDS
        plausible = keyword and _ITEM.match(text, bit.span.start) is not None
        leads = keyword and "\n" in text[last : bit.span.start]
        last = bit.span.end
        if not found or plausible or (not stack and (leads or (between and (keyword or bit.text != "{")))):
            found.append(bit.span)
            stack.clear()
        elif found:
            found[-1] = found[-1].to(bit.span)
        _step(stack, bit)
        between = not stack and (bit.text in PARTNER.values() or bit.kind == "string") and bit.text != ")"
    return found


def neighbourhood(text: str, start: int, end: int) -> Span:
    """Return the part of a text that decides how a range of it reads: whole items, from one line that begins an item.

    The first begins before `start`, the second after `end`. Strings, comments and regular expressions end with their
    line, so a line never begins in one, and what looks like the beginning of an item is one whatever is open.
    """
    line = text.rfind("\n", 0, start) + 1
    while line and (line >= start or not _ITEM_LINE.match(text, line)):
        line = text.rfind("\n", 0, line - 1) + 1
    following = _ITEM_LINE.search(text, end + 1)
    return Span(line, len(text) if following is None else following.start())


def clause_around(text: str, start: int, end: int, at: int) -> Span | None:
    """The clause, metadata or action that holds `at`: as much as to its line's end, and the brackets it opens.

    None outside all braces: there nothing smaller than the item can be set aside.
    """
    stack = open_brackets(text, start, at)
    braces = [index for index, bracket in enumerate(stack) if bracket.text == "{"]
    if not braces:
        return None
    inner = stack[braces[-1] + 1 :]
    first = inner[0].span.start if inner else at
    low = max(text.rfind("\n", 0, first) + 1, stack[braces[-1]].span.end)
    semicolon = max((b.span.end for b in bits(text, low, first) if b.text == ";"), default=low)
    low = max(low, semicolon)
    return Span(low, _clause_end(text, low, end, at))


def _clause_end(text: str, low: int, end: int, at: int) -> int:
    """Before the `}` that closes the block; else at the end of a line or at a `;`, from `at` on, outside brackets."""
    braces = others = 0
    last = low
    for bit in bits(text, low, end):
        if not braces:
            new_line = "\n" in text[last : bit.span.start] and bit.span.start > at
            if bit.text == "}":
                return bit.span.start
            if new_line or (bit.text == ";" and others <= 0 and bit.span.start >= at):
                return last
        if bit.kind == "sign":
            braces += (bit.text == "{") - (bit.text == "}")
            others += bit.text.endswith(("[", "(")) - (bit.text in ("]", ")"))
        last = bit.span.end
    return last
