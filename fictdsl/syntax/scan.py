"""A tolerant scanner for text with syntax errors: lexemes, comments, open brackets, string literals, extent of items.

Error recovery, the formatter and completion use it. Only the parser decides what is valid.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fictdsl.source import Span
from fictdsl.syntax.nodes import ITEM_WORDS


def quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


PARTNER = {"{": "}", "[": "]", "(": ")"}
_OPENING = {closing: opening for opening, closing in PARTNER.items()}

_LEXEME = re.compile(
    r"""(?P<comment>\#[^\n]*)
      | (?P<string>"(?:[^"\\\r\n]|\\[^\r\n])*"?)
      | (?P<word>\w+)
      | (?P<sign>-\[|->>|->|<-|<<|==>|=>|<=|>=|!=|==|=~|<>|>>|&&|\|\||\.\.|[^\s])""",
    re.VERBOSE,
)
_REGEX = re.compile(r"/(?:[^/\\\r\n]|\\[^\r\n])*/\w*")
_BEFORE_REGEX = ("=", "|", "<", ">", "[", "^")
_ITEM_HEADER = re.compile(
    r'use\s*"|list\s+[\w-]+\s*(?:=|from\s*")|pattern\s+[\w-]+\s*\(|filter\s+[\w-]+\s*(?:\{|for(?!\w))'
    # A node may be named `rewrite`, and a block may follow it.
    r"|rewrite\s+(?!(?:without|either|maybe)\s*\{)[\w-]+\s*(?:\{|for(?!\w))",
)

_ITEM_LINE = re.compile(f"^(?:{_ITEM_HEADER.pattern})", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Lexeme:
    """A lexical unit. `kind` is string, regex, word or sign."""

    kind: str
    text: str
    span: Span


def lexemes(text: str, start: int = 0, end: int | None = None) -> Iterator[Lexeme]:
    """Yield the lexemes between two offsets, without comments and spaces.

    A slash after a comparison operator, `|`, `[` or `^` opens a regular expression.
    """
    return (lexeme for lexeme in _lexemes_and_comments(text, start, end) if lexeme.kind != "comment")


def without_comments(text: str, start: int, end: int) -> str:
    """Return the text between two offsets without its comments."""
    kept, position = [], start
    for lexeme in _lexemes_and_comments(text, start, end):
        if lexeme.kind == "comment":
            kept.append(text[position : lexeme.span.start])
            position = lexeme.span.end
    return "".join((*kept, text[position:end]))


def _lexemes_and_comments(text: str, start: int, end: int | None) -> Iterator[Lexeme]:
    position, end = start, len(text) if end is None else end
    previous_text = ""
    while match := _LEXEME.search(text, position, end):
        kind = match.lastgroup or "sign"
        if (
            match[0] == "/"
            and previous_text.endswith(_BEFORE_REGEX)
            and (regex := _REGEX.match(text, match.start(), end))
        ):
            match, kind = regex, "regex"
        position = match.end()
        if kind != "comment":
            previous_text = match[0]
        yield Lexeme(kind, match[0], Span(match.start(), match.end()))


def open_brackets(text: str, start: int, end: int) -> list[Lexeme]:
    """Return the brackets opened but not closed between two offsets, outermost first."""
    stack: list[Lexeme] = []
    for lexeme in lexemes(text, start, end):
        _update_stack(stack, lexeme)
    return stack


def _update_stack(stack: list[Lexeme], lexeme: Lexeme) -> None:
    if lexeme.kind != "sign":
        return
    bracket = lexeme.text[-1]
    if bracket in PARTNER:
        stack.append(Lexeme("sign", bracket, Span(lexeme.span.end - 1, lexeme.span.end)))
    elif bracket in _OPENING:
        # A closing bracket also closes unclosed brackets inside its pair. Without a partner it closes nothing.
        for index in range(len(stack) - 1, -1, -1):
            if stack[index].text == _OPENING[bracket]:
                del stack[index:]
                break


def item_spans(text: str, start: int) -> list[Span]:
    """Return the spans of the items from `start` on. A plausible item header starts an item even in open brackets."""
    spans: list[Span] = []
    stack: list[Lexeme] = []
    after_item = True  # outside all brackets, after a lexeme that may end an item
    previous_end = start
    for lexeme in lexemes(text, start):
        is_keyword = lexeme.kind == "word" and lexeme.text in ITEM_WORDS
        is_item_header = is_keyword and _ITEM_HEADER.match(text, lexeme.span.start) is not None
        starts_line = is_keyword and "\n" in text[previous_end : lexeme.span.start]
        previous_end = lexeme.span.end
        if (
            not spans
            or is_item_header
            or (not stack and (starts_line or (after_item and (is_keyword or lexeme.text != "{"))))
        ):
            spans.append(lexeme.span)
            stack.clear()
        elif spans:
            spans[-1] = spans[-1].to(lexeme.span)
        _update_stack(stack, lexeme)
        after_item = not stack and (lexeme.text in PARTNER.values() or lexeme.kind == "string") and lexeme.text != ")"
    return spans


def reparse_span(text: str, start: int, end: int) -> Span:
    """Return the span of whole items to parse again after a change between `start` and `end`.

    It runs from the last line before `start` that begins an item to the first such line after `end`. Such a line always
    begins an item, whatever brackets are open: strings, comments and regular expressions end with their line.
    """
    line_start = text.rfind("\n", 0, start) + 1
    while line_start and (line_start >= start or not _ITEM_LINE.match(text, line_start)):
        line_start = text.rfind("\n", 0, line_start - 1) + 1
    next_item = _ITEM_LINE.search(text, end + 1)
    return Span(line_start, len(text) if next_item is None else next_item.start())


def enclosing_clause(text: str, start: int, end: int, offset: int) -> Span | None:
    """Return the span of the clause, metadata or action at an offset. Outside brackets, it ends with its line.

    Return None outside all braces, where only the whole item can be skipped.
    """
    stack = open_brackets(text, start, offset)
    braces = [index for index, bracket in enumerate(stack) if bracket.text == "{"]
    if not braces:
        return None
    inner_brackets = stack[braces[-1] + 1 :]
    search_end = inner_brackets[0].span.start if inner_brackets else offset
    clause_start = max(text.rfind("\n", 0, search_end) + 1, stack[braces[-1]].span.end)
    after_semicolon = max(
        (lexeme.span.end for lexeme in lexemes(text, clause_start, search_end) if lexeme.text == ";"),
        default=clause_start,
    )
    clause_start = max(clause_start, after_semicolon)
    return Span(clause_start, _clause_end(text, clause_start, end, offset))


def _clause_end(text: str, clause_start: int, end: int, offset: int) -> int:
    """Return the end of a clause: the `}` of its block, or a line end or `;` outside brackets after `offset`."""
    open_braces = other_brackets = 0
    previous_end = clause_start
    for lexeme in lexemes(text, clause_start, end):
        if not open_braces:
            begins_line = "\n" in text[previous_end : lexeme.span.start] and lexeme.span.start > offset
            if lexeme.text == "}":
                return lexeme.span.start
            if begins_line or (lexeme.text == ";" and other_brackets <= 0 and lexeme.span.start >= offset):
                return previous_end
        if lexeme.kind == "sign":
            open_braces += (lexeme.text == "{") - (lexeme.text == "}")
            other_brackets += lexeme.text.endswith(("[", "(")) - (lexeme.text in ("]", ")"))
        previous_end = lexeme.span.end
    return previous_end


# --- comments

_COMMENT = re.compile(r"#[^\n]*")
_DIRECTIVE = re.compile(r"#\s*fict:")

# A comment after these lexemes belongs to the last lexeme that is not one of them.
TRANSPARENT = frozenset({",", ";", "(", ")", "or"})


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment without trailing spaces. `previous_end` is the end of the lexeme that it follows."""

    text: str
    start: int
    own_line: bool
    previous_end: int

    @property
    def span(self) -> Span:
        return Span(self.start, self.start + len(self.text))

    @property
    def is_directive(self) -> bool:
        """Whether the comment is a directive such as `# fict: ignore[…]`."""
        return _DIRECTIVE.match(self.text) is not None

    def follows(self, end: int) -> bool:
        """Return whether the comment is at a line end and belongs to a lexeme that ends at `end` or before it."""
        return not self.own_line and self.previous_end <= end


def comments(text: str, scanned_lexemes: Sequence[Lexeme] | None = None) -> list[Comment]:
    """Return the comments of a text. `scanned_lexemes` are its lexemes, if already computed."""
    result, end, previous_end = [], 0, 0
    for lexeme in (*(lexemes(text) if scanned_lexemes is None else scanned_lexemes), None):
        for match in _COMMENT.finditer(text, end, lexeme.span.start if lexeme else len(text)):
            own_line = "\n" in text[end : match.start()] or end == 0
            result.append(Comment(match[0].rstrip(), match.start(), own_line, previous_end))
            end = match.end()
        if lexeme:
            end = lexeme.span.end
            previous_end = previous_end if lexeme.text in TRANSPARENT else end
    return result
