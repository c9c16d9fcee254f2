"""grammar/fict.lark into a parser: the one place that builds Lark, once, on first use, and remembers its tables."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from fictdsl.cache import cache_folder
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
        cache=_cache(),
    )


def _cache() -> str | bool:
    """Where Lark keeps the tables that it makes of a grammar, which takes longer than to parse a file; or False."""
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return str(folder / "grammar.lark-tables")
