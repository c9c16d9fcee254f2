"""Parse a range of text with Lark, returning the parse tree or the parser's state where it stopped."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from fictdsl.source import Span
from fictdsl.syntax.grammar.grammar import parser
from fictdsl.syntax.text.scan import Lexeme, lexemes

if TYPE_CHECKING:
    from lark import Token, Tree


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
    """Parse a `file` or `item` between two offsets of a text. Return None if there is a syntax error."""
    from lark import TextSlice
    from lark.exceptions import UnexpectedInput

    try:
        return parser().parse(TextSlice(text, span.start, span.end), start=start)
    except UnexpectedInput:
        return None


def try_parse(text: str, span: Span, start: str) -> Tree[Token] | Stop:
    """Parse a `file` or `item` between two offsets of a text. Return a Stop if there is a syntax error."""
    from lark import TextSlice
    from lark.exceptions import UnexpectedInput

    try:
        return parser().parse(TextSlice(text, span.start, span.end), start=start)
    except UnexpectedInput as error:
        return _stop_at(text, span, start, _error_offset(error, span))


def _error_offset(error: Exception, span: Span) -> int:
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken

    if isinstance(error, UnexpectedToken) and error.token.type != "$END":
        return error.token.start_pos or span.start
    if isinstance(error, UnexpectedCharacters):
        return error.pos_in_stream or span.start
    return span.end  # for the end of the text, Lark reports the last token's position


def _stop_at(text: str, span: Span, start: str, offset: int) -> Stop:
    """Parse again up to the error, to get the parser's state and the terminals that it accepts."""
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
