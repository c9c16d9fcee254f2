"""grammar/fict.lark into a parser: the one place that builds Lark, once, on first use."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from fictdsl.shipped import shipped

if TYPE_CHECKING:
    from lark import Lark

GRAMMAR = "grammar/fict.lark"
STARTS = ("file", "item")


@cache
def parser() -> Lark:
    """The LALR parser of the language; it starts at a whole `file` or at one `item`."""
    from lark import Lark

    return Lark(
        shipped(GRAMMAR).read_text(encoding="utf-8"),
        parser="lalr",
        lexer="contextual",
        start=list(STARTS),
        keep_all_tokens=True,
        maybe_placeholders=False,
        propagate_positions=False,
    )
