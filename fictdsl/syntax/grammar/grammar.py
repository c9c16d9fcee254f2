"""The Lark parser of `grammar/fict.lark`, created on first use and with its tables cached on disk."""

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
