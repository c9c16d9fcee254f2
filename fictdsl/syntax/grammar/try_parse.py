"""One try at parsing a stretch of text: the parse tree, or where and why the parser stopped."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from fictdsl.source import Span
from fictdsl.syntax.grammar.grammar import parser
from fictdsl.syntax.text.scan import Bit, bits

if TYPE_CHECKING:
    from lark import Token, Tree


@dataclass(frozen=True, slots=True)
class Stop:
    """Where the parser stopped. `found` is what stands there (None at the end), `before` the few pieces before it,
    `after` those behind it; `state` is the parser's, and `accepts` names the terminals it would have taken."""

    at: int
    found: Bit | None
    before: tuple[Bit, ...]
    after: tuple[Bit, ...]
    state: int
    accepts: frozenset[str]


def parsed(text: str, span: Span, start: str) -> Tree[Token] | None:
    """The parse tree of one `file` or `item` that lies between two offsets of a text, or None."""
    from lark import TextSlice
    from lark.exceptions import UnexpectedInput

    try:
        return parser().parse(TextSlice(text, span.start, span.end), start=start)
    except UnexpectedInput:
        return None


def attempt(text: str, span: Span, start: str) -> Tree[Token] | Stop:
    """Parse one `file` or `item` that lies between two offsets of a text."""
    from lark import TextSlice
    from lark.exceptions import UnexpectedInput

    try:
        return parser().parse(TextSlice(text, span.start, span.end), start=start)
    except UnexpectedInput as error:
        return _stop(text, span, start, _offset(error, span))


def _offset(error: Exception, span: Span) -> int:
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken

    if isinstance(error, UnexpectedToken) and error.token.type != "$END":
        return error.token.start_pos or span.start
    if isinstance(error, UnexpectedCharacters):
        return error.pos_in_stream or span.start
    return span.end  # Lark gives the last token's place for the end of the text


def _stop(text: str, span: Span, start: str, at: int) -> Stop:
    """Feed the parser all that stood before the mistake, and ask what it would have taken next."""
    from lark import TextSlice
    from lark.exceptions import UnexpectedInput

    interactive = parser().parse_interactive(TextSlice(text, span.start, at), start=start)
    with suppress(UnexpectedInput):  # what stood before was read once already; but nothing here may raise
        interactive.exhaust_lexer()
    ahead = tuple(islice(bits(text, at, span.end), 3))
    before = tuple(bits(text, span.start, at))[-4:]
    state = interactive.parser_state.position
    return Stop(at, next(iter(ahead), None), before, ahead[1:], state, frozenset(interactive.accepts()))  # type: ignore[no-untyped-call]
