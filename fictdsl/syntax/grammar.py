"""Lexemes of a text, valid or not, and the Lark parser of `grammar/fict.lark`, created on first use.

Error recovery, the formatter and completion use it. Only the parser decides what is valid.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.installation import cache_folder, shipped
from fictdsl.source import Source, Span
from fictdsl.syntax.nodes import ITEM_WORDS

if TYPE_CHECKING:
    from lark import Lark, Token, Tree


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
    """Yield the lexemes, without comments. A slash after a comparison, `|`, `[` or `^` opens a regular expression."""
    return (lexeme for lexeme in _lexemes_and_comments(text, start, end) if lexeme.kind != "comment")


def without_comments(text: str, start: int, end: int) -> str:
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
    """Return the span of the clause, metadata or action at an offset; None outside all braces.

    Outside brackets, it ends with its line.
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
        return _DIRECTIVE.match(self.text) is not None

    def follows(self, end: int) -> bool:
        """Return whether the comment is at a line end and belongs to a lexeme that ends at `end` or before it."""
        return not self.own_line and self.previous_end <= end


def comments(text: str, scanned_lexemes: Sequence[Lexeme] | None = None) -> list[Comment]:
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


GRAMMAR = "grammar/fict.lark"
STARTS = ("file", "item")


@cache
def parser() -> Lark:
    from lark import Lark

    return Lark(
        shipped(GRAMMAR).read_text(encoding="utf-8"),
        parser="lalr",
        lexer="contextual",
        start=list(STARTS),
        keep_all_tokens=True,
        maybe_placeholders=False,
        propagate_positions=False,
        cache=_cache(),
    )


def _cache() -> str | bool:
    """Return the path of Lark's tables, whose computing takes longer than parsing; False if there can be no folder."""
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return str(folder / "grammar.lark-tables")


# Above the limit of the language, which `semantics.check.limits` reports with a better message, and well below
# Python's recursion limit.
LIMIT = 100
_NESTING = frozenset({"body", "block", "group", "not_"})


def nesting_problem(tree: Tree[Token], source: Source) -> Diagnostic | None:
    from lark import Tree as LarkTree

    stack: list[tuple[Tree[Token], int]] = [(tree, 0)]
    while stack:
        subtree, depth = stack.pop()
        depth += subtree.data in _NESTING
        if depth > LIMIT:
            return diagnostic("FICT126", source, _first_span(subtree), limit=LIMIT)
        stack += [(child, depth) for child in reversed(subtree.children) if isinstance(child, LarkTree)]
    return None


def _first_span(tree: Tree[Token]) -> Span:
    from lark import Tree as LarkTree

    first: Tree[Token] | Token = tree
    while isinstance(first, LarkTree):
        first = first.children[0]
    return Span(first.start_pos or 0, first.end_pos or 0)


@dataclass(frozen=True, slots=True)
class Stop:
    """The position and state of the parser at a syntax error.

    `found` is the unexpected lexeme, or None at the end of the text. `preceding` and `following` are a few lexemes
    around it. `state` is the LALR state, and `accepts` names the terminals that it accepts.
    """

    offset: int
    found: Lexeme | None
    preceding: tuple[Lexeme, ...]
    following: tuple[Lexeme, ...]
    state: int
    accepts: frozenset[str]


def parse_tree(text: str, span: Span, start: str) -> Tree[Token] | None:
    parsed = _parsed(text, span, start)
    return None if isinstance(parsed, Exception) else parsed


def try_parse(text: str, span: Span, start: str) -> Tree[Token] | Stop:
    """Parse a `file` or `item` between two offsets of a text. Return a Stop if there is a syntax error."""
    parsed = _parsed(text, span, start)
    return _stop_at(text, span, start, _error_offset(parsed, span)) if isinstance(parsed, Exception) else parsed


def _parsed(text: str, span: Span, start: str) -> Tree[Token] | Exception:
    from lark import TextSlice
    from lark.exceptions import UnexpectedInput

    try:
        return parser().parse(TextSlice(text, span.start, span.end), start=start)
    except UnexpectedInput as error:
        return error


def _error_offset(error: Exception, span: Span) -> int:
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken

    if isinstance(error, UnexpectedToken) and error.token.type != "$END":
        return error.token.start_pos or span.start
    if isinstance(error, UnexpectedCharacters):
        return error.pos_in_stream or span.start
    return span.end  # for the end of the text, Lark reports the last token's position


def _stop_at(text: str, span: Span, start: str, offset: int) -> Stop:
    from lark import TextSlice
    from lark.exceptions import UnexpectedInput

    interactive_parser = parser().parse_interactive(TextSlice(text, span.start, offset), start=start)
    with suppress(UnexpectedInput):  # not expected: this text was accepted before
        interactive_parser.exhaust_lexer()
    next_lexemes = tuple(islice(lexemes(text, offset, span.end), 3))
    preceding = tuple(lexemes(text, span.start, offset))[-4:]
    state = interactive_parser.parser_state.position
    found = next(iter(next_lexemes), None)
    accepts = frozenset(interactive_parser.accepts())  # type: ignore[no-untyped-call]
    return Stop(offset, found, preceding, next_lexemes[1:], state, accepts)
