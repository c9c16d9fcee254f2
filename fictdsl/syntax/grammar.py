"""The Lark parser of `grammar/fict.lark`, created on first use, and its parse trees."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.installation import cache_folder, shipped
from fictdsl.source import Source, Span
from fictdsl.syntax.scan import Lexeme, lexemes

if TYPE_CHECKING:
    from lark import Lark, Token, Tree


GRAMMAR = "grammar/fict.lark"
STARTS = ("file", "item")


@cache
def parser() -> Lark:
    """Return the LALR parser of the language. Its start symbols are `file` and `item`."""
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
    """Return the path of Lark's table cache, or False if the cache folder cannot be created.

    Computing the tables takes longer than parsing a file.
    """
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
    """Return a diagnostic for the first node nested too deeply, or None. The function is not recursive."""
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
